"""Server-sent events of one verification: what happened, and each time how it stands now.

The event table is the truth: a stream that broke off goes on, here or in another process, after the
last event that its reader saw. Between two looks nothing of the database is held. What happens
while a slow reader is written to is read at its next look; nothing is queued for it.
"""

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID

import orjson
import structlog
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from acredita.domain.errors import NotFound
from acredita.domain.events import EventKind
from acredita.domain.verification import OPEN, VerificationStatus
from acredita.kit.db import is_unavailable
from acredita.kit.logging import describe
from acredita.resources.sdk import queries, status
from acredita.resources.sdk.watching import Watch
from acredita.services import Services

log = structlog.get_logger()

HEARTBEAT = 15.0
# Not all at the same moment: those that were opened together would go on looking together.
SOONEST_HEARTBEAT = 10.0
# A browser comes again by itself. One that is gone without a word does not, and is let go.
LONGEST = 600.0
SLOWEST_WRITE = 20.0
COME_AGAIN_MILLISECONDS = 2000
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class EventStream(Response):
    """The answer, which lasts. `place` is left when it ends, however that comes."""

    media_type = "text/event-stream"

    def __init__(
        self,
        services: Services,
        verification_id: UUID,
        place: AbstractContextManager[Watch],
        *,
        after: UUID | None,
    ) -> None:
        super().__init__(headers=HEADERS)
        # Its length is not known.
        del self.headers["content-length"]
        self._services, self._verification_id = services, verification_id
        self._place, self._after = place, after

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        with self._place as watch:
            writing = asyncio.create_task(self._write(watch, send))
            leaving = asyncio.create_task(_disconnected(receive))
            try:
                await asyncio.wait({writing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (writing, leaving):
                    task.cancel()
                await asyncio.gather(writing, leaving, return_exceptions=True)
            if writing.done() and not writing.cancelled() and (fault := writing.exception()):
                raise fault

    async def _write(self, watch: Watch, send: Send) -> None:
        head = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(head)
        async for text in messages(self._services, self._verification_id, watch, after=self._after):
            try:
                async with asyncio.timeout(SLOWEST_WRITE):
                    await send({"type": "http.response.body", "body": text, "more_body": True})
            except TimeoutError:
                log.info("sdk.reader_let_go")
                return
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def messages(
    services: Services, verification_id: UUID, watch: Watch, *, after: UUID | None
) -> AsyncIterator[bytes]:
    """Until the verification has ended, or the watch is over, or it has lasted long enough."""
    yield b"retry: %d\n\n" % COME_AGAIN_MILLISECONDS
    ends_at = time.monotonic() + LONGEST
    shown: dict[str, Any] | None = None
    while True:
        try:
            row = await queries.status_and_events(services.reads, verification_id, after)
        except NotFound:
            return  # purged meanwhile
        except Exception as fault:
            if not is_unavailable(fault):
                raise
            log.warning("sdk.stream_waits", error=describe(fault))
            yield b": the service is not available right now\n\n"
            if not await watch.wait(at_most=random.uniform(1, 5)):
                return
            continue
        view = status.view_of(row)
        # The first message tells the present state, whether anything happened since or not.
        events = row["events"] or ([] if shown else row["newest_event"])
        for event_id, kind in events:
            after = event_id
            yield _message(view, kind, event_id)
        if not events:
            # Something moved that is no event: another file arrived, a step began.
            moved = view != shown
            yield _message(view, EventKind.VERIFICATION_UPDATED) if moved else b": still here\n\n"
        shown = view
        if VerificationStatus(view["status"]) not in OPEN:
            return
        if watch.is_over or time.monotonic() > ends_at:
            return
        if not await watch.wait(at_most=random.uniform(SOONEST_HEARTBEAT, HEARTBEAT)):
            return


def _message(view: dict[str, Any], kind: str, event_id: UUID | None = None) -> bytes:
    named = b"" if event_id is None else b"id: %s\n" % str(event_id).encode()
    return b"%sevent: %s\ndata: %s\n\n" % (named, kind.encode(), orjson.dumps(view))
