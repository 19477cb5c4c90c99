"""Driver's licences with known state and fields."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita import jobs
from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.domain.ground_truth import hold_against
from acredita.kit import ids
from acredita.kit.crypto import KeyRing
from acredita.kit.uploads import UploadedFile
from acredita.models import LicenceTruth, TrialStatus
from acredita.models.tenancy import belongs_to, owned
from acredita.ports import Intake
from acredita.resources.audit import service as audit
from acredita.resources.audit.service import Actor
from acredita.resources.groundtruth import samples, templates
from acredita.resources.groundtruth.jobs import count, read_licence
from acredita.resources.groundtruth.schemas import (
    FieldTrialShape,
    LicenceTruthChange,
    LicenceTruthShape,
    LicenceTruthWrite,
    ReadByShape,
    StateTruthChange,
)


@dataclass(frozen=True, slots=True)
class Filter:
    """Selects licences of the caller's organization; None means any."""

    state: str | None = None
    status: TrialStatus | None = None

    def conditions(self, caller: Caller) -> list[ColumnElement[bool]]:
        wanted = [belongs_to(LicenceTruth, caller.organization_id)]
        if self.state is not None:
            wanted.append(LicenceTruth.state == self.state)
        if self.status is not None:
            wanted.append(LicenceTruth.status == self.status.value)
        return wanted


async def add(
    services: Intake, caller: Caller, upload: UploadedFile, given: LicenceTruthWrite
) -> LicenceTruth:
    """Store a licence and add the job that reads it. Raise as `samples.stored` does."""
    async with samples.stored(services, caller, [upload]) as files:
        truth_id = ids.sortable()
        known = {"fields": given.fields or {}, "notes": given.notes}
        truth = LicenceTruth(
            id=truth_id,
            organization_id=caller.organization_id,
            file_id=files[0].id,
            state=given.state,
            truth_sealed=LicenceTruth.truth.seal(services.keys, truth_id, known),
            status=TrialStatus.PENDING.value,
            compared=len(known["fields"] or ()),
        )
        async with services.database.transaction() as session:
            session.add_all(files)
            await session.flush()
            session.add(truth)
            await session.flush()
            audit.record(session, caller, Action.LICENCE_TRUTH_ADDED, truth_id, state=given.state)
            await _have_read(session, truth)
            await session.refresh(truth)
    return truth


async def get(session: AsyncSession, caller: Caller, truth_id: UUID) -> LicenceTruth:
    """Raise NotFound."""
    return await _one(session, _of(caller, truth_id))


async def page(
    connection: AsyncConnection, caller: Caller, wanted: Filter, *, limit: int, offset: int
) -> tuple[int, Sequence[Row[Any]]]:
    """Return the total number and the rows of the page, newest first."""
    conditions = wanted.conditions(caller)
    total = await connection.scalar(
        select(func.count()).select_from(LicenceTruth).where(*conditions)
    )
    query = (
        select(LicenceTruth.__table__)
        .where(*conditions)
        .order_by(LicenceTruth.created_at.desc(), LicenceTruth.id)
        .limit(limit)
        .offset(offset)
    )
    return total or 0, (await connection.execute(query)).all()


async def change(
    session: AsyncSession, keys: KeyRing, caller: Caller, truth_id: UUID, given: LicenceTruthChange
) -> LicenceTruth:
    """Correct the known content and compare the last reading with it again. Raise NotFound."""
    truth = await _one(session, _of(caller, truth_id).with_for_update())
    known = truth.truth.open(keys)
    changes = given.model_dump(include=given.model_fields_set)
    if "state" in changes:
        await _move(session, caller, truth, changes["state"])
    known |= {name: value for name, value in changes.items() if name in {"fields", "notes"}}
    truth.truth.seal(keys, known)
    count(keys, truth)
    truth.updated_at = func.now()
    audit.record(session, caller, Action.LICENCE_TRUTH_CHANGED, truth.id, fields=sorted(changes))
    await session.flush()
    await session.refresh(truth)
    return truth


async def change_state(
    session: AsyncSession, caller: Caller, truth_id: UUID, given: StateTruthChange
) -> LicenceTruth:
    """Set the state and the template of its layout. Raise NotFound, ValidationFailed."""
    truth = await _one(session, _of(caller, truth_id).with_for_update())
    if "state" in given.model_fields_set:
        await _move(session, caller, truth, given.state)
        truth.updated_at = func.now()
        audit.record(session, caller, Action.LICENCE_TRUTH_CHANGED, truth.id, fields=["state"])
    if given.template is not None:
        await templates.keep(session, caller, truth, given.template)
    elif "template" in given.model_fields_set:
        await templates.drop(session, caller, truth)
    await session.flush()
    await session.refresh(truth)
    return truth


