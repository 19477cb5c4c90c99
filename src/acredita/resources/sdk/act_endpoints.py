"""What a step waits for besides pictures: a code, the answers to a form, the device's position."""

from fastapi import Response

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import public
from acredita.api.routing import make_router
from acredita.api.schemas import JsonAnswer
from acredita.domain.errors import StepNotWaiting, VerificationClosed
from acredita.domain.languages import person_language, preferred
from acredita.domain.one_time_password import LIFETIME
from acredita.domain.phone_and_email import masked
from acredita.domain.steps import FORM, OTP
from acredita.domain.steps.forms import form_id
from acredita.resources.forms import service as forms
from acredita.resources.forms.endpoints import AcceptLanguage as FormLanguage
from acredita.resources.otp import guesses
from acredita.resources.otp.endpoints import AcceptLanguage as MessageLanguage
from acredita.resources.sdk import acts, status
from acredita.resources.sdk.act_schemas import (
    RESEND_SECONDS,
    CodeAsked,
    CodeChannel,
    CodeConfirm,
    CodeConfirmed,
    CodeSend,
    CodeSent,
    CodeSentView,
    FormAnswer,
    FormAsked,
    FormFieldShape,
    FormOptionShape,
    FormTaken,
    PositionGive,
)
from acredita.resources.sdk.schemas import StatusView
from acredita.resources.sdk.visitors import VISITOR_FAULTS, Visitor

router = make_router("/v1/sdk/verifications/{id}", tag="Browser flow")
FAULTS = (*VISITOR_FAULTS, VerificationClosed, StepNotWaiting)


@router.get("/code", summary="Get what an OTP step asks for", responses=responses(*FAULTS))
@public
async def get_asked_code(visitor: Visitor, services: ServicesDep, session: Db) -> CodeAsked:
    """For `next.action` code. The response contains no phone and no address."""
    asked = await acts.asked_code(session, services.settings, visitor, visitor.id)
    now = services.clock.now()
    sent = await acts.sent_code(session, visitor, visitor.id, now)
    return CodeAsked(
        channels=[
            CodeChannel(channel=channel, destination_known=stated is not None)
            for channel, stated in asked.items()
        ],
        sent=None
        if sent is None or sent.channel not in asked
        else CodeSentView(
            channel=sent.channel,
            resend_in=acts.seconds_until(sent.resend_at, now),
            expires_at=sent.expires_at,
            attempts_remaining=sent.guesses_left,
        ),
    )


@router.post("/code/send", summary="Send the person a code", responses=responses(*FAULTS))
@public
async def send_code(
    data: CodeSend,
    visitor: Visitor,
    services: ServicesDep,
    session: Db,
    accept_language: MessageLanguage = None,
) -> CodeSent:
    """To the phone or address that the metadata of your server state, if the step demands it, or
    else to the one that the person names. The limits are those of one-time passwords that are sent
    without credentials.
    """
    address = await acts.send_code(
        session,
        services,
        visitor,
        visitor.id,
        data.channel,
        data.destination,
        person_language(accept_language),
    )
    return CodeSent(
        channel=data.channel,
        destination=masked(data.channel, address),
        resend_in=RESEND_SECONDS,
        expires_in=int(LIFETIME.total_seconds()),
    )


@router.post(
    "/code/confirm",
    response_model=CodeConfirmed,
    summary="Confirm the code",
    responses=responses(*FAULTS),
)
@public
async def confirm_code(data: CodeConfirm, visitor: Visitor, services: ServicesDep) -> Response:
    """As `POST /v1/otp/verify`: every attempt counts, and a code allows five."""
    async with services.database.transaction() as session:
        await acts.waiting_step(session, visitor, visitor.id, OTP)
        result = await guesses.verify(
            session,
            services.clock,
            services.signer,
            asked_by=visitor.organization_id,
            verification_id=visitor.id,
            channel=data.channel,
            code=data.code,
        )
    return JsonAnswer(
        {
            "valid": result.valid,
            "attemptsRemaining": result.guesses_left,
            "verification": await status.view(services.reads, visitor.id),
        }
    )


@router.get("/form", summary="Get the form of a FORM step", responses=responses(*FAULTS))
@public
async def get_asked_form(visitor: Visitor, session: Db) -> FormAsked:
    """For `next.action` form."""
    _, step = await acts.waiting_step(session, visitor, visitor.id, FORM)
    form = await acts.asked_form(session, visitor, form_id(step.config))
    return FormAsked(
        form_id=form.id,
        title=form.title,
        description=form.description,
        fields=[
            FormFieldShape(
                id=field["id"],
                type=field["type"],
                label=field["label"],
                required=field["required"],
                placeholder=field.get("placeholder"),
                options=[FormOptionShape(**each) for each in field.get("options") or ()],
                max_length=(field.get("validation") or {}).get("maxLength"),
            )
            for field in form.fields
        ],
    )


@router.post(
    "/form",
    response_model=FormTaken,
    summary="Answer the form of a FORM step",
    responses=responses(*FAULTS),
)
@public
async def answer_form(
    data: FormAnswer,
    visitor: Visitor,
    services: ServicesDep,
    accept_language: FormLanguage = None,
) -> Response:
    """Invalid answers are not stored; `errors` has the fault of each field."""
    async with services.database.transaction() as session:
        _, step = await acts.waiting_step(session, visitor, visitor.id, FORM)
        asked = form_id(step.config)
    async with services.database.transaction() as session:
        judged = await forms.submit(
            session,
            services,
            visitor,
            form_id=asked,
            verification_id=visitor.id,
            values=data.values,
            language=preferred(accept_language),
        )
    return JsonAnswer(
        {
            "valid": not judged.errors,
            "errors": [
                {
                    "fieldId": fault.field_id,
                    "code": fault.code,
                    "limit": fault.limit,
                    "message": fault.message,
                }
                for fault in judged.errors
            ],
            "verification": await status.view(services.reads, visitor.id),
        }
    )


@router.post(
    "/position",
    response_model=StatusView,
    summary="Give the position of the device, or say that there is none",
    responses=responses(*FAULTS),
)
@public
async def give_position(data: PositionGive, visitor: Visitor, services: ServicesDep) -> Response:
    """For `next.action` location: a LOCATION step with the option `device`. The position is part of
    the step's result, sealed, and a refusal is a result too.
    """
    answer = data.model_dump(by_alias=True, mode="json", exclude_none=True)
    async with services.database.transaction() as session:
        await acts.take_position(session, services.keys, visitor, visitor.id, answer)
    return JsonAnswer(await status.view(services.reads, visitor.id))
