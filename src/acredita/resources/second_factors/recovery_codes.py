"""Codes that replace a lost second factor, each once."""

import re
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.kit import typed_codes
from acredita.kit.crypto import Signer
from acredita.models import RecoveryCode
from acredita.resources.second_factors import queries

PURPOSE = "recovery-code"
CODES = 10
# 50 random bits.
LENGTH = 10
GROUP = 5


async def renew(
    session: AsyncSession, signer: Signer, organization_id: UUID, user_id: UUID
) -> list[str]:
    """Replace the user's codes. Return the new ones, which are stored as hashes only."""
    await queries.delete_recovery_codes(session, organization_id, user_id)
    codes = [typed_codes.draw(LENGTH).lower() for _ in range(CODES)]
    session.add_all(
        RecoveryCode(
            organization_id=organization_id, user_id=user_id, digest=digest(signer, user_id, code)
        )
        for code in codes
    )
    return [typed_codes.grouped(code, GROUP) for code in codes]


def digest(signer: Signer, user_id: UUID, code: str) -> bytes:
    """The form in which a code is stored. Case, blanks and dashes do not matter."""
    plain = re.sub(r"[\s-]", "", code).lower()
    return signer.digest(PURPOSE, f"{user_id}\x00{plain}".encode())
