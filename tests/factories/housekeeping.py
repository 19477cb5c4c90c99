"""The recurring jobs of a worker that a test starts."""

from collections.abc import Sequence

from sqlalchemy import text

from acredita.jobs.reaper import revive_recurring
from acredita.services import Services

# Lists that a step screens against, and the work that a test waits for.
NEEDED = ("aml.refresh_lists", "aml.keep_index", "audit.chain", "verification.fold_tallies")
HURRY = text(
    "UPDATE job SET run_at = now() WHERE state = 'pending'"
    " AND (:recurring OR once_key IS NULL OR NOT starts_with(once_key, 'recurring:'))"
)
LATER = text(
    "UPDATE job SET run_at = now() + interval '1 hour'"
    " WHERE starts_with(once_key, 'recurring:') AND kind <> ALL (:needed)"
)


async def hurry(services: Services, *, recurring: bool = False) -> None:
    """Make all waiting jobs due, and those that recur only if asked."""
    async with services.database.transaction() as session:
        await session.execute(HURRY, {"recurring": recurring})


async def put_off_housekeeping(services: Services, needed: Sequence[str] = NEEDED) -> None:
    """Let the recurring jobs be due in an hour, except those `needed`: a new database has all of
    them due at once, which takes a second of the processor for each test with a worker.
    """
    await revive_recurring(services.database)
    async with services.database.transaction() as session:
        await session.execute(LATER, {"needed": list(needed)})
