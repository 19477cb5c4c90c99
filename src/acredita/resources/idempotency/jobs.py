"""Delete stored responses after the idempotency window, because they contain personal data."""

from acredita.jobs import JobContext, recurring
from acredita.resources.idempotency import service

BATCH = 1000


@recurring("idempotency.forget", every=3600, timeout=600)
async def forget(context: JobContext) -> None:
    forgotten = BATCH
    while forgotten == BATCH:
        async with context.services.database.transaction() as session:
            forgotten = await service.delete_expired(session, limit=BATCH)
