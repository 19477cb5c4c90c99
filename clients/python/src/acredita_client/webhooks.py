"""Verifying that a webhook came from the service, unchanged and just now."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any, Final, TypedDict

from acredita_client.errors import InvalidSignature

TOLERANCE_SECONDS: Final = 300


class Event(TypedDict):
    """`id` is the same however often the event arrives: keep it, and do nothing the second time."""

    id: str
    event: str
    createdAt: str
    data: dict[str, Any]


def verify(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
) -> Event:
    """The event of a webhook; `body` is the raw body, as it came.

    Both signatures are checked: `X-Service-Signature` over the body alone, and the Standard
    Webhooks one, which covers the moment of sending, too. A request without the latter is refused,
    for anybody who once saw a delivery could send it again. Raises `InvalidSignature`.
    """
    raw = body.encode() if isinstance(body, str) else body
    sent = {name.lower(): value for name, value in headers.items()}
    own = hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()
    _compare([sent.get("x-service-signature", "")], f"sha256={own}")
    moment = sent.get("webhook-timestamp", "")
    signed = f"{sent.get('webhook-id', '')}.{moment}.".encode() + raw
    digest = hmac.new(_standard_key(secret), signed, hashlib.sha256).digest()
    _compare(sent.get("webhook-signature", "").split(), f"v1,{base64.b64encode(digest).decode()}")
    if not moment.isdecimal() or abs(time.time() - int(moment)) > tolerance_seconds:
        raise InvalidSignature("the webhook was not sent just now")
    event: Event = json.loads(raw)
    return event


def _standard_key(secret: str) -> bytes:
    """What follows `whsec_`, decoded; a secret of the receiver's own choice is used as it is."""
    if secret.startswith("whsec_"):
        try:
            return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        except binascii.Error:
            pass
    return secret.encode()


def _compare(sent: list[str], expected: str) -> None:
    if not any(hmac.compare_digest(one.encode(), expected.encode()) for one in sent):
        raise InvalidSignature("the webhook's signature is not the service's")
