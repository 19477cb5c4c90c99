"""Signed links to a document's image: whoever holds one sees that image until it expires."""

import base64
import binascii
import re
from datetime import datetime
from uuid import UUID

from acredita.services import Services

PURPOSE = "media-link"
KEY = re.compile(r"([0-9]{1,12})\.([A-Za-z0-9_-]{43})")


def image_link(services: Services, document_id: UUID, now: datetime) -> str:
    """An absolute URL of the document's image, valid for `settings.media_link_lifetime` seconds."""
    expiry = int(now.timestamp()) + services.settings.media_link_lifetime
    digest = services.link_signer.digest(PURPOSE, _message(document_id, expiry))
    key = f"{expiry}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"
    return f"{services.settings.public_url}/v1/documents/{document_id}/image?key={key}"


def opens(services: Services, document_id: UUID, key: str, now: datetime) -> bool:
    """Whether `key` is one of a link to this document, unaltered and not expired."""
    parts = KEY.fullmatch(key)
    if parts is None:
        return False
    expiry = int(parts[1])
    try:
        digest = base64.urlsafe_b64decode(parts[2] + "=")
    except binascii.Error:
        return False
    message = _message(document_id, expiry)
    return services.link_signer.matches(PURPOSE, message, digest) and now.timestamp() < expiry


def _message(document_id: UUID, expiry: int) -> bytes:
    return f"{document_id}:{expiry}".encode()
