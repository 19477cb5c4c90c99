"""Text messages through Twilio's Programmable Messaging API (version 2010-04-01).

Twilio has no idempotency keys. If an attempt ended without an answer, the next one first lists the
recent messages to that number and does not send the same text again. If this check misses one, the
person gets the same code twice.
"""

import base64
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import Any
from urllib.parse import urlencode

from acredita.kit.clock import Clock
from acredita.kit.http import HttpClient, HttpError, Response
from acredita.providers.sms.protocol import Sms, SmsRefused, SmsUnavailable
from acredita.providers.sms.responses import json_of, retry_after

# Permanent errors (https://www.twilio.com/docs/api/errors). Unknown codes count as temporary: that
# costs some useless attempts but loses no message.
REFUSALS = {
    21211: "invalid_number",
    21214: "unreachable_number",
    21217: "invalid_number",
    21265: "short_code",
    21266: "sender_itself",
    21610: "opted_out",
    21612: "no_route",
    21614: "not_a_mobile",
}
# Twilio's maximum for ValidityPeriod, in seconds.
LONGEST_VALIDITY = 14_400
# Statuses of messages that were not sent.
NEVER_LEFT = frozenset({"failed", "undelivered", "canceled"})


@dataclass(frozen=True, slots=True)
class TwilioAccount:
    """`key_id` and `secret`: an API key, or the account SID and auth token.

    `sender`: a number in E.164 form, an alphanumeric sender, or a messaging service SID (MG...).
    """

    account_id: str
    key_id: str
    secret: str
    sender: str
    base_url: str


class TwilioSms:
    name = "twilio"

    def __init__(self, http: HttpClient, account: TwilioAccount, clock: Clock) -> None:
        self._http, self._clock = http, clock
        self._url = (
            f"{account.base_url.rstrip('/')}/2010-04-01/Accounts/{account.account_id}/Messages.json"
        )
        credentials = f"{account.key_id}:{account.secret}".encode()
        self._authorization = f"Basic {base64.b64encode(credentials).decode()}"
        is_service = account.sender.startswith("MG")
        self._sender = {"MessagingServiceSid" if is_service else "From": account.sender}

    async def send(self, sms: Sms, *, key: str, may_have_left: bool = False) -> None:  # noqa: ARG002 (see above)
        if may_have_left and await self._has_left(sms):
            return
        form = {
            **self._sender,
            "To": sms.to,
            "Body": sms.text,
            "ValidityPeriod": str(min(max(sms.valid_for, 1), LONGEST_VALIDITY)),
        }
        response = await self._exchange("POST", self._url, urlencode(form).encode())
        # 201 means that the message was created. The body does not matter.
        if response.status != 201:
            raise _failure(response)

    async def _has_left(self, sms: Sms) -> bool:
        since = self._clock.now().astimezone(UTC) - timedelta(days=1)
        query = urlencode({"To": sms.to, "DateSent>": f"{since:%Y-%m-%d}", "PageSize": "20"})
        response = await self._exchange("GET", f"{self._url}?{query}")
        if response.status != 200:
            raise _failure(response)
        answer = json_of(response)
        messages = answer.get("messages") if isinstance(answer, dict) else None
        if not isinstance(messages, list):
            raise SmsUnavailable("invalid_answer")
        return any(_is_same(message, sms) for message in messages)

    async def _exchange(self, method: str, url: str, body: bytes | None = None) -> Response:
        headers = {"Authorization": self._authorization, "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            return await self._http.request(method, url, headers=headers, body=body)
        except HttpError as fault:
            word = fault.word
        # Raised outside `except`: the exception chain must not contain the request's secret.
        raise SmsUnavailable(word)


def _is_same(message: Any, sms: Sms) -> bool:
    return (
        isinstance(message, dict)
        and message.get("body") == sms.text
        and message.get("status") not in NEVER_LEFT
    )


def _failure(response: Response) -> SmsUnavailable | SmsRefused:
    """Other failures are temporary: the operator fixes credentials, balance or regions."""
    answer = json_of(response)
    code = answer.get("code") if isinstance(answer, dict) else None
    if response.status == 400 and isinstance(code, int) and (refusal := REFUSALS.get(code)):
        return SmsRefused(refusal)
    word = f"twilio_{code}" if isinstance(code, int) else f"status_{response.status}"
    return SmsUnavailable(word, retry_after=retry_after(response))
