from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.api.errors import NotFound
from acredita.domain.verification import DocumentRole
from acredita.models import Document, LivenessChallenge, Verification


async def owner_of(connection: AsyncConnection, verification_id: UUID) -> UUID:
    """The organization whose verification it is. Raise NotFound, also for one that was purged."""
    query = select(Verification.organization_id).where(
        Verification.id == verification_id, Verification.purged_at.is_(None)
    )
    organization_id = (await connection.scalars(query)).one_or_none()
    if organization_id is None:
        raise NotFound
    return organization_id


async def count_challenges(session: AsyncSession, verification_id: UUID) -> int:
    query = select(func.count()).where(LivenessChallenge.verification_id == verification_id)
    return (await session.scalars(query)).one()


async def close_challenges(session: AsyncSession, verification_id: UUID) -> None:
    """What was started before is void from now on."""
    await session.execute(
        update(LivenessChallenge)
        .where(
            LivenessChallenge.verification_id == verification_id,
            LivenessChallenge.submitted_at.is_(None),
            LivenessChallenge.expires_at > func.now(),
        )
        .values(expires_at=func.now())
    )


async def open_challenge(
    session: AsyncSession, verification_id: UUID, challenge_id: UUID
) -> LivenessChallenge | None:
    """The challenge while it can be answered, its row locked."""
    query = (
        select(LivenessChallenge)
        .where(
            LivenessChallenge.id == challenge_id,
            LivenessChallenge.verification_id == verification_id,
            LivenessChallenge.submitted_at.is_(None),
            LivenessChallenge.expires_at > func.now(),
        )
        .with_for_update()
    )
    return (await session.scalars(query)).one_or_none()


async def is_any_known(session: AsyncSession, organization_id: UUID, digests: list[bytes]) -> bool:
    """Whether one of these frames was sent to the organization before."""
    query = select(LivenessChallenge.id).where(
        LivenessChallenge.organization_id == organization_id,
        LivenessChallenge.frame_digests.overlap(digests),
    )
    return (await session.scalars(query.limit(1))).first() is not None


async def has_selfie(session: AsyncSession, verification_id: UUID) -> bool:
    query = select(Document.id).where(
        Document.verification_id == verification_id, Document.type == DocumentRole.SELFIE
    )
    return (await session.scalars(query.limit(1))).first() is not None
