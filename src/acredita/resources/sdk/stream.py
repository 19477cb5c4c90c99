"""Server-sent events of one verification, each with the current status.

The stream reads the event table. After a disconnect it resumes after the reader's last event, in
this or another process. Between two reads it holds no database connection. It queues nothing for a
slow reader: events during a slow write come with the next read.
"""

import random
import time
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import orjson
import structlog

from acredita.domain.errors import NotFound
from acredita.domain.events import EventKind
from acredita.domain.verification import OPEN, VerificationStatus
from acredita.kit.db import is_unavailable
from acredita.kit.logging import describe
from acredita.kit.notifications import Subscription
from acredita.kit.statement_pool import Reads
from acredita.resources.sdk import queries, status

log = structlog.get_logger()

HEARTBEAT = 15.0
# Random between the two, so that streams opened together do not all read at the same time.
MIN_HEARTBEAT = 10.0
# A browser reconnects on its own. A dead peer does not, so this limits its stream.
MAX_DURATION = 600.0
RECONNECT_MILLISECONDS = 2000


async def messages(
    reads: Reads, verification_id: UUID, subscription: Subscription, *, after: UUID | None
) -> AsyncIterator[bytes]:
    """Yield messages until the verification or the subscription ends, or MAX_DURATION is over."""
    yield b"retry: %d\n\n" % RECONNECT_MILLISECONDS
    ends_at = time.monotonic() + MAX_DURATION
    last_view: dict[str, Any] | None = None
    while True:
        try:
            row = await queries.get_status_and_events(reads, verification_id, after)
        except NotFound:
            return  # purged meanwhile
        except Exception as fault:
            if not is_unavailable(fault):
                raise
            log.warning("sdk.stream_waits", error=describe(fault))
            yield b": the service is not available right now\n\n"
            if not await subscription.wait(at_most=random.uniform(1, 5)):
                return
            continue
        view = status.to_view(row)
        # The first message has the current status even if there is no new event.
        events = row["events"] or ([] if last_view else row["newest_event"])
        for event_id, kind in events:
            after = event_id
            yield _message(view, kind, event_id)
        if not events:
            # The status can change without an event: another upload, or a step that starts.
            has_changed = view != last_view
            yield (
                _message(view, EventKind.VERIFICATION_UPDATED)
                if has_changed
                else b": still here\n\n"
            )
        last_view = view
        if VerificationStatus(view["status"]) not in OPEN:
            return
        if subscription.is_over or time.monotonic() > ends_at:
            return
        if not await subscription.wait(at_most=random.uniform(MIN_HEARTBEAT, HEARTBEAT)):
            return


def _message(view: dict[str, Any], kind: str, event_id: UUID | None = None) -> bytes:
    event_line = b"" if event_id is None else b"id: %s\n" % str(event_id).encode()
    return b"%sevent: %s\ndata: %s\n\n" % (event_line, kind.encode(), orjson.dumps(view))
