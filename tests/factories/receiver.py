"""A real HTTPS receiver that follows a script, and remembers whatever reached it."""

import asyncio
import ssl
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trustme
from aiohttp import web

HOST = "receiver.test"

Behaviour = Callable[["Receiver", web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Received:
    path: str
    body: bytes
    headers: dict[str, str]
    peer: Any
    at: float = field(default_factory=time.monotonic)


@dataclass
class Receiver:
    """`script` holds one behaviour a request; when it has run out, `otherwise` answers."""

    script: list[Behaviour] = field(default_factory=list)
    otherwise: Behaviour = field(default_factory=lambda: answer(200))
    received: list[Received] = field(default_factory=list)
    bytes_sent: int = 0
    port: int = 0
    scheme: str = "https"
    arrival: asyncio.Condition = field(default_factory=asyncio.Condition)
    # Lets hanging behaviours go when the receiver closes.
    closing: asyncio.Event = field(default_factory=asyncio.Event)

    def url(self, path: str = "/hook", host: str = HOST) -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.received.append(
            Received(
                request.path,
                body,
                {name.lower(): value for name, value in request.headers.items()},
                request.transport.get_extra_info("peername") if request.transport else None,
            )
        )
        async with self.arrival:
            self.arrival.notify_all()
        behaviour = self.script.pop(0) if self.script else self.otherwise
        return await behaviour(self, request)

    async def wait_for(self, count: int, *, within: float = 10.0) -> list[Received]:
        async with asyncio.timeout(within), self.arrival:
            await self.arrival.wait_for(lambda: len(self.received) >= count)
        return self.received


def answer(status: int, body: bytes = b"", **headers: str) -> Behaviour:
    async def respond(receiver: Receiver, request: web.Request) -> web.StreamResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return web.Response(status=status, body=body, headers=named)

    return respond


async def hang(receiver: Receiver, request: web.Request) -> web.StreamResponse:
    await receiver.closing.wait()
    return web.Response()


def answer_after(seconds: float, status: int = 200) -> Behaviour:
    async def respond(receiver: Receiver, request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(seconds)
        return web.Response(status=status)

    return respond


async def reset(receiver: Receiver, request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def slow_body(receiver: Receiver, request: web.Request) -> web.StreamResponse:
    """Headers at once, then a byte now and again."""
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    while not receiver.closing.is_set():
        await response.write(b".")
        await asyncio.sleep(0.05)
    return response


async def endless_body(receiver: Receiver, request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    while not receiver.closing.is_set():
        await response.write(bytes(65536))
        receiver.bytes_sent += 65536
    return response


async def gzip_bomb(receiver: Receiver, request: web.Request) -> web.StreamResponse:
    """About 30 kB that would inflate to 32 MB."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join(squeezer.compress(bytes(1 << 20)) for _ in range(32)) + squeezer.flush()
    return web.Response(body=bomb, headers={"Content-Encoding": "gzip"})


async def huge_header(receiver: Receiver, request: web.Request) -> web.StreamResponse:
    return web.Response(headers={"X-Huge": "x" * (1 << 20)})


async def many_headers(receiver: Receiver, request: web.Request) -> web.StreamResponse:
    return web.Response(headers={f"X-Header-{number}": "x" for number in range(1000)})


@dataclass(frozen=True)
class Authority:
    """A certificate authority of one's own, and a resolver file that names receivers."""

    ca: trustme.CA
    ca_file: Path
    names: Path

    @property
    def settings(self) -> dict[str, Path]:
        """The settings with which the service trusts it and finds the receivers that it names."""
        return {"webhook_ca_file": self.ca_file, "webhook_resolver": self.names}

    def name(self, host: str, *addresses: str) -> None:
        with self.names.open("a") as file:
            file.write(f"{host} {' '.join(addresses)}\n")

    @asynccontextmanager
    async def receiver(self, *script: Behaviour, host: str = HOST) -> AsyncIterator[Receiver]:
        """A receiver whose certificate is made out to `host`, on loopback."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.ca.issue_cert(host).configure_cert(context)
        async with serve(Receiver(list(script)), context) as receiver:
            yield receiver


def make_authority(folder: Path) -> Authority:
    ca = trustme.CA()
    authority = Authority(ca, folder / "ca.pem", folder / "names")
    ca.cert_pem.write_to_path(str(authority.ca_file))
    authority.name(HOST, "127.0.0.1")
    return authority


@asynccontextmanager
async def serve(receiver: Receiver, context: ssl.SSLContext | None) -> AsyncIterator[Receiver]:
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", receiver.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
    await site.start()
    receiver.port = runner.addresses[0][1]
    receiver.scheme = "https" if context else "http"
    try:
        yield receiver
    finally:
        receiver.closing.set()
        await runner.cleanup()
