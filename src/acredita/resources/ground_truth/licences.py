"""Driver's licences with known state and fields."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.ground_truth import hold_against
from acredita.kit import ids
from acredita.kit.crypto import KeyRing
from acredita.kit.upload_limits import UploadedFile
from acredita.models import LicenceTruth, TrialStatus, TruthFile
from acredita.ports import Intake
from acredita.resources.audit import service as audit
from acredita.resources.ground_truth import templates, truths
from acredita.resources.ground_truth.jobs import count, read_licence
from acredita.resources.ground_truth.schemas import (
    FieldTrialShape,
    LicenceTruthChange,
    LicenceTruthShape,
    LicenceTruthWrite,
    ReadByShape,
    StateTruthChange,
)
from acredita.resources.ground_truth.truths import TruthKind


async def add(
    services: Intake, caller: Caller, upload: UploadedFile, given: LicenceTruthWrite
) -> LicenceTruthShape:
    """Store a licence and add the job that reads it. Raise as `samples.stored` does."""
    truth_id = ids.sortable()
    known = {"fields": given.fields or {}, "notes": given.notes}

    def new_row(files: Sequence[TruthFile]) -> LicenceTruth:
        return LicenceTruth(
            id=truth_id,
            organization_id=caller.organization_id,
            file_id=files[0].id,
            state=given.state,
            truth_sealed=LicenceTruth.truth.seal(services.keys, truth_id, known),
            status=TrialStatus.PENDING.value,
            compared=len(known["fields"] or ()),
        )

    return await truths.add(services, caller, LICENCES, [upload], new_row, state=given.state)


async def change(
    session: AsyncSession, keys: KeyRing, caller: Caller, truth_id: UUID, given: LicenceTruthChange
) -> LicenceTruth:
    """Correct the known content and compare the last reading with it again. Raise NotFound."""
    truth = await truths.get(session, LICENCES, caller, truth_id, lock=True)
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
    truth = await truths.get(session, LICENCES, caller, truth_id, lock=True)
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


LICENCES = TruthKind(
    table=LicenceTruth,
    file_ids=lambda truth: [truth.file_id],
    shape=shape,
    trial=read_licence,
    added=Action.LICENCE_TRUTH_ADDED,
    tried_again=Action.LICENCE_TRUTH_READ_AGAIN,
    viewed=Action.LICENCE_TRUTH_VIEWED,
    removed=Action.LICENCE_TRUTH_REMOVED,
    exported=Action.LICENCE_TRUTH_EXPORTED,
    purged=Action.LICENCE_TRUTH_PURGED,
)
