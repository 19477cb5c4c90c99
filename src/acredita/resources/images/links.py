"""Signed links to one picture. A link opens its picture for anyone until it expires."""

import base64
import binascii
import re
from datetime import datetime
from uuid import UUID

from acredita.kit.crypto import Signer
from acredita.ports import LinkSigning

PURPOSE = "media-link"
KEY = re.compile(r"([0-9]{1,12})\.([A-Za-z0-9_-]{43})")


def image_link(services: LinkSigning, document_id: UUID, now: datetime) -> str:
    """Return the URL of the document's image, valid for `settings.media_link_lifetime` seconds."""
    return _link(services, f"/v1/documents/{document_id}/image", str(document_id), now)


def media_link(services: LinkSigning, media_id: UUID, now: datetime) -> str:
    """Return the same for a picture derived from a document."""
    return _link(services, f"/v1/passport-image/{media_id}", f"media:{media_id}", now)


def compatible_link(
    services: LinkSigning, document_id: UUID, now: datetime, *, prefix: str = ""
) -> str:
    """Return the same in the compatible API. A key of either link opens both.

    `prefix`: put before the id; it names a picture that is made of the document.
    """
    path = f"/v1/metamap/file?location={prefix}{document_id}"
    return _link(services, path, str(document_id), now)


def training_link(services: LinkSigning, media_id: UUID, now: datetime) -> str:
    """Return the same as a stream, for labelling; a key of either link opens both."""
    return _link(services, f"/v1/training/media/{media_id}", f"media:{media_id}", now)


def opens(link_signer: Signer, document_id: UUID, key: str, now: datetime) -> bool:
    """Return whether `key` is a valid, unexpired key of a link to this document."""
    return _opens(link_signer, str(document_id), key, now)


def opens_media(link_signer: Signer, media_id: UUID, key: str, now: datetime) -> bool:
    return _opens(link_signer, f"media:{media_id}", key, now)


def _link(services: LinkSigning, path: str, subject: str, now: datetime) -> str:
    expiry = int(now.timestamp()) + services.settings.media_link_lifetime
    digest = services.link_signer.digest(PURPOSE, _message(subject, expiry))
    key = f"{expiry}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"
    separator = "&" if "?" in path else "?"
    return f"{services.settings.public_url}{path}{separator}key={key}"


def _opens(link_signer: Signer, subject: str, key: str, now: datetime) -> bool:
    parts = KEY.fullmatch(key)
    if parts is None:
        return False
    expiry = int(parts[1])
    try:
        digest = base64.urlsafe_b64decode(parts[2] + "=")
    except binascii.Error:
        return False
    message = _message(subject, expiry)
    return link_signer.matches(PURPOSE, message, digest) and now.timestamp() < expiry


def _message(subject: str, expiry: int) -> bytes:
    return f"{subject}:{expiry}".encode()
