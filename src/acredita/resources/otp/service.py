"""Send and verify one-time codes. Anyone who knows a verification's id may do both.

`asked_by` is the organization of an authenticated caller; authentication is optional. For such a
caller, another organization's verification is not found.
"""

import secrets
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.audit import Action, ActorType
from acredita.domain.errors import ValidationFailed
from acredita.domain.languages import Language
from acredita.domain.one_time_password import DIGITS, LIFETIME, MOST_GUESSES
from acredita.domain.phone_and_email import Channel, counted_as, country_of
from acredita.jobs import Priority
from acredita.kit import ids
from acredita.kit.clock import Clock
from acredita.kit.crypto import Signer
from acredita.models import OneTimePassword
from acredita.models.otp import CodeMessage
from acredita.ports import Messaging
from acredita.resources.audit import service as audit
from acredita.resources.audit.service import Actor
from acredita.resources.otp import jobs as otp_jobs
from acredita.resources.otp import queries, send_limits
from acredita.settings import Settings

CODES = "one-time-password"
DESTINATIONS = "otp-destination"


@dataclass(frozen=True, slots=True)
class GuessResult:
    valid: bool
    guesses_left: int


async def send(
    session: AsyncSession,
    services: Messaging,
    *,
    asked_by: UUID | None,
    verification_id: UUID | None,
    channel: Channel,
    address: str,
    language: Language,
) -> None:
    """Replace the channel's former code with a new one and queue its sending.

    Works for any verification that was not purged, also a decided one, because people also confirm
    a phone before they sign. Raise NotFound, RateLimited, ValidationFailed.
    """
    organization_id = await queries.owner_of(session, verification_id, asked_by)
    assert verification_id is not None  # noqa: S101 (owner_of found it)
    _check_offered(services.settings, channel, address)
    now = services.clock.now()
    counted = counted_as(channel, address)
    if asked_by is None:
        await send_limits.count_anonymous(
            session,
            services.signer,
            services.settings,
            organization_id=organization_id,
            verification_id=verification_id,
            channel=channel,
            destination=counted,
            country=country_of(address) if channel is Channel.SMS else None,
            now=now,
        )
    else:
        await send_limits.count(
            session,
            services.signer,
            organization_id=organization_id,
            verification_id=verification_id,
            destination=counted,
            daily_limit=services.settings.otp_daily_limit,
            now=now,
        )
    password_id = ids.sortable()
    code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"
    destination = services.signer.digest(DESTINATIONS, counted.encode())
    password = OneTimePassword(
        id=password_id,
        organization_id=organization_id,
        verification_id=verification_id,
        channel=channel.value,
        code_digest=services.signer.digest(CODES, _guessed(password_id, code)),
        destination_digest=destination,
        message_sealed=OneTimePassword.message.seal(
            services.keys, password_id, CodeMessage(address, code, language)
        ),
        expires_at=now + LIFETIME,
    )
    await queries.replace(session, password)
    await jobs.add(
        session,
        otp_jobs.send_code,
        {"password_id": str(password_id)},
        priority=Priority.URGENT,
        organization_id=organization_id,
    )
    _note(session, password, Action.CODE_SENT)


def _check_offered(settings: Settings, channel: Channel, address: str) -> None:
    if channel is not Channel.SMS:
        if not settings.has_email:
            raise ValidationFailed(details=["body.channel: e-mail is not configured"])
        return
    if not settings.sms_providers:
        raise ValidationFailed(details=["body.channel: SMS is not configured"])
    countries = settings.sms_countries
    if countries and country_of(address) not in countries:
        raise ValidationFailed(details=["body.destination: SMS to this country is not allowed"])


async def verify(
    session: AsyncSession,
    clock: Clock,
    signer: Signer,
    *,
    asked_by: UUID | None,
    verification_id: UUID | None,
    channel: Channel,
    code: str,
) -> GuessResult:
    """Verify a code. Without a valid code (never sent, used, expired) the result is invalid.

    Raise NotFound.
    """
    now = clock.now()
    password = await queries.guess(session, verification_id, channel, asked_by, now)
    if password is None:
        # Checked last, so that an unknown verification takes as long as one without a code.
        await queries.owner_of(session, verification_id, asked_by)
        return GuessResult(valid=False, guesses_left=0)
    guessed = _guessed(password.id, code)
    valid = signer.matches(CODES, guessed, password.code_digest)
    if valid:
        # The attempt holds the row lock until the transaction ends, so the code is used once.
        password.used_at = now
    _note(session, password, Action.CODE_CONFIRMED if valid else Action.CODE_MISTAKEN)
    return GuessResult(valid, MOST_GUESSES - password.guesses)


def _guessed(password_id: UUID, code: str) -> bytes:
    """Bind the code to its row, so that equal codes have different digests."""
    return password_id.bytes + code.encode()


def _note(session: AsyncSession, password: OneTimePassword, action: Action) -> None:
    holder = Actor(password.organization_id, ActorType.HOLDER)
    audit.record(
        session,
        holder,
        action,
        password.verification_id,
        channel=password.channel,
        destination=password.destination_digest,
    )
