"""Codes for a phone or a mailbox without a verification, which the caller compares itself.

The code is disclosed to the caller and stored nowhere: it confirms nothing to this service.
"""

from uuid import UUID

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.domain.languages import PersonLanguage
from acredita.domain.one_time_password import LIFETIME
from acredita.domain.phone_and_email import Channel, counted_as
from acredita.models import Organization
from acredita.ports import DirectMessaging
from acredita.providers.sms import Sms
from acredita.resources.otp import codes, send_limits
from acredita.resources.otp.message_texts import code_letter, text_message
from acredita.resources.otp.sending import check_offered


async def send_code(
    services: DirectMessaging,
    caller: Caller,
    *,
    message_id: UUID,
    channel: Channel,
    address: str,
    language: PersonLanguage,
) -> str:
    """Send a code and return it. `address` is normalized.

    Raise RateLimited, ValidationFailed, SmsError, EmailError.
    """
    check_offered(services.settings, channel, address)
    async with services.database.transaction() as session:
        organization = await session.get(Organization, caller.organization_id)
        if organization is None:
            raise NotFound
        sender = organization.name
        await send_limits.count_alone(
            session,
            services.signer,
            organization_id=caller.organization_id,
            destination=counted_as(channel, address),
            daily_limit=services.settings.otp_daily_limit,
            now=services.clock.now(),
        )
    code = codes.draw()
    if channel is Channel.EMAIL:
        letter = code_letter(language, sender, code)
        await services.email.send(letter.to(address), key=str(message_id))
    else:
        text = text_message(language, sender, code)
        lifetime = int(LIFETIME.total_seconds())
        await services.sms.send(Sms(address, text, valid_for=lifetime), key=str(message_id))
    return code
