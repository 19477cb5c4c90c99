"""Deletes files after the commit of the transaction that deletes their rows."""

from collections.abc import Iterable
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.jobs import JobContext, Priority, Queue, job


async def queue_deletion(
    session: AsyncSession, organization_id: UUID, storage_keys: Iterable[str]
) -> None:
    """Add a job for each file. Delete the rows, with the files' keys, in the same transaction."""
    for key in storage_keys:
        await jobs.add(
            session,
            delete_file,
            {"storage_key": key},
            priority=Priority.BULK,
            organization_id=organization_id,
        )


# The storage may be unavailable for hours. The sweep finds files of failed jobs: they have no row.
@job("retention.delete_file", queue=Queue.LIGHT, timeout=60, max_attempts=30)
async def delete_file(context: JobContext, storage_key: str) -> None:
    await context.services.storage.delete(storage_key)
