from typing import Annotated

from fastapi import Header

from acredita.api.dependencies import AskedBy, Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import public
from acredita.api.routing import make_router
from acredita.domain.errors import NotFound
from acredita.domain.languages import person_language
from acredita.domain.one_time_password import LIFETIME
from acredita.resources.otp import guesses, sending
from acredita.resources.otp.schemas import OtpSend, OtpSendAnswer, OtpVerify, OtpVerifyAnswer

router = make_router("/v1/otp", tag="One-time passwords")
AcceptLanguage = Annotated[
    str | None,
    Header(
        description="Language of the message: es (default), en, pt, fr or de.", examples=["es-MX"]
    ),
]


@router.post("/send", summary="Send a six-digit code", responses=responses(NotFound))
@public
async def send_one_time_password(
    data: OtpSend,
    asked_by: AskedBy,
    session: Db,
    services: ServicesDep,
    accept_language: AcceptLanguage = None,
) -> OtpSendAnswer:
    """Sends the code by SMS or e-mail, to confirm the person's phone or address. A new code
    replaces the former one of the same channel. Limits: 3 codes in 10 minutes per destination, 10
    codes per hour per verification, and a daily limit per organization that the operator sets.
    Sends without credentials have a daily limit of their own, also per country, and a verification
    sends them to at most three phones and three mailboxes.
    """
    await sending.send(
        session,
        services,
        asked_by=asked_by,
        verification_id=data.subject_id,
        channel=data.channel,
        address=data.destination,
        language=person_language(accept_language),
    )
    return OtpSendAnswer(sent=True, channel=data.channel, expires_in=int(LIFETIME.total_seconds()))


@router.post("/verify", summary="Verify a code", responses=responses(NotFound))
@public
async def verify_one_time_password(
    data: OtpVerify, asked_by: AskedBy, session: Db, services: ServicesDep
) -> OtpVerifyAnswer:
    """Every attempt counts, right or wrong. A code allows five attempts and works once. If there is
    no valid code (never sent, used, expired), `valid` is false and `attemptsRemaining` is 0.
    """
    result = await guesses.verify(
        session,
        services.clock,
        services.signer,
        asked_by=asked_by,
        verification_id=data.subject_id,
        channel=data.channel,
        code=data.code,
    )
    return OtpVerifyAnswer(valid=result.valid, attempts_remaining=result.guesses_left)
