"""PATCH /v1/verifications/{id}/status: a reviewer's decision."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.verification import VerificationStatus
from acredita.ports import Secrets
from acredita.resources.verifications import pipeline
from acredita.resources.verifications.queries import lock_owned
from acredita.resources.verifications.schemas import ChangedVerification, StatusChange


async def override(
    session: AsyncSession,
    services: Secrets,
    caller: Caller,
    verification_id: UUID,
    change: StatusChange,
) -> ChangedVerification:
    """Apply a reviewer's decision. Raise NotFound.

    The row lock serializes it with the automation's changes.
    """
    verification = await lock_owned(session, caller, verification_id)
    await pipeline.override(
        session,
        services,
        caller,
        verification,
        VerificationStatus(change.status),
        notes=change.notes,
    )
    await session.flush()
    await session.refresh(verification, ["updated_at"])
    return ChangedVerification(
        id=verification.id,
        status=VerificationStatus(verification.status),
        updated_at=verification.updated_at,
    )
