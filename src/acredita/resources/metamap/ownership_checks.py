"""POST /safety/v1/checks/email/otp and phone/otp: send a code, which the caller compares."""

from typing import Any

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import ValidationFailed
from acredita.domain.languages import person_language
from acredita.domain.phone_and_email import Channel, phone_number
from acredita.domain.reasons import AnyStepReason
from acredita.kit import ids
from acredita.ports import DirectMessaging
from acredita.providers.email import EmailRefused, EmailUnavailable
from acredita.providers.sms import SmsRefused, SmsUnavailable
from acredita.resources.audit import service as audit
from acredita.resources.auth.schemas import valid_email
from acredita.resources.metamap import translation
from acredita.resources.metamap.jobs import post_later
from acredita.resources.metamap.safety_schemas import OwnershipCheck
from acredita.resources.otp import direct

# Of requests without one, as in MetaMap.
DEFAULT_LOCALE = "en_US"
PREFIXES = {Channel.SMS: "phoneOwnership", Channel.EMAIL: "emailOwnership"}


async def check(
    services: DirectMessaging, caller: Caller, channel: Channel, asked: OwnershipCheck
) -> dict[str, Any]:
    """Send a code and return the response body, which is also posted to the callback URL.

    Raise RateLimited, ValidationFailed.
    """
    address = _address(channel, asked.recipient)
    check_id = ids.sortable()
    data: dict[str, str] | None = None
    error: dict[str, str | None] | None = None
    try:
        code = await direct.send_code(
            services,
            caller,
            message_id=check_id,
            channel=channel,
            address=address,
            # MetaMap writes a locale with an underscore.
            language=person_language((asked.locale or DEFAULT_LOCALE).replace("_", "-")),
        )
        data = {"confirmationCode": code}
    except (SmsUnavailable, EmailUnavailable):
        error = translation.system_error(AnyStepReason.CHECK_UNAVAILABLE)
    except (SmsRefused, EmailRefused):
        code = f"{PREFIXES[channel]}.notDelivered"
        error = {"type": "StepError", "code": code, "message": "The message cannot be delivered."}
    response = {"error": error, "data": data, "metadata": asked.metadata or {}}
    async with services.database.transaction() as session:
        if asked.callbackUrl:
            await post_later(
                session,
                services.keys,
                caller.organization_id,
                check_id,
                url=asked.callbackUrl,
                content=response,
            )
        audit.record(
            session,
            caller,
            Action.OWNERSHIP_CODE_SENT,
            check_id,
            channel=channel.value,
            destination=services.signer.digest("ownership-checks", address.encode()),
            sent=data is not None,
        )
    return response


def _address(channel: Channel, recipient: str) -> str:
    """Return the recipient in its one form. A phone is written without its plus. Raise
    ValidationFailed."""
    text = recipient.strip()
    try:
        if channel is Channel.EMAIL:
            return valid_email(text)
        return phone_number(text if text.startswith("+") else f"+{text}")
    except ValueError as fault:
        raise ValidationFailed(details=[f"body.recipient: {fault}"]) from None
