"""Text messages through any HTTP gateway, described by settings."""

import re
from dataclasses import dataclass
from typing import Any

from acredita.kit.http import HttpClient, HttpError
from acredita.kit.http.urls import parse_target
from acredita.providers.sms.protocol import Sms, SmsUnavailable
from acredita.providers.sms.responses import json_of, retry_after
from acredita.providers.sms.templates import (
    read_form,
    read_headers,
    read_json,
    read_url,
    values_of,
)

CONTENT_TYPES = {"json": "application/json", "form": "application/x-www-form-urlencoded"}
# A path in the answer's JSON and the accepted values: `messages.0.status=ok|queued`.
_RULE = re.compile(r"([\w-]+(?:\.[\w-]+)*)=(.+)")


@dataclass(frozen=True, slots=True)
class Gateway:
    """The settings of the gateway; see docs/integrators/one-time-passwords.md."""

    url: str
    method: str = "POST"
    headers: str = ""
    # json or form; ignored without a body.
    format: str = "json"
    body: str = ""
    success: str = ""


class GatewaySms:
    name = "gateway"

    def __init__(self, http: HttpClient, gateway: Gateway) -> None:
        """Raise ValueError for an invalid template. The message does not contain the template."""
        self._http, self._method = http, gateway.method
        self._url = read_url(gateway.url)
        self._headers = read_headers(gateway.headers)
        read_body = read_json if gateway.format == "json" else read_form
        self._body = read_body(gateway.body) if gateway.body else None
        self._content_type = CONTENT_TYPES[gateway.format]
        self._rule = _read_rule(gateway.success)
        sample = values_of(Sms("+525512345678", "texto", 300), "key")
        try:
            parse_target(self._url(sample), allow_private=True)
        except HttpError:
            raise ValueError("the SMS gateway's URL is not valid") from None

    async def send(self, sms: Sms, *, key: str, may_have_left: bool = False) -> None:  # noqa: ARG002 (the Idempotency-Key header covers it)
        values = values_of(sms, key)
        headers = {"Idempotency-Key": key, "Accept": "application/json"}
        body = None
        if self._body is not None:
            body = self._body(values)
            headers["Content-Type"] = self._content_type
        try:
            response = await self._http.request(
                self._method, self._url(values), headers=headers | self._headers(values), body=body
            )
        except HttpError as fault:
            word = str(fault.word)
        else:
            if not response.is_success:
                raise SmsUnavailable(f"status_{response.status}", retry_after=retry_after(response))
            if self._rule is None or self._rule.holds(json_of(response)):
                return
            word = "not_confirmed"
        # Raised outside `except`: the exception chain must not contain the request's secret.
        raise SmsUnavailable(word)


@dataclass(frozen=True, slots=True)
class _Rule:
    path: tuple[str, ...]
    values: frozenset[str]

    def holds(self, answer: Any) -> bool:
        for name in self.path:
            match answer:
                case dict():
                    answer = answer.get(name)
                case list() if name.isdecimal() and int(name) < len(answer):
                    answer = answer[int(name)]
                case _:
                    return False
        return _written(answer) in self.values


def _written(value: Any) -> str | None:
    match value:
        case bool():
            return "true" if value else "false"
        case str() | int():
            return str(value)
        case _:
            return None


def _read_rule(text: str) -> _Rule | None:
    if not text:
        return None
    found = _RULE.fullmatch(text)
    if found is None:
        raise ValueError(
            "the SMS gateway's success rule must have the form path.to.value=ok|queued"
        )
    return _Rule(tuple(found[1].split(".")), frozenset(found[2].split("|")))
