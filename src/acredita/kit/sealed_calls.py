"""Calls between processes of one installation over HTTP. Bodies are sealed.

Both sides hold the same encryption keys. So an attacker in the network can neither read nor change
a call, and addresses inside an installation need no certificates. An answer opens only for its
call.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

import aiohttp
from aiohttp import web

from acredita.kit import side_port
from acredita.kit.crypto import CannotUnseal, KeyRing

CALL_ID: Final = "X-Call-Id"
CONNECT_SECONDS: Final = 2.0
# Seconds in which a call's body must arrive.
SLOWEST_BODY: Final = 30.0


class CallFailed(Exception):
    """The other process cannot be reached, has no room, or failed. The text is safe to log."""


class SealedCalls:
    """Calls to one address."""

    def __init__(self, url: str, keys: KeyRing, *, timeout: float) -> None:
        """`timeout`: seconds for the whole call."""
        self._url, self._keys = url, keys
        limits = aiohttp.ClientTimeout(total=timeout, sock_connect=CONNECT_SECONDS)
        self._session = aiohttp.ClientSession(timeout=limits, cookie_jar=aiohttp.DummyCookieJar())

    async def close(self) -> None:
        await self._session.close()

    async def call(self, question: bytes) -> bytes:
        """Return the answer. The question must be safe to repeat. Raise CallFailed."""
        try:
            try:
                return await self._call(question)
            except aiohttp.ClientConnectionError:
                # The process may have stopped. Others may serve the same address.
                return await self._call(question)
        except (aiohttp.ClientError, OSError) as fault:
            raise CallFailed(type(fault).__name__) from None

    async def _call(self, question: bytes) -> bytes:
        call_id = os.urandom(16).hex()
        body = await asyncio.to_thread(self._keys.seal, question, context=_asking(call_id))
        async with self._session.post(
            self._url, data=body, headers={CALL_ID: call_id}, allow_redirects=False
        ) as response:
            answer = await response.read()
        if response.status != web.HTTPOk.status_code:
            raise CallFailed(f"answered with {response.status}")
        try:
            return await asyncio.to_thread(self._keys.unseal, answer, context=_answering(call_id))
        except CannotUnseal:
            raise CallFailed("the answer does not open") from None


@asynccontextmanager
async def answering(
    host: str,
    port: int,
    keys: KeyRing,
    answer: Callable[[bytes], Awaitable[bytes]],
    *,
    largest: int,
    most_at_once: int,
) -> AsyncIterator[None]:
    """Answer calls, also GET /health. Raise OSError if the port is in use.

    `largest`: bytes of a question. `most_at_once`: more calls are refused at once.
    """
    at_once = 0

    async def handle(request: web.Request) -> web.Response:
        nonlocal at_once
        if at_once >= most_at_once:
            return web.Response(status=503)
        at_once += 1
        try:
            return await respond(request)
        finally:
            at_once -= 1

    async def respond(request: web.Request) -> web.Response:
        call_id = request.headers.get(CALL_ID, "")
        async with asyncio.timeout(SLOWEST_BODY):
            body = await request.read()
        try:
            question = await asyncio.to_thread(keys.unseal, body, context=_asking(call_id))
        except CannotUnseal:
            return web.Response(status=403)
        answered = await answer(question)
        return web.Response(
            body=await asyncio.to_thread(keys.seal, answered, context=_answering(call_id))
        )

    async def health(_: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    app = web.Application(client_max_size=largest)
    app.router.add_post("/", handle)
    app.router.add_get("/health", health)
    async with side_port.serving(app, host, port):
        yield


def _asking(call_id: str) -> str:
    return f"call:{call_id}:question"


def _answering(call_id: str) -> str:
    return f"call:{call_id}:answer"
