"""Server-sent events of an organization's review queue: that it changed, and how many wait."""

import asyncio
import random
import time
from collections.abc import AsyncIterator
from uuid import UUID

import orjson
import structlog

from acredita.kit.db import is_unavailable
from acredita.kit.logging import describe
from acredita.kit.notifications import Subscription
from acredita.kit.statement_pool import Reads
from acredita.resources.reviews import queries

log = structlog.get_logger()

# Seconds. Random between the two, so that streams opened together do not all read at once.
MIN_HEARTBEAT, HEARTBEAT = 10.0, 15.0
# The credentials are checked when a stream opens, so it must end soon.
MAX_DURATION = 300.0
# A busy queue changes many times a second; one message tells of all changes of this time.
SPACING = 0.5


async def messages(
    reads: Reads, organization_id: UUID, subscription: Subscription
) -> AsyncIterator[bytes]:
    """Yield messages until the subscription ends or MAX_DURATION is over."""
    yield b"retry: 2000\n\n"
    ends_at = time.monotonic() + MAX_DURATION
    last: int | None = None
    while True:
        try:
            total = await queries.total(reads, organization_id)
        except Exception as fault:
            if not is_unavailable(fault):
                raise
            log.warning("reviews.stream_waits", error=describe(fault))
            yield b": the service is not available right now\n\n"
        else:
            if subscription.was_woken or total != last:
                yield b"event: queue\ndata: %s\n\n" % orjson.dumps({"total": total})
            else:
                yield b": still here\n\n"
            last = total
        if subscription.is_over or time.monotonic() > ends_at:
            return
        await asyncio.sleep(SPACING)
        if not await subscription.wait(at_most=random.uniform(MIN_HEARTBEAT, HEARTBEAT)):
            return
