"""Signed links to images: whoever holds one may look, until it expires."""

import base64
from datetime import datetime
from uuid import UUID

from acredita.services import Services

PURPOSE = "media-link"


def image_link(services: Services, document_id: UUID, now: datetime) -> str:
    """An address of the document's image that needs no bearer, for a quarter of an hour."""
    expires = int(now.timestamp()) + services.settings.media_link_lifetime
    signature = services.signer.digest(PURPOSE, _message(document_id, expires))
    key = f"{expires}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"
    return f"{services.settings.public_url}/v1/documents/{document_id}/image?key={key}"


def opens(services: Services, document_id: UUID, key: str, now: datetime) -> bool:
    """Whether `key` is a link's that was made for this document and has not expired."""
    digits, _, encoded = key.partition(".")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 12):
        return False
    try:
        signature = base64.b64decode(encoded + "=" * (-len(encoded) % 4), b"-_", validate=True)
    except ValueError:
        return False
    genuine = services.signer.matches(PURPOSE, _message(document_id, int(digits)), signature)
    return genuine and int(digits) >= now.timestamp()


def _message(document_id: UUID, expires: int) -> bytes:
    return document_id.bytes + expires.to_bytes(8, "big")
