"""Several workers for one busy receiver: its deliveries in parts, by the verification.

A receiver is one part, which its job `webhooks.drain` serves, until that job finds that the
receiver answers faster than one worker posts. It then divides the receiver. It keeps part 0, and
each other part has a job `webhooks.help`. All events of a verification are of one part, so they
keep their order. All parts together post at most ACREDITA_WEBHOOK_CONCURRENCY at a time.

`webhook_receiver.parts` is the number of parts. No two jobs may work by different numbers at once:

- Only the finish of `webhooks.drain` divides, after a run of the whole receiver.
- A job that ends without work unites the parts, unless another job of the receiver runs.
- A job is running when it reads the number. So a job that unites sees it, or it reads 1. If it read
  the number before, `webhooks.drain` sees it and waits.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.kit.statement_pool import Reads
from acredita.resources.webhooks.breaker import Breaker
from acredita.settings.webhooks import MOST_WORKERS

# A receiver whose answers take this many seconds or less may be busy enough for several workers.
FAST_ANSWER = 0.02
# How often a process that already serves the receiver leaves a part to others, and for how many
# seconds each time: other workers look for jobs within a second.
MOST_LEAVES, LEAVE_SECONDS = 5, 0.25

# The parts with a job of their own, while their receiver may be tried. A job that waits is left
# alone, because it waits for another process.
DIVIDED = """
    SELECT receiver.id || '/' || number AS key, receiver.organization_id
    FROM webhook_receiver AS receiver CROSS JOIN generate_series(1, receiver.parts - 1) AS number
    WHERE receiver.parts > 1
      AND (receiver.resting_until IS NULL OR receiver.resting_until <= now())
      AND NOT EXISTS (
          SELECT FROM job
          WHERE job.once_key = 'webhooks.help:' || receiver.id || '/' || number
            AND job.state = 'pending'
      )
"""
HELPED = f"""
    EXISTS (
        SELECT FROM job
        WHERE job.state = 'running' AND job.once_key IN (
            SELECT 'webhooks.help:' || receiver.id || '/' || number
            FROM generate_series(1, {MOST_WORKERS - 1}) AS number
        )
    )
"""  # noqa: S608 (constants)
READ = f"""
    SELECT failures, rests, parts, parts = 1 AND {HELPED} AS is_helped
    FROM webhook_receiver AS receiver WHERE id = $1
"""  # noqa: S608 (constants)
DIVIDE = text(
    "INSERT INTO webhook_receiver (id, organization_id, parts)"
    " VALUES (:id, :organization_id, :parts)"
    " ON CONFLICT (id, organization_id) DO UPDATE SET parts = excluded.parts"
)
UNITE = text(
    f"""
    UPDATE webhook_receiver AS receiver SET parts = 1
    WHERE id = :id AND parts > 1 AND NOT EXISTS (
        SELECT FROM job
        WHERE job.state = 'running' AND job.id <> :job_id AND job.once_key IN (
            SELECT 'webhooks.drain:' || receiver.id
            UNION ALL
            SELECT 'webhooks.help:' || receiver.id || '/' || number
            FROM generate_series(1, {MOST_WORKERS - 1}) AS number
        )
    )
    """  # noqa: S608 (constants)
)


@dataclass(frozen=True, slots=True)
class Part:
    """Part `number`, from 0, of `of` parts."""

    number: int = 0
    of: int = 1

    def places(self, most: int) -> int:
        """Return how many of the `most` concurrent posts to the receiver this part may make."""
        return max(1, (most + self.of - 1 - self.number) // self.of)


WHOLE = Part()


@dataclass(frozen=True, slots=True)
class Receiver:
    breaker: Breaker
    parts: int = 1
    # Parts from before a union are still served.
    is_helped: bool = False


async def read(reads: Reads, receiver_id: UUID) -> Receiver:
    row = await reads.row(READ, receiver_id)
    if row is None:
        return Receiver(Breaker())
    return Receiver(Breaker(row["failures"], row["rests"]), row["parts"], row["is_helped"])


async def divide(
    session: AsyncSession, receiver_id: UUID, organization_id: UUID | None, parts: int
) -> None:
    values = {"id": receiver_id, "organization_id": organization_id, "parts": parts}
    await session.execute(DIVIDE, values)


async def unite(session: AsyncSession, receiver_id: UUID, job_id: UUID) -> None:
    """Make the receiver one part, unless a job of it runs other than `job_id`, the caller's."""
    await session.execute(UNITE, {"id": receiver_id, "job_id": job_id})


class Presence:
    """The receivers that this process serves. It leaves further parts of them to other processes,
    for a while: in one process they would share its processor."""

    def __init__(self) -> None:
        self._serving: Counter[UUID] = Counter()
        self._leaves: Counter[str] = Counter()

    @contextmanager
    def serving(self, receiver_id: UUID) -> Iterator[None]:
        self._serving[receiver_id] += 1
        try:
            yield
        finally:
            self._serving[receiver_id] -= 1
            if not self._serving[receiver_id]:
                del self._serving[receiver_id]

    def leaves(self, receiver_id: UUID, key: str) -> bool:
        """Return whether to leave the part `key`, which no process has taken, to another one."""
        if receiver_id in self._serving and self._leaves[key] < MOST_LEAVES:
            self._leaves[key] += 1
            return True
        del self._leaves[key]
        return False
