"""Pairs of selfie and document, known to show the same person or two people."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita import jobs
from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.kit import ids
from acredita.kit.crypto import KeyRing
from acredita.kit.uploads import UploadedFile
from acredita.models import SelfieTruth, TrialStatus
from acredita.models.tenancy import belongs_to, owned
from acredita.ports import Intake
from acredita.resources.audit import service as audit
from acredita.resources.groundtruth import samples
from acredita.resources.groundtruth.jobs import match_selfie
from acredita.resources.groundtruth.schemas import (
    FaceMatchShape,
    SelfieTruthChange,
    SelfieTruthShape,
    SelfieTruthWrite,
)


async def add(
    services: Intake,
    caller: Caller,
    selfie: UploadedFile,
    document: UploadedFile,
    given: SelfieTruthWrite,
) -> SelfieTruth:
    """Store a pair and add the job that compares it. Raise as `samples.stored` does."""
    async with samples.stored(services, caller, [selfie, document]) as files:
        truth_id = ids.sortable()
        truth = SelfieTruth(
            id=truth_id,
            organization_id=caller.organization_id,
            selfie_file_id=files[0].id,
            document_file_id=files[1].id,
            is_same_person=given.is_same_person,
            notes_sealed=SelfieTruth.notes.seal(services.keys, truth_id, given.notes or None),
            status=TrialStatus.PENDING.value,
        )
        async with services.database.transaction() as session:
            session.add_all(files)
            await session.flush()
            session.add(truth)
            await session.flush()
            audit.record(session, caller, Action.SELFIE_TRUTH_ADDED, truth_id)
            await _have_matched(session, truth)
            await session.refresh(truth)
    return truth


def conditions(
    caller: Caller, status: TrialStatus | None, *, is_same_person: bool | None
) -> list[ColumnElement[bool]]:
    """Return the conditions for pairs of the caller's organization; None means any."""
    wanted = [belongs_to(SelfieTruth, caller.organization_id)]
    if status is not None:
        wanted.append(SelfieTruth.status == status.value)
    if is_same_person is not None:
        wanted.append(SelfieTruth.is_same_person.is_(is_same_person))
    return wanted


async def page(
    connection: AsyncConnection, wanted: list[ColumnElement[bool]], *, limit: int, offset: int
) -> tuple[int, Sequence[Row[Any]]]:
    """Return the total number and the rows of the page, newest first."""
    total = await connection.scalar(select(func.count()).select_from(SelfieTruth).where(*wanted))
    query = (
        select(SelfieTruth.__table__)
        .where(*wanted)
        .order_by(SelfieTruth.created_at.desc(), SelfieTruth.id)
        .limit(limit)
        .offset(offset)
    )
    return total or 0, (await connection.execute(query)).all()


async def get(session: AsyncSession, caller: Caller, truth_id: UUID) -> SelfieTruth:
    """Raise NotFound."""
    return await _one(session, _of(caller, truth_id))


async def change(
    session: AsyncSession, keys: KeyRing, caller: Caller, truth_id: UUID, given: SelfieTruthChange
) -> SelfieTruth:
    """Raise NotFound."""
    truth = await _one(session, _of(caller, truth_id).with_for_update())
    if "is_same_person" in given.model_fields_set:
        truth.is_same_person = given.is_same_person
    if "notes" in given.model_fields_set:
        truth.notes.seal(keys, given.notes or None)
    truth.updated_at = func.now()
    changed = sorted(given.model_fields_set)
    audit.record(session, caller, Action.SELFIE_TRUTH_CHANGED, truth.id, fields=changed)
    await session.flush()
    await session.refresh(truth)
    return truth


async def remove(session: AsyncSession, caller: Caller, truth_id: UUID) -> None:
    """Raise NotFound."""
    truth = await _one(session, _of(caller, truth_id).with_for_update())
    file_ids = [truth.selfie_file_id, truth.document_file_id]
    await session.delete(truth)
    await session.flush()
    await samples.forget_files(session, caller.organization_id, file_ids)
    audit.record(session, caller, Action.SELFIE_TRUTH_REMOVED, truth_id)


async def match_again(session: AsyncSession, caller: Caller, truth_id: UUID) -> SelfieTruth:
    """Add a job that compares it again; the previous result stays. Raise NotFound."""
    truth = await _one(session, _of(caller, truth_id).with_for_update())
    truth.status = TrialStatus.PENDING.value
    audit.record(session, caller, Action.SELFIE_TRUTH_MATCHED_AGAIN, truth.id)
    await _have_matched(session, truth)
    return truth


async def view(session: AsyncSession, caller: Caller, truth_id: UUID, *, selfie: bool) -> UUID:
    """Return the id of a file, and record in the audit log that it is viewed. Raise NotFound."""
    truth = await get(session, caller, truth_id)
    audit.record(session, caller, Action.SELFIE_TRUTH_VIEWED, truth.id)
    return truth.selfie_file_id if selfie else truth.document_file_id


def shapes(keys: KeyRing, rows: Sequence[Any]) -> list[SelfieTruthShape]:
    """Convert a page of rows. It unseals and blocks: run it in a thread."""
    return [shape(keys, row) for row in rows]


def shape(keys: KeyRing, row: Any) -> SelfieTruthShape:
    """Convert a row or a SelfieTruth."""
    result = _match(row.result)
    says = result.says_same_person if result else None
    return SelfieTruthShape(
        id=row.id,
        is_same_person=row.is_same_person,
        notes=SelfieTruth.notes.open(keys, row.id, row.notes_sealed),
        status=TrialStatus(row.status),
        result=result,
        previous_result=_match(row.previous_result),
        is_correct=None if says is None else says == row.is_same_person,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _match(kept: dict[str, Any] | None) -> FaceMatchShape | None:
    return None if kept is None else FaceMatchShape.model_validate(kept)


async def _have_matched(session: AsyncSession, truth: SelfieTruth) -> None:
    await jobs.add(
        session,
        match_selfie,
        {"truth_id": str(truth.id)},
        coalesce_key=f"groundtruth.match_selfie:{truth.id}",
        priority=jobs.Priority.BULK,
        organization_id=truth.organization_id,
    )


def _of(caller: Caller, truth_id: UUID) -> Select[SelfieTruth]:
    return owned(SelfieTruth, caller.organization_id).where(SelfieTruth.id == truth_id)


async def _one(session: AsyncSession, query: Select[SelfieTruth]) -> SelfieTruth:
    truth = (await session.scalars(query)).one_or_none()
    if truth is None:
        raise NotFound
    return truth
