"""Keeps the numbers of jobs and deliveries small in rows."""

from acredita.jobs import JobContext, recurring
from acredita.resources.admin import queries


@recurring("admin.fold_tallies", every=15)
async def fold_tallies(context: JobContext) -> None:
    async with context.services.database.transaction() as session:
        await queries.fold_tallies(session)
