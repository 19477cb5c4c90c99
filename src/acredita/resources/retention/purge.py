"""Purges verifications when their organization's retention period ends, and leaves a tombstone.

The tombstone keeps the status, the timestamps, the decision's codes, the steps with their codes,
and the audit log. The purge deletes the rest: the caller's values (external id, metadata, callback:
they often name its customers), the caller's address, results, evidence, readings, notes, form
answers, consents, links for the person, search entries, events with their deliveries, and the
files. The files' keys are deleted with their rows, so no file is readable after the commit; jobs of
the same commit delete the files themselves.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    SQLColumnExpression,
    case,
    delete,
    func,
    null,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import VerificationHeld
from acredita.domain.retention import RetentionStart
from acredita.domain.verification import OPEN
from acredita.models import (
    Document,
    HistoryEntry,
    Media,
    Verification,
    VerificationStep,
)
from acredita.models.tenancy import owned
from acredita.resources.aml.monitors import records
from acredita.resources.aml.screening import records as screenings
from acredita.resources.audit import service as audit
from acredita.resources.capture_links import service as capture_links
from acredita.resources.files.deletion import queue_deletion
from acredita.resources.forms import service as forms
from acredita.resources.organizations.retention import BATCH, period_of
from acredita.resources.sdk import consents
from acredita.resources.verifications import pipeline, search
from acredita.resources.verifications.queries import lock_owned
from acredita.resources.webhooks import ageing


async def purge_some(session: AsyncSession, organization_id: UUID, now: datetime) -> int:
    """Purge up to BATCH due verifications; return how many. Fewer than BATCH: none is left.

    Skips those that another transaction has locked, until the next run.
    """
    due = await _due(session, organization_id, now)
    if due:
        await _purge(session, audit.Actor(organization_id), due, now)
    return len(due)


async def delete_now(
    session: AsyncSession, caller: Caller, verification_id: UUID, now: datetime
) -> None:
    """Purge one verification of any age at the request of its organization.

    An open one expires first. Raise NotFound, VerificationHeld.
    """
    verification = await lock_owned(session, caller, verification_id)
    if verification.held_at is not None:
        raise VerificationHeld
    if pipeline.is_open(verification):
        await pipeline.expire(session, verification)
        await session.flush()
    await _purge(session, caller, [verification_id], now)


async def _purge(
    session: AsyncSession, actor: audit.Actor | Caller, due: Sequence[UUID], now: datetime
) -> None:
    await _let_files_be_deleted(session, actor.organization_id, due)
    await ageing.delete_events(session, due)
    await session.execute(delete(Document).where(Document.verification_id.in_(due)))
    await search.delete_entries(session, due)
    await records.delete_monitors(session, due)
    await screenings.delete_records(session, due)
    await forms.forget(session, due)
    await consents.delete_all(session, due)
    await capture_links.delete_all(session, due)
    await _leave_tombstones(session, due, now)
    for verification_id in due:
        audit.record(session, actor, Action.VERIFICATION_PURGED, verification_id)


async def _due(session: AsyncSession, organization_id: UUID, now: datetime) -> Sequence[UUID]:
    period = await period_of(session, organization_id, now)
    if period is None:
        return []
    started: SQLColumnExpression[datetime] = Verification.created_at
    if period.start is RetentionStart.RELATIONSHIP_END:
        # Without an end it is null, and the comparison selects nothing: the relationship goes on.
        # An end before the creation is a mistake, and shortens nothing.
        started = case(
            (
                Verification.relationship_ended_at.is_not(None),
                func.greatest(Verification.created_at, Verification.relationship_ended_at),
            )
        )
    query = (
        owned(Verification, organization_id)
        .with_only_columns(Verification.id)
        .where(
            started < period.before,
            # It implies the former, and is in the index.
            Verification.created_at < period.before,
            or_(Verification.purged_at.is_(None), Verification.notes_sealed.is_not(None)),
            Verification.held_at.is_(None),
            # An open one must expire first.
            Verification.status.not_in([status.value for status in OPEN]),
        )
        .order_by(Verification.created_at)
        .limit(BATCH)
        .with_for_update(skip_locked=True)
    )
    due = list(await session.scalars(query))
    return due + await _noted_since(session, organization_id, limit=BATCH - len(due))


async def _noted_since(session: AsyncSession, organization_id: UUID, *, limit: int) -> list[UUID]:
    """Return tombstones with notes: a reviewer may decide and note at any time."""
    query = (
        owned(Verification, organization_id)
        .with_only_columns(Verification.id)
        .where(
            Verification.id.in_(
                owned(HistoryEntry, organization_id)
                .with_only_columns(HistoryEntry.verification_id)
                .where(HistoryEntry.note_sealed.is_not(None))
            ),
            Verification.purged_at.is_not(None),
            Verification.notes_sealed.is_(None),
            Verification.held_at.is_(None),
        )
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return list(await session.scalars(query))


async def _let_files_be_deleted(
    session: AsyncSession, organization_id: UUID, verification_ids: Sequence[UUID]
) -> None:
    uploaded = select(Document.storage_key).where(Document.verification_id.in_(verification_ids))
    derived = (
        select(Media.storage_key)
        .join(Document, Document.id == Media.document_id)
        .where(Document.verification_id.in_(verification_ids))
    )
    keys = (await session.scalars(union_all(uploaded, derived))).all()
    await queue_deletion(session, organization_id, keys)


async def _leave_tombstones(
    session: AsyncSession, verification_ids: Sequence[UUID], now: datetime
) -> None:
    await session.execute(
        update(HistoryEntry)
        .where(
            HistoryEntry.verification_id.in_(verification_ids),
            HistoryEntry.note_sealed.is_not(None),
        )
        .values(note_sealed=None)
    )
    await session.execute(
        update(VerificationStep)
        .where(VerificationStep.verification_id.in_(verification_ids))
        .values(result_sealed=None, evidence_sealed=None)
    )
    await session.execute(
        update(Verification)
        .where(Verification.id.in_(verification_ids))
        .values(
            external_id=None,
            # SQL's NULL; None would be JSON's null.
            verification_metadata=null(),
            callback_url=None,
            callback_secret_sealed=None,
            ip_address=None,
            user_agent_sealed=None,
            subject_sealed=None,
            notes_sealed=None,
            purged_at=func.coalesce(Verification.purged_at, now),
        )
    )
