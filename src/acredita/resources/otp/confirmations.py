"""The codes of a verification that were confirmed, and the wrong ones, from the audit log.

The rows of the codes are deleted soon after they expire; the log keeps what happened.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.phone_and_email import Channel, counted_as
from acredita.kit.crypto import Signer
from acredita.models import AuditEntry
from acredita.models.tenancy import belongs_to

# The purpose of the digests of phones and addresses.
DESTINATIONS = "otp-destination"


@dataclass(frozen=True, slots=True)
class Confirmation:
    channel: Channel
    # Of the phone or address: see `is_of`.
    destination: bytes
    at: datetime

    def is_of(self, signer: Signer, address: str) -> bool:
        """Whether the code was sent to this phone or address, in its one form."""
        message = counted_as(self.channel, address).encode()
        return signer.matches(DESTINATIONS, message, self.destination)


async def find(
    session: AsyncSession, organization_id: UUID, verification_id: UUID
) -> tuple[list[Confirmation], int]:
    """Return the confirmed codes, oldest first, and the number of wrong guesses."""
    query = (
        select(AuditEntry.action, AuditEntry.details, AuditEntry.created_at)
        .where(
            belongs_to(AuditEntry, organization_id),
            AuditEntry.resource_id == verification_id,
            AuditEntry.action.in_([Action.CODE_CONFIRMED.value, Action.CODE_MISTAKEN.value]),
        )
        .order_by(AuditEntry.created_at, AuditEntry.id)
    )
    confirmed, mistakes = [], 0
    for action, text, at in await session.execute(query):
        if action != Action.CODE_CONFIRMED:
            mistakes += 1
            continue
        details = json.loads(text)
        digest = bytes.fromhex(details["destination"])
        confirmed.append(Confirmation(Channel(details["channel"]), digest, at))
    return confirmed, mistakes
