"""Continue a verification when the person has done what one of its steps waits for: a code is
confirmed, a form answered, a document signed.
"""

from uuid import UUID

from sqlalchemy import exists
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.verification import StepStatus, StepType
from acredita.models import Verification, VerificationStep
from acredita.models.tenancy import owned


async def announce(
    session: AsyncSession, organization_id: UUID, verification_id: UUID, step_type: StepType
) -> None:
    """Add the job that looks at the act, if the verification has an unfinished step of the type.

    The act is in the caller's transaction, so the job sees it.
    """
    ended = [status.value for status in StepStatus if status.is_final]
    unfinished = exists().where(
        VerificationStep.verification_id == Verification.id,
        VerificationStep.type == step_type,
        VerificationStep.status.not_in(ended),
    )
    waiting = (
        owned(Verification, organization_id)
        .with_only_columns(Verification.id)
        .where(Verification.id == verification_id, unfinished)
    )
    if await session.scalar(waiting) is None:
        return
    await jobs.add(
        session,
        # By name, because an import would be a cycle: the verifications import this.
        jobs.definition("verification.resume"),
        {"verification_id": verification_id},
        coalesce_key=f"act:{verification_id}",
        organization_id=organization_id,
    )
