"""Signed links that confirm a new e-mail address. They are not stored.

A link is valid for one user and that user's pending address. It stops working when the address is
confirmed or another address is pending.
"""

import base64
import binascii
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from acredita.kit.clock import Clock
from acredita.kit.crypto import Signer
from acredita.ports import LinkSigning

PURPOSE = "confirm-email"
LIFETIME = timedelta(days=1)
ID_BYTES, MOMENT_BYTES, DIGEST_BYTES = 16, 8, 32


@dataclass(frozen=True, slots=True)
class Token:
    """The parsed content of a link. Only `is_for` verifies it."""

    user_id: UUID
    expiry: int
    digest: bytes

    def is_for(self, link_signer: Signer, email: str, now: datetime) -> bool:
        message = _message(self.user_id, self.expiry, email)
        is_ours = link_signer.matches(PURPOSE, message, self.digest)
        return is_ours and now.timestamp() < self.expiry


def address_link(services: LinkSigning, clock: Clock, user_id: UUID, email: str) -> str:
    """The URL at which the owner of `email` confirms the address."""
    expiry = int((clock.now() + LIFETIME).timestamp())
    message = _message(user_id, expiry, email)
    digest = services.link_signer.digest(PURPOSE, message)
    content = user_id.bytes + expiry.to_bytes(MOMENT_BYTES, "big") + digest
    token = base64.urlsafe_b64encode(content).decode().rstrip("=")
    return f"{services.settings.public_url}/confirm-email?token={token}"


def parse(token: str) -> Token | None:
    """Parse a token without verifying it; None if it is malformed."""
    try:
        content = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(content) != ID_BYTES + MOMENT_BYTES + DIGEST_BYTES:
        return None
    moment = content[ID_BYTES : ID_BYTES + MOMENT_BYTES]
    return Token(
        UUID(bytes=content[:ID_BYTES]), int.from_bytes(moment, "big"), content[-DIGEST_BYTES:]
    )


def _message(user_id: UUID, expiry: int, email: str) -> bytes:
    return f"{user_id}:{expiry}:{email}".encode()
