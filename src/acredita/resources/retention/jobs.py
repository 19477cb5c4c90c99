"""Daily jobs: purge expired verifications and delete files without a row."""

from functools import partial

import structlog
from sqlalchemy import select

from acredita.jobs import JobContext, Later, recurring
from acredita.kit.logging import describe
from acredita.kit.storage import StorageUnavailable
from acredita.models import Organization
from acredita.resources.aml.screening import records as screenings
from acredita.resources.credit import purge as credit_checks
from acredita.resources.esignature import purge as signatures
from acredita.resources.ground_truth import purge as ground_truth
from acredita.resources.organizations.retention import BATCH
from acredita.resources.retention import orphans
from acredita.resources.retention.purge import purge_some

log = structlog.get_logger()

DAY = 86_400.0
HOURS = 3_600.0


@recurring("retention.purge", every=DAY, timeout=6 * HOURS)
async def purge(context: JobContext) -> None:
    services = context.services
    now = services.clock.now()
    async with services.database.reading() as connection:
        organization_ids = (await connection.scalars(select(Organization.id))).all()
    purge_screenings = partial(screenings.purge_some, years=services.settings.aml_screening_years)
    failed = 0
    for organization_id in organization_ids:
        try:
            for purge_batch in (
                purge_some,
                signatures.purge_some,
                credit_checks.purge_some,
                ground_truth.purge_some,
                purge_screenings,
            ):
                purged = BATCH
                while purged == BATCH:
                    async with services.database.transaction() as session:
                        purged = await purge_batch(session, organization_id, now)
        except Exception as fault:
            # A failure in one organization must not delay the purge of others.
            failed += 1
            log.warning("a purge failed", organization_id=organization_id, error=describe(fault))
    if failed:
        raise Later(f"{failed} organizations are not purged yet")


@recurring("retention.sweep_files", every=DAY, timeout=6 * HOURS)
async def sweep_files(context: JobContext) -> None:
    now = context.services.clock.now()
    after: str | None = ""
    swept = 0
    try:
        while after is not None:
            deleted, after = await orphans.sweep_some(
                context.services.database, context.services.storage, after, now
            )
            swept += deleted
    except StorageUnavailable as fault:
        raise Later(f"storage: {fault}") from None
    if swept:
        log.info("files without rows are deleted", count=swept)
