from dataclasses import dataclass
from uuid import UUID

from asyncpg import Record
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.errors import NotFound
from acredita.domain.verification import DocumentRole
from acredita.kit.statement_pool import Reads
from acredita.models import Document, EventTurn, LivenessChallenge
from acredita.models.tenancy import owned

# One snapshot of a verification. A step is (id, type, status, code, config, retakes, asked_again,
# finished_at). A document is (type, created_at); documents are in the order of upload. A hand-over
# is (expires_at, first_opened_at).
STATUS_COLUMNS = """
    verification.id, verification.status, verification.expires_at, workflow_id,
    has_session OR has_link AS is_in_browser, organization.name,
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
    ) AS documents,
    (
        SELECT ROW(expires_at, first_opened_at)
        FROM capture_link
        WHERE verification_id = verification.id AND purpose = 'hand_over' AND revoked_at IS NULL
            AND (first_opened_at IS NOT NULL OR expires_at > now())
        ORDER BY id DESC LIMIT 1
    ) AS hand_over
"""
FROM = """
    FROM verification JOIN organization ON organization.id = verification.organization_id
    WHERE verification.id = $1 AND purged_at IS NULL
"""
STATUS = f"SELECT {STATUS_COLUMNS} {FROM}"
OWNER = f"""
    SELECT verification.organization_id, allowed_origins, has_link,
        $2::uuid IS NULL OR EXISTS (
            SELECT FROM capture_link
            WHERE capture_link.id = $2 AND verification_id = $1 AND revoked_at IS NULL
        ) AS is_link_valid
    {FROM}
"""  # noqa: S608 (constants)
# The events for the person's browser: without those of watchlist monitors and of callbacks, and one
# for each finished step.
PUBLIC_EVENTS = f"""
    verification_id = $1 AND NOT callback_only
    AND (kind LIKE 'verification.%' OR kind LIKE 'step.%')
    AND turn IS DISTINCT FROM '{EventTurn.FURTHER_STEP}'
"""
# Each event is sent with the current status, so older events add no information.
MOST_EVENTS = 50
# STATUS, the events after a given event, oldest first, as (id, kind), and the newest event. The
# order is by the database's clock, because several processes with clocks of their own make the ids.
# Events are recorded under the verification's lock, so they become visible in order.
STATUS_AND_EVENTS = f"""
    SELECT {STATUS_COLUMNS},
        ARRAY(
            SELECT ROW(id, kind) FROM (
                SELECT id, kind, created_at FROM event
                WHERE {PUBLIC_EVENTS} AND (created_at, id) > (
                    SELECT created_at, id FROM event WHERE verification_id = $1 AND id = $2
                )
                ORDER BY created_at DESC, id DESC LIMIT {MOST_EVENTS}
            ) AS newest ORDER BY created_at, id
        ) AS events,
        ARRAY(
            SELECT ROW(id, kind) FROM event
            WHERE {PUBLIC_EVENTS} ORDER BY created_at DESC, id DESC LIMIT 1
        ) AS newest_event
    {FROM}
"""  # noqa: S608 (constants)


@dataclass(frozen=True, slots=True)
class Owner:
    organization_id: UUID
    allowed_origins: list[str]
    # Whether the verification's id alone opens nothing.
    requires_token: bool
    # Whether the link that opened the caller's session is not revoked; True without such a link.
    is_link_valid: bool


async def get_owner(reads: Reads, verification_id: UUID, link_id: UUID | None) -> Owner:
    """Return the verification's organization. Raise NotFound, also if it was purged."""
    row = await reads.row(OWNER, verification_id, link_id)
    if row is None:
        raise NotFound
    return Owner(
        UUID(str(row["organization_id"])),
        row["allowed_origins"],
        row["has_link"],
        row["is_link_valid"],
    )


async def allowed_origins(reads: Reads, organization_id: UUID) -> list[str] | None:
    """Return the allowed origins; None for an unknown organization."""
    row = await reads.row("SELECT allowed_origins FROM organization WHERE id = $1", organization_id)
    return None if row is None else row["allowed_origins"]


async def get_status(reads: Reads, verification_id: UUID) -> Record:
    """Return a row of STATUS. Raise NotFound."""
    row = await reads.row(STATUS, verification_id)
    if row is None:
        raise NotFound
    return row


async def get_status_and_events(reads: Reads, verification_id: UUID, after: UUID | None) -> Record:
    """Return a row of STATUS_AND_EVENTS, without events if `after` is unknown. Raise NotFound."""
    row = await reads.row(STATUS_AND_EVENTS, verification_id, after)
    if row is None:
        raise NotFound
    return row


async def upload_rules(reads: Reads, verification_id: UUID) -> tuple[int, bool]:
    """Return the number of documents so far, and whether the workflow allows files."""
    row = await reads.row(
        """
        SELECT (SELECT count(*) FROM document WHERE verification_id = $1), allow_files
        FROM verification JOIN workflow ON workflow.id = workflow_id WHERE verification.id = $1
        """,
        verification_id,
    )
    if row is None:
        raise NotFound
    return int(row[0]), row[1]


async def count_challenges(session: AsyncSession, verification_id: UUID) -> int:
    query = select(func.count()).where(LivenessChallenge.verification_id == verification_id)
    return (await session.scalars(query)).one()


async def close_challenges(session: AsyncSession, verification_id: UUID) -> None:
    """Expire the open challenges of a verification."""
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
    """Lock and return the challenge, or None if it no longer accepts frames."""
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


async def has_received_any(
    session: AsyncSession, organization_id: UUID, digests: list[bytes]
) -> bool:
    """Whether the organization has already received a frame with one of these digests."""
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
