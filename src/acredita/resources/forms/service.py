"""Create forms and store submissions. Only valid answers are stored, the newest few per form."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain import forms
from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import ValidationFailed
from acredita.domain.languages import Language
from acredita.domain.steps import FORM
from acredita.kit import ids
from acredita.kit.crypto import KeyRing
from acredita.models import CustomForm, CustomSubmission
from acredita.ports import SealedRows
from acredita.resources.acts import service as acts
from acredita.resources.audit import service as audit
from acredita.resources.forms import queries
from acredita.resources.forms.schemas import (
    FormCreate,
    SubmissionShape,
    SubmittedForm,
    SubmittedForms,
)

# Submissions kept per form and verification.
KEPT = 10


@dataclass(frozen=True, slots=True)
class SubmissionResult:
    at: datetime
    errors: Sequence[forms.FieldError]


async def create(session: AsyncSession, caller: Caller, data: FormCreate) -> CustomForm:
    """Create a form. Raise ValidationFailed for contradictory or duplicate fields."""
    fields = [field.model_dump(by_alias=True, mode="json") for field in data.fields]
    # In a thread: compiling patterns takes milliseconds. The session holds no connection yet.
    faults = await asyncio.to_thread(
        forms.faults, [forms.Field.from_wire(field) for field in fields]
    )
    if faults:
        raise ValidationFailed(details=[f"body.fields.{fault}" for fault in faults])
    form = CustomForm(
        organization_id=caller.organization_id,
        title=data.title,
        description=data.description,
        fields=fields,
    )
    session.add(form)
    await session.flush()
    audit.record(session, caller, Action.FORM_CREATED, form.id, fields=len(data.fields))
    return form


async def submit(
    session: AsyncSession,
    services: SealedRows,
    caller: Caller,
    *,
    form_id: UUID | None,
    verification_id: UUID | None,
    values: Mapping[str, Any],
    language: Language,
) -> SubmissionResult:
    """Validate the answers and store them if they are valid.

    Works for any verification that was not purged, also a decided one. Raise NotFound,
    VerificationClosed.
    """
    async with services.database.reading() as connection:
        written = await queries.fields(connection, caller, form_id)
        await queries.check_verification(connection, caller, verification_id)
    assert form_id is not None  # noqa: S101 (both were found)
    assert verification_id is not None  # noqa: S101
    fields = [forms.Field.from_wire(field) for field in written]
    # In a thread, with no transaction open. RE2 releases the GIL.
    errors = await asyncio.to_thread(forms.check, fields, values, language)
    now = services.clock.now()
    if not errors:
        await queries.lock_verification(session, verification_id)
        submission_id = ids.sortable()
        submission = CustomSubmission(
            id=submission_id,
            created_at=now,
            organization_id=caller.organization_id,
            form_id=form_id,
            verification_id=verification_id,
            values_sealed=CustomSubmission.values.seal(
                services.keys, submission_id, forms.answers(fields, values)
            ),
        )
        await queries.add(session, submission, most=KEPT)
        audit.record(session, caller, Action.FORM_SUBMITTED, verification_id, form=form_id)
        await acts.announce(session, caller.organization_id, verification_id, FORM)
    return SubmissionResult(now, errors)


async def show(
    connection: AsyncConnection, keys: KeyRing, caller: Caller, verification_id: UUID
) -> SubmittedForms:
    """The submitted forms of a verification. Raise NotFound."""
    rows = await queries.submitted(connection, caller, verification_id)
    if not rows:
        await queries.check_verification(connection, caller, verification_id)
    shown = []
    # The sort is stable: the rows of each form stay newest first.
    for form_id, of_form in groupby(sorted(rows, key=_form), key=_form):
        newest, *earlier = (
            (row, SubmissionShape(submitted_at=row.created_at, values=_values(keys, row)))
            for row in of_form
        )
        shown.append(
            SubmittedForm(
                form_id=form_id,
                title=newest[0].title,
                submitted_at=newest[1].submitted_at,
                values=newest[1].values,
                history=[submission for _, submission in earlier],
            )
        )
    shown.sort(key=lambda form: form.submitted_at, reverse=True)
    return SubmittedForms(verification_id=verification_id, submissions=shown)


def _form(row: Any) -> UUID:
    form_id: UUID = row.form_id
    return form_id


def _values(keys: KeyRing, row: Any) -> dict[str, Any]:
    sealed: bytes = row.values_sealed
    return CustomSubmission.values.open(keys, row.id, sealed)


async def forget(session: AsyncSession, verification_ids: Sequence[UUID]) -> None:
    """Delete the submissions of verifications that are being purged."""
    await session.execute(
        delete(CustomSubmission).where(CustomSubmission.verification_id.in_(verification_ids))
    )
