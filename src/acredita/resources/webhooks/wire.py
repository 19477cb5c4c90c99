"""What goes over the wire (specification, Events): the envelope and the headers of one attempt."""

import base64
import binascii
import hashlib
import hmac
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from acredita.domain.events import EventKind
from acredita.kit.clock import timestamp
from acredita.models import WebhookFormat
from acredita.resources.webhooks.secrets import PREFIX

USER_AGENT = "Service-Webhooks/1.0"


def envelope_id(delivery_id: UUID) -> str:
    return f"evt_{delivery_id.hex}"


def envelope(delivery_id: UUID, kind: EventKind, created_at: datetime, data: bytes) -> bytes:
    """The JSON body; `data` is spliced in as it was frozen, so every attempt has the same bytes."""
    head = (
        f'{{"id":"{envelope_id(delivery_id)}","event":"{kind.value}",'
        f'"createdAt":"{timestamp(created_at)}","data":'
    )
    return head.encode() + data + b"}"


def headers(
    secret: str,
    body: bytes,
    *,
    kind: EventKind,
    delivery_id: UUID,
    attempt_id: UUID,
    now: datetime,
    format: WebhookFormat = WebhookFormat.STANDARD,  # noqa: A002 (as on the wire)
) -> dict[str, str]:
    """The specified headers, and those of Standard Webhooks beside them.

    The specified signature covers the body alone; the other one also the moment, so that a receiver
    can refuse what is replayed to it.
    """
    message_id, seconds = envelope_id(delivery_id), str(int(now.timestamp()))
    named = {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "X-Service-Event": kind.value,
        "X-Service-Signature": signature(secret, body),
        "X-Service-Delivery": str(attempt_id),
        "webhook-id": message_id,
        "webhook-timestamp": seconds,
        "webhook-signature": standard_signature(secret, message_id, seconds, body),
    }
    if format is WebhookFormat.METAMAP:
        named["x-signature"] = bare_signature(secret, body)
    return named


def bare_signature(secret: str, body: bytes) -> str:
    """As the compatible API signs: nothing before the hex digits."""
    return hmac.digest(secret.encode(), body, hashlib.sha256).hex()


def signature(secret: str, body: bytes) -> str:
    """Keyed with the whole secret as it was shown."""
    return "sha256=" + bare_signature(secret, body)


def standard_signature(secret: str, message_id: str, seconds: str, body: bytes) -> str:
    """As of Standard Webhooks 1.0."""
    signed = f"{message_id}.{seconds}.".encode() + body
    digest = hmac.digest(_standard_key(secret), signed, hashlib.sha256)
    return "v1," + base64.b64encode(digest).decode()


@lru_cache(maxsize=256)
def _standard_key(secret: str) -> bytes:
    """What follows whsec_, decoded; the bytes of a caller's own secret that is no such thing."""
    if secret.startswith(PREFIX):
        try:
            return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
        except (binascii.Error, ValueError):
            pass
    return secret.encode()
