"""Pairs of selfie and document, known to show the same person or two people."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.kit import ids
from acredita.kit.crypto import KeyRing
from acredita.kit.upload_limits import UploadedFile
from acredita.models import SelfieTruth, TrialStatus, TruthFile
from acredita.ports import Intake
from acredita.resources.audit import service as audit
from acredita.resources.ground_truth import truths
from acredita.resources.ground_truth.jobs import match_selfie
from acredita.resources.ground_truth.schemas import (
    FaceMatchShape,
    SelfieTruthChange,
    SelfieTruthShape,
    SelfieTruthWrite,
)
from acredita.resources.ground_truth.truths import TruthKind


async def add(
    services: Intake,
    caller: Caller,
    selfie: UploadedFile,
    document: UploadedFile,
    given: SelfieTruthWrite,
) -> SelfieTruthShape:
    """Store a pair and add the job that compares it. Raise as `samples.stored` does."""
    truth_id = ids.sortable()

    def new_row(files: Sequence[TruthFile]) -> SelfieTruth:
        return SelfieTruth(
            id=truth_id,
            organization_id=caller.organization_id,
            selfie_file_id=files[0].id,
            document_file_id=files[1].id,
            is_same_person=given.is_same_person,
            notes_sealed=SelfieTruth.notes.seal(services.keys, truth_id, given.notes or None),
            status=TrialStatus.PENDING.value,
        )

    return await truths.add(services, caller, SELFIES, [selfie, document], new_row)


async def change(
    session: AsyncSession, keys: KeyRing, caller: Caller, truth_id: UUID, given: SelfieTruthChange
) -> SelfieTruth:
    """Raise NotFound."""
    truth = await truths.get(session, SELFIES, caller, truth_id, lock=True)
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


SELFIES = TruthKind(
    table=SelfieTruth,
    file_ids=lambda truth: [truth.selfie_file_id, truth.document_file_id],
    shape=shape,
    trial=match_selfie,
    added=Action.SELFIE_TRUTH_ADDED,
    tried_again=Action.SELFIE_TRUTH_MATCHED_AGAIN,
    viewed=Action.SELFIE_TRUTH_VIEWED,
    removed=Action.SELFIE_TRUTH_REMOVED,
    exported=Action.SELFIE_TRUTH_EXPORTED,
    purged=Action.SELFIE_TRUTH_PURGED,
)
