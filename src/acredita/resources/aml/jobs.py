"""Build the index when a list changes; delete old indexes.

These jobs connect the folders: a change in `lists` starts a build of `index`, and a new index
starts a screening of `monitors`.
"""

import asyncio

import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.jobs import JobContext, Later, Queue, job, recurring
from acredita.kit.storage import StorageUnavailable
from acredita.resources.aml.folder import folder_of, sweep
from acredita.resources.aml.index import building
from acredita.resources.aml.index.building import ListsChanged
from acredita.resources.aml.monitors.jobs import queue_screening_of_changes

log = structlog.get_logger()

HOUR = 3_600.0


# Seconds until a build looks whether the running one has ended.
PAUSE = 10.0
# The job that was added first goes on.
ANOTHER_RUNS = """
    SELECT EXISTS (SELECT FROM job WHERE kind = :kind AND state = 'running' AND id < :id)
"""


@job("aml.build_index", queue=Queue.LIGHT, timeout=6 * HOUR, max_attempts=30)
async def build_index(context: JobContext) -> None:
    """Build the index, after another build that runs: each takes minutes and half a gigabyte for a
    million names."""
    async with context.services.database.reading() as connection:
        terms = {"kind": context.job.kind, "id": context.job.id}
        if await connection.scalar(text(ANOTHER_RUNS), terms):
            context.run_again(delay=PAUSE)
            return
    try:
        published = await building.build(context.services, on_publish=queue_screening_of_changes)
    except ListsChanged:
        raise Later("lists changed during the build", delay=1.0) from None
    except StorageUnavailable as fault:
        raise Later(f"storage: {fault}") from None
    if published is not None:
        log.info("aml.index_published", version=published.version, entries=published.entries)


async def queue_build(session: AsyncSession) -> None:
    """Add a job that builds the index once this transaction has changed the lists."""
    await jobs.add(session, build_index, coalesce_key="aml.build_index")


@recurring("aml.keep_index", every=60.0, timeout=60)
async def build_index_if_due(context: JobContext) -> None:
    """Build the index if a list changed or this release reads another file format."""
    if await building.is_due(context.services.database):
        async with context.services.database.transaction() as session:
            await queue_build(session)


@recurring("aml.forget_indexes", every=24 * HOUR, timeout=HOUR)
async def delete_old_indexes(context: JobContext) -> None:
    """Delete the files of indexes that no process fetches any more."""
    services = context.services
    async with services.database.transaction() as session:
        keys = await building.delete_old(session)
    await asyncio.to_thread(sweep, folder_of(services.settings))
    try:
        for key in keys:
            await services.storage.delete(key)
    except StorageUnavailable as fault:
        raise Later(f"storage: {fault}") from None
