from typing import Annotated

from fastapi import Header

from acredita.api.dependencies import AskedBy, Db, ServicesDep
from acredita.api.errors import NotFound, RateLimited, ValidationFailed, responses
from acredita.api.permissions import public
from acredita.api.routing import router as make_router
from acredita.domain.languages import preferred
from acredita.domain.one_time_password import LIFETIME
from acredita.resources.otp import service
from acredita.resources.otp.schemas import OtpSend, OtpSendAnswer, OtpVerify, OtpVerifyAnswer

router = make_router("/v1/otp", tag="One-time passwords")
AcceptLanguage = Annotated[
    str | None,
    Header(description="The language to write in: es (default) or en.", examples=["es-MX"]),
]


@router.post(
    "/send",
    summary="Send a code of six digits",
    description=(
        "By text message or mail, to confirm that it reaches the person. A new code replaces the"
        " former one of the same channel. At most three in ten minutes go to one destination, ten"
        " in an hour for one verification, and so many a day as the operator allows for one"
        " organization."
    ),
    responses=responses(NotFound, RateLimited, ValidationFailed),
)
@public
async def send_one_time_password(
    data: OtpSend,
    asked_by: AskedBy,
    session: Db,
    services: ServicesDep,
    accept_language: AcceptLanguage = None,
) -> OtpSendAnswer:
    await service.send(
        session,
        services,
        asked_by=asked_by,
        verification_id=data.subject_id,
        channel=data.channel,
        address=data.destination,
        language=preferred(accept_language),
    )
    return OtpSendAnswer(sent=True, channel=data.channel, expires_in=int(LIFETIME.total_seconds()))


@router.post(
    "/verify",
    summary="Check the code that a person typed",
    description=(
        "Each guess is counted, right or wrong; a code takes five, and works once. Where there is"
        " nothing to verify (never sent, used, expired), `valid` is false and no guess is left."
    ),
    responses=responses(NotFound, ValidationFailed),
)
@public
async def verify_one_time_password(
    data: OtpVerify, asked_by: AskedBy, session: Db, services: ServicesDep
) -> OtpVerifyAnswer:
    verdict = await service.verify(
        session,
        services,
        asked_by=asked_by,
        verification_id=data.subject_id,
        channel=data.channel,
        code=data.code,
    )
    return OtpVerifyAnswer(valid=verdict.valid, attempts_remaining=verdict.guesses_left)
