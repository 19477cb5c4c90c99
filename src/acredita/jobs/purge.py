"""Deletes old done jobs. Dead jobs stay, for an operator to inspect."""

from datetime import timedelta

from acredita.jobs import ledger
from acredita.jobs.context import JobContext
from acredita.jobs.registry import recurring

# Far longer than any caller repeats a once_key: verifications last a day, deliveries an hour.
KEPT_FOR = timedelta(days=30)
BATCH = 1000


@recurring("jobs.purge", every=3600, timeout=600)
async def purge(context: JobContext) -> None:
    deleted = BATCH
    while deleted == BATCH:
        async with context.services.database.transaction() as session:
            deleted = await ledger.purge_done(session, older_than=KEPT_FOR, limit=BATCH)
