"""Send one-time codes. Anyone who knows a verification's id may have one sent.

`asked_by` is the organization of an authenticated caller; authentication is optional. For such a
caller, another organization's verification is not found.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.audit import Action
from acredita.domain.errors import ValidationFailed
from acredita.domain.languages import PersonLanguage
from acredita.domain.one_time_password import LIFETIME
from acredita.domain.phone_and_email import Channel, counted_as, country_of
from acredita.jobs import Priority
from acredita.kit import ids
from acredita.models import OneTimePassword
from acredita.models.otp import CodeMessage
from acredita.ports import Messaging
from acredita.resources.otp import codes, queries, send_limits
from acredita.resources.otp import jobs as otp_jobs
from acredita.resources.otp.confirmations import DESTINATIONS
from acredita.settings import Settings


async def send(
    session: AsyncSession,
    services: Messaging,
    *,
    asked_by: UUID | None,
    verification_id: UUID | None,
    channel: Channel,
    address: str,
    language: PersonLanguage,
) -> None:
    """Replace the channel's former code with a new one and queue its sending.

    Works for any verification that was not purged, also a decided one, because people also confirm
    a phone before they sign. Raise NotFound, RateLimited, ValidationFailed.
    """
    organization_id = await queries.owner_of(session, verification_id, asked_by)
    assert verification_id is not None  # noqa: S101 (owner_of found it)
    check_offered(services.settings, channel, address)
    now = services.clock.now()
    counted = counted_as(channel, address)
    if asked_by is None:
        await count_anonymous(
            session,
            services,
            organization_id=organization_id,
            verification_id=verification_id,
            channel=channel,
            address=address,
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
    code = codes.draw()
    destination = services.signer.digest(DESTINATIONS, counted.encode())
    password = OneTimePassword(
        id=password_id,
        organization_id=organization_id,
        verification_id=verification_id,
        channel=channel.value,
        code_digest=codes.digest(services.signer, password_id, code),
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
    codes.record(session, password, Action.CODE_SENT)


async def count_anonymous(
    session: AsyncSession,
    services: Messaging,
    *,
    organization_id: UUID,
    verification_id: UUID,
    channel: Channel,
    address: str,
    now: datetime,
) -> None:
    """Count a message that a browser asks for against the budgets of anonymous callers.

    Raise RateLimited.
    """
    await send_limits.count_anonymous(
        session,
        services.signer,
        services.settings,
        organization_id=organization_id,
        verification_id=verification_id,
        channel=channel,
        destination=counted_as(channel, address),
        country=country_of(address) if channel is Channel.SMS else None,
        now=now,
    )


def channels_of(settings: Settings) -> list[Channel]:
    """Return the channels by which this installation sends messages."""
    offered = {Channel.SMS: bool(settings.sms_providers), Channel.EMAIL: settings.has_email}
    return [channel for channel, is_offered in offered.items() if is_offered]


def check_offered(
    settings: Settings, channel: Channel, address: str, *, place: str = "body"
) -> None:
    """Raise ValidationFailed if nothing is sent by this channel, or to this country.

    `place`: where the request has channel and destination.
    """
    if channel is not Channel.SMS:
        if not settings.has_email:
            raise ValidationFailed(details=[f"{place}.channel: e-mail is not configured"])
        return
    if not settings.sms_providers:
        raise ValidationFailed(details=[f"{place}.channel: SMS is not configured"])
    countries = settings.sms_countries
    if countries and country_of(address) not in countries:
        raise ValidationFailed(details=[f"{place}.destination: SMS to this country is not allowed"])
