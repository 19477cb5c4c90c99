"""Load from a process of its own: clients that send a request as soon as the last is answered."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass
from typing import cast

import httptools
import uvloop

SLOWEST_ANSWER = 30.0


@dataclass(frozen=True, slots=True)
class Load:
    port: int
    request: bytes
    clients: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Answers:
    statuses: dict[int, int]
    # Of each answer, in seconds.
    latencies: list[float]
    seconds: float


def request(method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    """The bytes of an HTTP/1.1 request over a connection that stays open."""
    lines = [f"{method} {path} HTTP/1.1", "host: localhost", f"content-length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def drive(load: Load) -> Answers:
    """Send the load and wait for its last answer. Raise OSError when a connection is lost."""
    return uvloop.run(_drive(load))


async def _drive(load: Load) -> Answers:
    loop = asyncio.get_running_loop()
    statuses: Counter[int] = Counter()
    latencies: list[float] = []
    started = time.perf_counter()
    clients = [
        (
            await loop.create_connection(
                lambda: _Client(load, started + load.seconds, statuses, latencies),
                "127.0.0.1",
                load.port,
            )
        )[1]
        for _ in range(load.clients)
    ]
    async with asyncio.timeout(load.seconds + SLOWEST_ANSWER):
        await asyncio.gather(*(client.finished for client in clients))
    return Answers(dict(statuses), latencies, time.perf_counter() - started)


class _Client(asyncio.Protocol):
    def __init__(
        self, load: Load, deadline: float, statuses: Counter[int], latencies: list[float]
    ) -> None:
        self.finished = asyncio.get_running_loop().create_future()
        self._request, self._deadline = load.request, deadline
        self._statuses, self._latencies = statuses, latencies
        self._parser = httptools.HttpResponseParser(self)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._send()

    def _send(self) -> None:
        self._sent_at = time.perf_counter()
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_message_complete(self) -> None:
        now = time.perf_counter()
        self._latencies.append(now - self._sent_at)
        self._statuses[self._parser.get_status_code()] += 1
        if now < self._deadline:
            self._send()
        else:
            self.finished.set_result(None)
            self._transport.close()

    def connection_lost(self, fault: Exception | None) -> None:
        if not self.finished.done():
            self.finished.set_exception(fault or ConnectionResetError("closed by the server"))
