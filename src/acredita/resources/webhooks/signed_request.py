"""The envelope and the headers of one attempt (specification, Events)."""

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
    """Return the JSON body with `data` as stored, so that every attempt has the same bytes."""
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
    """Return the headers of the specification and those of Standard Webhooks.

    The signature of the specification covers only the body. That of Standard Webhooks also covers
    the timestamp, so that a receiver can reject a replay.
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
    """Return the signature of the compatible API: hex digits without a prefix."""
    return hmac.digest(secret.encode(), body, hashlib.sha256).hex()


def signature(secret: str, body: bytes) -> str:
    """Return the signature of the specification; the key is the whole secret."""
    return "sha256=" + bare_signature(secret, body)


def standard_signature(secret: str, message_id: str, seconds: str, body: bytes) -> str:
    """Return the signature of Standard Webhooks 1.0."""
    signed = f"{message_id}.{seconds}.".encode() + body
    digest = hmac.digest(_standard_key(secret), signed, hashlib.sha256)
    return "v1," + base64.b64encode(digest).decode()


@lru_cache(maxsize=256)
def _standard_key(secret: str) -> bytes:
    """Return the decoded part after whsec_, or the bytes of a secret in another form."""
    if secret.startswith(PREFIX):
        try:
            return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
        except (binascii.Error, ValueError):
            pass
    return secret.encode()
