"""NOM-151: request a certificate of conservation for each signed PDF from a provider."""

import base64
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.events import EventKind
from acredita.jobs import JobContext, Later, LeasedJob, Queue, job
from acredita.kit.clock import timestamp
from acredita.models import EventTurn, SignaturePackage, Verification
from acredita.ports import JobEnding
from acredita.providers.conservation import Constancia
from acredita.resources.esignature import queries
from acredita.resources.verifications import event_recording
from acredita.resources.verifications.queries import lock as lock_verification

NONE, PENDING, ISSUED, FAILED = "NONE", "PENDING", "ISSUED", "FAILED"


def state(status: str, constancia: Constancia | None = None) -> dict[str, Any]:
    """The `conservation` object of the signature record."""
    if constancia is None:
        return {"status": status, "provider": None, "issuedAt": None, "token": None}
    return {
        "status": status,
        "provider": constancia.issuer,
        "issuedAt": timestamp(constancia.issued_at),
        "token": base64.b64encode(constancia.token).decode(),
    }


async def give_up(session: AsyncSession, services: JobEnding, job: LeasedJob) -> None:  # noqa: ARG001
    row = await queries.find(session, UUID(job.payload["package_id"]), lock=True)
    if row is not None:
        _set(row, state(FAILED))


@job("esignature.conserve", queue=Queue.LIGHT, timeout=60, max_attempts=20, on_dead=give_up)
async def conserve(context: JobContext, package_id: UUID) -> None:
    """Request the certificate of conservation of a signed package. Retry if that fails."""
    provider = context.services.conservation
    async with context.services.database.transaction() as session:
        row = await queries.find(session, package_id)
    if row is None or row.outcome is None or row.outcome["conservation"]["status"] != PENDING:
        return
    if provider is None:
        raise Later("the conservation provider is no longer configured")
    constancia = await provider.conserve(bytes.fromhex(row.outcome["pdf"]["sha256"]))
    async with context.finish() as session:
        # The lock of the verification comes first, as for every event.
        verification = await lock_verification(session, row.verification_id)
        locked = await queries.find(session, package_id, lock=True)
        if locked is not None:
            _set(locked, state(ISSUED, constancia))
            if verification is not None and verification.purged_at is None:
                await _record(session, verification, locked)


async def _record(session: AsyncSession, verification: Verification, row: SignaturePackage) -> None:
    await event_recording.record(
        session,
        verification,
        EventKind.VERIFICATION_UPDATED,
        {"verificationId": str(verification.id), "changes": [], "packageId": str(row.id)},
        turn=EventTurn.SIGNED,
    )


def _set(row: SignaturePackage, conservation: dict[str, Any]) -> None:
    row.outcome = {**(row.outcome or {}), "conservation": conservation}
