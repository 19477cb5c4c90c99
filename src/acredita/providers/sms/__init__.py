"""Text messages through Twilio, an HTTP gateway, or the development mailbox."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from acredita.kit.clock import Clock
from acredita.kit.http import HttpClient, HttpError
from acredita.kit.http.urls import parse_target
from acredita.providers.mailbox import Mailbox
from acredita.providers.sms.failover import FailoverSms
from acredita.providers.sms.gateway import Gateway, GatewaySms
from acredita.providers.sms.protocol import Sms, SmsProvider, SmsRefused, SmsUnavailable
from acredita.providers.sms.sandbox import MailboxSms
from acredita.providers.sms.twilio import TwilioAccount, TwilioSms


@asynccontextmanager
async def open_sms(
    names: Sequence[str],
    *,
    mailbox: Mailbox,
    clock: Clock,
    twilio: TwilioAccount,
    gateway: Gateway,
    timeout: float,
    ca_file: Path | None = None,
) -> AsyncIterator[SmsProvider]:
    """Open the named providers (twilio, gateway, sandbox) in order of preference. May be empty.

    `timeout`: seconds for one exchange. Private addresses are allowed, because the operator chooses
    them. Raise ValueError for missing or invalid settings; the message contains no values.
    """
    async with HttpClient(timeout=timeout, allow_private=True, ca_file=ca_file) as http:
        providers: list[SmsProvider] = []
        for name in names:
            match name:
                case "twilio":
                    _check_twilio(twilio)
                    providers.append(TwilioSms(http, twilio, clock))
                case "gateway":
                    providers.append(GatewaySms(http, gateway))
                case "sandbox":
                    providers.append(MailboxSms(mailbox))
                case _:
                    raise ValueError("SMS providers must be twilio, gateway and sandbox")
        yield providers[0] if len(providers) == 1 else FailoverSms(providers)


def _check_twilio(account: TwilioAccount) -> None:
    try:
        parse_target(account.base_url, allow_private=True)
    except HttpError:
        raise ValueError("Twilio's base URL is not valid") from None
    if not re.fullmatch("AC[0-9a-f]{32}", account.account_id):
        raise ValueError("Twilio needs an account SID: AC and 32 hexadecimal digits")
    if not account.key_id or not account.secret or not account.sender:
        raise ValueError("Twilio needs a secret and a sender")
