"""The codes as they are stored: digests that are bound to their rows, and their audit entries."""

import secrets
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action, ActorType
from acredita.domain.one_time_password import DIGITS
from acredita.kit.crypto import Signer
from acredita.models import OneTimePassword
from acredita.resources.audit import service as audit

CODES = "one-time-password"


def draw() -> str:
    """Return a random code."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"


def digest(signer: Signer, password_id: UUID, code: str) -> bytes:
    """Bind the code to its row, so that equal codes have different digests."""
    return signer.digest(CODES, password_id.bytes + code.encode())


def matches(signer: Signer, password: OneTimePassword, code: str) -> bool:
    """Compare in constant time."""
    return signer.matches(CODES, password.id.bytes + code.encode(), password.code_digest)


def record(session: AsyncSession, password: OneTimePassword, action: Action) -> None:
    holder = audit.Actor(password.organization_id, ActorType.HOLDER)
    audit.record(
        session,
        holder,
        action,
        password.verification_id,
        channel=password.channel,
        destination=password.destination_digest,
    )
