"""Fetch the lists once a day."""

import structlog

from acredita import jobs
from acredita.jobs import JobContext, Later, Queue, job, recurring
from acredita.providers.watchlists.download import DownloadFailed
from acredita.providers.watchlists.protocol import ListFault
from acredita.resources.aml.lists import refreshing, sandbox

log = structlog.get_logger()

HOUR = 3_600.0


@recurring("aml.refresh_lists", every=24 * HOUR, timeout=600)
async def refresh_lists(context: JobContext) -> None:
    """Fetch every list in the settings. Install the sandbox list in a fresh installation."""
    services = context.services
    await sandbox.install(services)
    async with services.database.transaction() as session:
        for list_id in services.settings.aml_sources:
            await jobs.add(
                session, refresh_list, {"list_id": list_id}, coalesce_key=f"aml.refresh:{list_id}"
            )


# The time is for a million rows on a machine that does much else: to end a run loses its work.
@job("aml.refresh_list", queue=Queue.LIGHT, timeout=6 * HOUR, max_attempts=12)
async def refresh_list(context: JobContext, list_id: str) -> None:
    """Download and load one list. Retry if the publisher is unreachable."""
    services = context.services
    try:
        change = await refreshing.refresh(
            services, refreshing.source_of(services.settings, list_id)
        )
    except DownloadFailed as fault:
        raise Later(f"{list_id}: {fault}") from None
    except ListFault as fault:
        # A retry would get the same invalid file. Tomorrow's refresh may get a valid one.
        log.warning("aml.list_refused", kind=list_id, reason=str(fault))
        return
    if change is not None:
        log.info("aml.list_changed", kind=list_id, version=change.version, entries=change.entries)
