"""A time-stamping authority that speaks RFC 3161 over HTTP, well or badly."""

import asyncio
import base64
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

from aiohttp import web
from asn1crypto import tsp

from acredita.kit.development_authority import ROOT
from acredita.providers.timestamps.local import LocalAuthority
from acredita.providers.timestamps.tokens import TimeStampResponse

REPLY = "application/timestamp-reply"
# To read its keys takes a tenth of a second of the processor.
_authority = cache(LocalAuthority)


class TimestampServer:
    """`behaviour` is what it does with the next questions."""

    def __init__(self, folder: Path) -> None:
        self.authority = _authority(folder)
        self.trusted = folder.parent / "trusted.pem"
        self.trusted.write_bytes((folder / f"{ROOT}.pem").read_bytes())
        self.behaviour = "well"
        self.credentials: str | None = None
        self.asked = 0
        self.url = ""

    async def answer(self, request: web.Request) -> web.Response:
        self.asked += 1
        question = await request.read()
        assert request.content_type == "application/timestamp-query"
        if self.credentials is not None:
            expected = "Basic " + base64.b64encode(self.credentials.encode()).decode()
            if request.headers.get("Authorization") != expected:
                return web.Response(status=401)
        if self.behaviour == "hang":
            await asyncio.sleep(3600)
        if self.behaviour in ANSWERS:
            return ANSWERS[self.behaviour]()
        return web.Response(body=self._reply(question), content_type=REPLY)

    def _reply(self, question: bytes) -> bytes:
        asked = tsp.TimeStampReq.load(question)
        if self.behaviour == "other nonce":
            return self.authority.answer(_with(asked, nonce=12345))
        if self.behaviour == "other imprint":
            return self.authority.answer(_with(asked, digest=b"\x01" * 32))
        answer = bytearray(self.authority.answer(question))
        if self.behaviour == "changed":
            answer[-5] ^= 1
        return bytes(answer)


def _body(content: bytes) -> web.Response:
    return web.Response(body=content, content_type=REPLY)


def _with(asked: tsp.TimeStampReq, **changes: object) -> bytes:
    digest = changes.get("digest", asked["message_imprint"]["hashed_message"].native)
    changed = tsp.TimeStampReq(
        {
            "version": 1,
            "message_imprint": {
                "hash_algorithm": asked["message_imprint"]["hash_algorithm"],
                "hashed_message": digest,
            },
            "nonce": changes.get("nonce", asked["nonce"].native),
            "cert_req": True,
        }
    )
    return bytes(changed.dump())


def _rejection(why: str) -> bytes:
    status = {"status": "rejection", "fail_info": {why}}
    return bytes(TimeStampResponse({"status": status}).dump())


# What is no answer to the question at all.
ANSWERS: dict[str, Callable[[], web.Response]] = {
    "garbage": lambda: _body(b"\x30\x82\xff\xff" + b"\x00" * 200),
    "page": lambda: web.Response(text="<h1>login</h1>", content_type="text/html"),
    "flood": lambda: _body(b"\x30" * 10_000_000),
    "redirect": lambda: web.Response(status=302, headers={"Location": "http://127.0.0.1:1/"}),
    "busy": lambda: web.Response(status=503),
    "forbid": lambda: web.Response(status=403),
    "reject": lambda: _body(_rejection("bad_alg")),
    "overloaded": lambda: _body(_rejection("system_failure")),
}


@asynccontextmanager
async def running_timestamps(folder: Path) -> AsyncIterator[TimestampServer]:
    """Serve on a free port with the keys of the development authority in the folder."""
    server = TimestampServer(folder)
    app = web.Application(client_max_size=64 * 1024)
    app.router.add_post("/tsa", server.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}/tsa"
    try:
        yield server
    finally:
        await runner.cleanup()
