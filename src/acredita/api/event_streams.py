"""The response that streams server-sent events for as long as its reader takes them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager

import structlog
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from acredita.kit.notifications import Subscription

log = structlog.get_logger()

WRITE_TIMEOUT = 20.0
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class EventStream(Response):
    """It sends what `messages` yields, and leaves the context `subscribed` when it ends."""

    media_type = "text/event-stream"

    def __init__(
        self,
        subscribed: AbstractContextManager[Subscription],
        messages: Callable[[Subscription], AsyncIterator[bytes]],
    ) -> None:
        super().__init__(headers=HEADERS)
        # The length is unknown.
        del self.headers["content-length"]
        self._subscription, self._messages = subscribed, messages

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        with self._subscription as subscription:
            writer = asyncio.create_task(self._write(subscription, send))
            disconnection = asyncio.create_task(_disconnected(receive))
            try:
                await asyncio.wait({writer, disconnection}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (writer, disconnection):
                    task.cancel()
                await asyncio.gather(writer, disconnection, return_exceptions=True)
            if writer.done() and not writer.cancelled() and (fault := writer.exception()):
                raise fault

    async def _write(self, subscription: Subscription, send: Send) -> None:
        head = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(head)
        async for text in self._messages(subscription):
            try:
                async with asyncio.timeout(WRITE_TIMEOUT):
                    await send({"type": "http.response.body", "body": text, "more_body": True})
            except TimeoutError:
                log.info("sdk.reader_let_go")
                return
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
