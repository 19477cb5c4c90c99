"""Refuse further engine jobs of an organization of which too many are waiting."""

from uuid import UUID

from acredita.domain.errors import QueueFull
from acredita.jobs.ledger.turns import PENDING
from acredita.jobs.registry import Lane, Queue
from acredita.kit.statement_pool import Reads

# Seconds after which a caller should try again.
RETRY_AFTER = 30

WAITING = f"""
    SELECT count(*) FROM (
        SELECT FROM job
        WHERE {PENDING.replace("{queue}", Queue.ENGINES)} = $1 AND priority IN (1, 0, -1)
          AND lane >= $2
        LIMIT $3
    ) AS waiting
"""  # noqa: S608 (constants)


async def require_room(reads: Reads, organization_id: UUID, *, lane: Lane, most: int) -> None:
    """Raise QueueFull if `most` engine jobs of an organization, in this lane, are waiting."""
    row = await reads.row(WAITING, organization_id, lane.value, most)
    if row is not None and row[0] >= most:
        raise QueueFull(retry_after=RETRY_AFTER)
