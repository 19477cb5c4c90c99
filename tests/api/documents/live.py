"""An application behind a real uvicorn, and bodies sent to it over a raw socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn

BOUNDARY = b"----boundary7MA4YWxk"
CONTENT_TYPE = "multipart/form-data; boundary=" + BOUNDARY.decode()


@asynccontextmanager
async def served(app: Any, *, lifespan: str = "off") -> AsyncIterator[int]:
    """The port that the application answers on."""
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, lifespan=lifespan, log_level="warning")
    )
    running = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 (uvicorn has no event for it)
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        server.force_exit = True
        await running


def part(name: str = "front", content: bytes = b"", filename: str | None = "a.jpg") -> bytes:
    given = f'; filename="{filename}"' if filename is not None else ""
    disposition = f'Content-Disposition: form-data; name="{name}"{given}\r\n'
    return (
        b"--" + BOUNDARY + b"\r\n" + disposition.encode() + b"Content-Type: image/jpeg\r\n\r\n"
        + content + b"\r\n"
    )  # fmt: skip


def body(*parts: bytes) -> bytes:
    return b"".join(parts) + b"--" + BOUNDARY + b"--\r\n"


class Sender:
    """One connection, on which a request is written byte by byte as the test likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def send(self, content: bytes) -> None:
        self._writer.write(content)
        await self._writer.drain()
        # drain() does not suspend while the socket takes all that is written: a sender that only
        # writes would never read the answer.
        await asyncio.sleep(0)

    async def answer(self) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of the answer."""
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head[1:] if line)
        }
        content = await self._reader.readexactly(int(headers.get("content-length", 0)))
        return int(head[0].split()[1]), headers, content

    async def closed_by_server(self) -> None:
        try:
            while await self._reader.read(65536):
                pass
        except ConnectionResetError:
            pass


@asynccontextmanager
async def sender(
    port: int, path: str = "/", headers: dict[str, str] | None = None
) -> AsyncIterator[Sender]:
    """A connection on which the head of a POST has been sent."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    given = {"Host": "test", "Content-Type": CONTENT_TYPE} | (headers or {})
    head = f"POST {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in given.items() if v)
    try:
        sending = Sender(reader, writer)
        await sending.send(head.encode() + b"\r\n")
        yield sending
    finally:
        writer.close()


def chunk(content: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(content), content)
