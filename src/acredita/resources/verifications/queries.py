from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from asyncpg import Record
from sqlalchemy import DateTime, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.domain.steps import kind_of
from acredita.domain.verification import DOCUMENT_ROLES, OPEN, DocumentRole, StepStatus, StepType
from acredita.domain.workflow import settled_roles
from acredita.jobs import Lane
from acredita.kit.statement_pool import Reads
from acredita.models import Document, Verification, VerificationInStatus, VerificationStep
from acredita.models.tenancy import fetch, owned

# In one statement, because callers poll it. A step is (id, type, status, config, asked_again,
# result_sealed, evidence_sealed, code). A document is (id, type, mime_type, file_size, created_at,
# media, source), with media as (id, kind) for each image derived from it. `link` is the newest link
# for the person.
VERIFICATION = """
    SELECT id, status, workflow_id, external_id, metadata, created_at, updated_at,
        decision,
        ARRAY(
            SELECT ROW(id, type, status, config, asked_again, result_sealed, evidence_sealed, code)
            FROM verification_step WHERE verification_id = verification.id ORDER BY position
        ) AS steps,
        ARRAY(
            SELECT ROW(id, type, mime_type, file_size, created_at, ARRAY(
                SELECT ROW(id, kind) FROM media WHERE document_id = document.id
                ORDER BY position, kind
            ), source)
            FROM document WHERE verification_id = verification.id ORDER BY created_at, position
        ) AS documents,
        (
            SELECT ROW(expires_at, revoked_at, first_opened_at, last_opened_at, openings)
            FROM capture_link
            WHERE verification_id = verification.id AND purpose = 'capture'
            ORDER BY id DESC LIMIT 1
        ) AS link
    FROM verification WHERE organization_id = $1 AND id = $2
"""


async def get_verification(reads: Reads, caller: Caller, verification_id: UUID) -> Record:
    """Return a row of VERIFICATION. Raise NotFound."""
    row = await reads.row(VERIFICATION, caller.organization_id, verification_id)
    if row is None:
        raise NotFound
    return row


def lane_of(verification: Verification) -> Lane:
    """Return whose jobs those of the verification are: a person waits in a browser, or not."""
    return Lane.BROWSER if verification.is_in_browser else Lane.SERVER


async def lock(session: AsyncSession, verification_id: UUID) -> Verification | None:
    """Return the verification, locked until the transaction ends. The lock makes sure that it is
    decided once, after all steps.
    """
    query = (
        select(Verification)
        .where(Verification.id == verification_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return (await session.scalars(query)).one_or_none()


async def lock_owned(session: AsyncSession, caller: Caller, verification_id: UUID) -> Verification:
    """Return the caller's verification, locked until the transaction ends. Raise NotFound."""
    query = (
        owned(Verification, caller.organization_id)
        .where(Verification.id == verification_id)
        .with_for_update()
    )
    return await fetch(session, query)


async def list_steps(session: AsyncSession, verification_id: UUID) -> Sequence[VerificationStep]:
    query = (
        select(VerificationStep)
        .where(VerificationStep.verification_id == verification_id)
        .order_by(VerificationStep.position)
    )
    return (await session.scalars(query)).all()


async def step_for_challenge(
    session: AsyncSession, verification_id: UUID
) -> VerificationStep | None:
    """Return the unfinished step that a liveness challenge can answer."""
    steps = await list_steps(session, verification_id)
    return next(
        (
            step
            for step in steps
            if kind_of(StepType(step.type)).asks_challenge is not None
            and not StepStatus(step.status).is_final
        ),
        None,
    )


async def current_files(
    session: AsyncSession, verification_id: UUID
) -> dict[DocumentRole, list[Document]]:
    """Return the valid files of each role: all files of the newest request with that role.

    A later request replaces the files of an earlier one (DECISIONS), unless a finished step has
    judged them (domain.workflow.settled_roles).
    """
    query = (
        select(Document)
        .where(Document.verification_id == verification_id)
        .order_by(Document.created_at, Document.position)
    )
    documents = (await session.scalars(query)).all()
    settled = await judged_roles(session, verification_id)
    files: dict[DocumentRole, list[Document]] = {}
    for row in documents:
        role = DocumentRole(row.type)
        if role in settled and row.created_at > settled[role]:
            continue
        known = files.setdefault(role, [])
        if known and known[0].created_at < row.created_at:
            known.clear()
        known.append(row)
    return files


async def current_documents(
    session: AsyncSession, verification_id: UUID
) -> dict[DocumentRole, Document]:
    """Return the last valid file of each role."""
    files = await current_files(session, verification_id)
    return {role: rows[-1] for role, rows in files.items()}


async def documents_since(
    session: AsyncSession, verification_id: UUID, since: datetime
) -> Sequence[Document]:
    """Return the files in document roles that were uploaded after a time."""
    query = (
        select(Document)
        .where(
            Document.verification_id == verification_id,
            Document.type.in_([role.value for role in DOCUMENT_ROLES]),
            Document.created_at > since,
        )
        .order_by(Document.created_at, Document.position)
    )
    return (await session.scalars(query)).all()


async def judged_roles(
    session: AsyncSession, verification_id: UUID
) -> dict[DocumentRole, datetime]:
    """Return the roles that finished steps have judged, with the time after which uploads in that
    role are ignored.
    """
    finished = select(VerificationStep.type, VerificationStep.finished_at).where(
        VerificationStep.verification_id == verification_id,
        VerificationStep.status.in_([StepStatus.PASSED, StepStatus.REVIEW]),
    )
    arrived = select(Document.type, Document.created_at).where(
        Document.verification_id == verification_id
    )
    ended = [(StepType(name), moment) for name, moment in await session.execute(finished) if moment]
    if not ended:
        return {}
    uploads = await session.execute(arrived)
    return settled_roles(ended, [(DocumentRole(role), moment) for role, moment in uploads])


def upload_times(documents: Mapping[DocumentRole, Document]) -> dict[DocumentRole, datetime]:
    return {role: document.created_at for role, document in documents.items()}


async def current_time(session: AsyncSession) -> datetime:
    """Return the database's time. Under a lock it is later than all earlier changes; now() is the
    transaction's start and may be earlier.
    """
    query = select(func.clock_timestamp(type_=DateTime(timezone=True)))
    return (await session.scalars(query)).one()


async def lock_expired(session: AsyncSession, *, limit: int) -> Sequence[Verification]:
    """Lock and return unfinished verifications past their expiry, except those already locked."""
    query = (
        select(Verification)
        .join(VerificationInStatus, VerificationInStatus.verification_id == Verification.id)
        .where(
            # A literal, because a generic plan cannot use the partial index with a parameter.
            text("verification_in_status.status IN ('PENDING', 'IN_PROGRESS')"),
            VerificationInStatus.expires_at <= func.now(),
            # The lock waits for nobody, but it reads this row again.
            Verification.status.in_([status.value for status in OPEN]),
        )
        .order_by(VerificationInStatus.expires_at)
        .limit(limit)
        .with_for_update(of=Verification, skip_locked=True)
    )
    return (await session.scalars(query)).all()
