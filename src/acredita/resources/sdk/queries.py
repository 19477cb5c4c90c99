from dataclasses import dataclass
from uuid import UUID

from asyncpg import Record
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.errors import NotFound
from acredita.domain.verification import DocumentRole
from acredita.kit.reads import Reads
from acredita.models import Document, LivenessChallenge
from acredita.models.tenancy import owned

# Of each verification, as of one moment. A step is (id, type, status, code, config, retakes,
# asked_again, finished_at), a document (type, created_at), in the order of arrival.
SEEN = """
    verification.id, verification.status, verification.expires_at, workflow_id, has_session,
    organization.name,
    EXISTS (SELECT FROM consent WHERE verification_id = verification.id) AS has_consented,
    (SELECT count(*) FROM liveness_challenge
     WHERE verification_id = verification.id) AS challenges,
    ARRAY(
        SELECT ROW(id, type, status, code, config, retakes, asked_again, finished_at)
        FROM verification_step WHERE verification_id = verification.id ORDER BY position
    ) AS steps,
    ARRAY(
        SELECT ROW(type, created_at)
        FROM document WHERE verification_id = verification.id ORDER BY created_at, position
    ) AS documents
"""
FROM = """
    FROM verification JOIN organization ON organization.id = verification.organization_id
    WHERE verification.id = $1 AND purged_at IS NULL
"""
STATUS = f"SELECT {SEEN} {FROM}"
OWNER = f"SELECT organization_id, allowed_origins {FROM}"
# What its person is told of: not what monitoring finds in lists, nor what only a callback hears.
TOLD = """
    verification_id = $1 AND NOT callback_only
    AND (kind LIKE 'verification.%' OR kind LIKE 'step.%')
"""
# Each is told with the present state: of more than these, the older ones say nothing more.
MOST_EVENTS = 50
# The same and what happened since an event, oldest first, each as (id, kind); and what was newest.
# By the database's clock: ids are made by those of several processes. Each event is recorded under
# its verification's lock, so none becomes visible after a later one.
STATUS_AND_EVENTS = f"""
    SELECT {SEEN},
        ARRAY(
            SELECT ROW(id, kind) FROM (
                SELECT id, kind, created_at FROM event
                WHERE {TOLD} AND (created_at, id) > (
                    SELECT created_at, id FROM event WHERE verification_id = $1 AND id = $2
                )
                ORDER BY created_at DESC, id DESC LIMIT {MOST_EVENTS}
            ) AS newest ORDER BY created_at, id
        ) AS events,
        ARRAY(
            SELECT ROW(id, kind) FROM event
            WHERE {TOLD} ORDER BY created_at DESC, id DESC LIMIT 1
        ) AS newest_event
    {FROM}
"""  # noqa: S608 (constants)


@dataclass(frozen=True, slots=True)
class Owner:
    organization_id: UUID
    allowed_origins: list[str]


async def owner_of(reads: Reads, verification_id: UUID) -> Owner:
    """The organization whose verification it is. Raise NotFound, also for one that was purged."""
    row = await reads.row(OWNER, verification_id)
    if row is None:
        raise NotFound
    return Owner(UUID(str(row["organization_id"])), row["allowed_origins"])


async def allowed_origins(reads: Reads, organization_id: UUID) -> list[str] | None:
    """None: there is no such organization."""
    row = await reads.row("SELECT allowed_origins FROM organization WHERE id = $1", organization_id)
    return None if row is None else row["allowed_origins"]


async def status_of(reads: Reads, verification_id: UUID) -> Record:
    """Raise NotFound."""
    row = await reads.row(STATUS, verification_id)
    if row is None:
        raise NotFound
    return row


async def status_and_events(reads: Reads, verification_id: UUID, after: UUID | None) -> Record:
    """After an unknown event come none. Raise NotFound."""
    row = await reads.row(STATUS_AND_EVENTS, verification_id, after)
    if row is None:
        raise NotFound
    return row


async def count_documents(reads: Reads, verification_id: UUID) -> int:
    row = await reads.row(
        "SELECT count(*) FROM document WHERE verification_id = $1", verification_id
    )
    return int(row[0]) if row is not None else 0


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
    query = (
        owned(LivenessChallenge, organization_id)
        .with_only_columns(LivenessChallenge.id)
        .where(
            LivenessChallenge.frame_digests.overlap(digests),
        )
    )
    return (await session.scalars(query.limit(1))).first() is not None


async def has_selfie(session: AsyncSession, verification_id: UUID) -> bool:
    query = select(Document.id).where(
        Document.verification_id == verification_id, Document.type == DocumentRole.SELFIE
    )
    return (await session.scalars(query.limit(1))).first() is not None