async def _move(
    session: AsyncSession, caller: Caller, truth: LicenceTruth, state: str | None
) -> None:
    """Set the state. Deletes the template made for another state."""
    if state != truth.state:
        truth.state = state
        await templates.drop(session, caller, truth)


async def remove(session: AsyncSession, caller: Caller, truth_id: UUID) -> None:
    """Raise NotFound."""
    truth = await _one(session, _of(caller, truth_id).with_for_update())
    file_id = truth.file_id
    await session.delete(truth)
    await session.flush()
    await samples.forget_files(session, caller.organization_id, [file_id])
    audit.record(session, caller, Action.LICENCE_TRUTH_REMOVED, truth_id)


async def read_again(session: AsyncSession, caller: Caller | Actor, truth_id: UUID) -> LicenceTruth:
    """Add a job that reads it again; the previous reading stays to compare. Raise NotFound."""
    truth = await _one(session, _of(caller, truth_id).with_for_update())
    truth.status = TrialStatus.PENDING.value
    audit.record(session, caller, Action.LICENCE_TRUTH_READ_AGAIN, truth.id)
    await _have_read(session, truth)
    return truth


async def view(session: AsyncSession, caller: Caller, truth_id: UUID) -> UUID:
    """Return the id of its file, and record in the audit log that it is viewed. Raise NotFound."""
    truth = await get(session, caller, truth_id)
    audit.record(session, caller, Action.LICENCE_TRUTH_VIEWED, truth.id)
    return truth.file_id


async def _have_read(session: AsyncSession, truth: LicenceTruth) -> None:
    await jobs.add(
        session,
        read_licence,
        {"truth_id": str(truth.id)},
        coalesce_key=f"groundtruth.read_licence:{truth.id}",
        priority=jobs.Priority.BULK,
        organization_id=truth.organization_id,
    )


def shapes(keys: KeyRing, rows: Sequence[Any]) -> list[LicenceTruthShape]:
    """Convert a page of rows. It unseals and blocks: run it in a thread."""
    return [shape(keys, row) for row in rows]


def shape(keys: KeyRing, row: Any) -> LicenceTruthShape:
    """Convert a row or a LicenceTruth."""
    known = LicenceTruth.truth.open(keys, row.id, row.truth_sealed)
    return LicenceTruthShape(
        id=row.id,
        state=row.state,
        fields=known["fields"],
        notes=known["notes"],
        status=TrialStatus(row.status),
        read_by=_read_by(row.read_by),
        previously_read_by=_read_by(row.previously_read_by),
        compared=row.compared,
        correct=row.correct,
        trials=_trials(keys, row, known["fields"]) if row.reading_sealed else [],
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _read_by(kept: dict[str, Any] | None) -> ReadByShape | None:
    return None if kept is None else ReadByShape.model_validate(kept)


def _trials(keys: KeyRing, row: Any, known: dict[str, str]) -> list[FieldTrialShape]:
    now = LicenceTruth.reading.open(keys, row.id, row.reading_sealed)
    before = LicenceTruth.previous.open(keys, row.id, row.previous_sealed)
    trials = {trial.field: trial for trial in hold_against(known, now)}
    earlier = {trial.field: trial for trial in hold_against(known, before or {})}
    entries = []
    for field in sorted({*known, *now, *(before or {})}):
        value, confidence = now.get(field, (None, None))
        entries.append(
            FieldTrialShape(
                field=field,
                expected=known.get(field),
                read=value,
                confidence=confidence,
                is_correct=trials[field].is_correct if field in trials else None,
                read_before=(before or {}).get(field, (None,))[0],
                was_correct_before=(
                    earlier[field].is_correct if before and field in earlier else None
                ),
            )
        )
    return entries


def _of(caller: Caller | Actor, truth_id: UUID) -> Select[LicenceTruth]:
    return owned(LicenceTruth, caller.organization_id).where(LicenceTruth.id == truth_id)


async def _one(session: AsyncSession, query: Select[LicenceTruth]) -> LicenceTruth:
    truth = (await session.scalars(query)).one_or_none()
    if truth is None:
        raise NotFound
    return truth
