from typing import Annotated

from fastapi import Header

from acredita.api.dependencies import Db, Reader, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import Member
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import NotFound, VerificationClosed
from acredita.domain.languages import preferred
from acredita.kit import ids
from acredita.resources.forms import service
from acredita.resources.forms.schemas import (
    CreatedForm,
    FieldErrorShape,
    FormCreate,
    Submit,
    SubmitAnswer,
    SubmittedForms,
)

router = make_router("/v1/custom-input", tag="Custom forms")
AcceptLanguage = Annotated[
    str | None,
    Header(description="The language of the messages: es (default) or en.", examples=["es-MX"]),
]


@router.post("/forms", status_code=201, summary="Create a form")
async def create_form(data: FormCreate, caller: Member, session: Db) -> CreatedForm:
    """A form cannot be changed. Create a new one instead."""
    form = await service.create(session, caller, data)
    return CreatedForm(
        form_id=form.id,
        title=form.title,
        field_count=len(form.fields),
        created_at=form.created_at,
    )


@router.post(
    "/submit",
    summary="Submit a form for a verification",
    responses=responses(NotFound, VerificationClosed),
)
async def submit_form(
    data: Submit,
    caller: Member,
    session: Db,
    services: ServicesDep,
    accept_language: AcceptLanguage = None,
) -> SubmitAnswer:
    """Invalid answers are not stored: `valid` is false and `errors` has one message per field. A
    form can be submitted again; the newest ten submissions are kept.
    """
    judged = await service.submit(
        session,
        services,
        caller,
        form_id=ids.parse(data.form_id),
        verification_id=ids.parse(data.verification_id),
        values=data.values,
        language=preferred(accept_language),
    )
    return SubmitAnswer(
        valid=not judged.errors,
        submitted_at=judged.at,
        errors=[FieldErrorShape(field_id=e.field_id, message=e.message) for e in judged.errors],
    )


@router.get("/{verificationId}", summary="Get the submitted forms of a verification")
async def get_submitted_forms(
    verificationId: IdInPath, caller: Member, reader: Reader, services: ServicesDep
) -> SubmittedForms:
    """For each form the current answer, and the earlier ones in `history`; ten answers are kept."""
    return await service.show(reader, services.keys, caller, verificationId)
