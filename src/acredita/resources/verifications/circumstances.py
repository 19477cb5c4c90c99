"""What a policy knows of a verification besides its steps, at the time when it is asked."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.policies import circumstances
from acredita.domain.policies.circumstances import MOST, Other
from acredita.domain.verification import DocumentRole, VerificationStatus
from acredita.models import Document, IdentifierUse, Verification

# One row for each own identifier and each verification that has it, too; the newest ones.
OTHERS = text(
    f"""
    SELECT own.kind, own.hash, verification.id, verification.status,
           verification.created_at > clock_timestamp() - INTERVAL '24 hours',
           ARRAY(SELECT theirs.hash FROM person_identifier AS theirs
                 WHERE theirs.verification_id = other.verification_id
                   AND theirs.kind = '{IdentifierUse.CURP}')
    FROM person_identifier AS own
    LEFT JOIN LATERAL (
        SELECT found.verification_id FROM person_identifier AS found
        WHERE found.organization_id = own.organization_id AND found.hash = own.hash
          AND found.verification_id <> own.verification_id
        ORDER BY found.created_at DESC LIMIT {MOST}
    ) AS other ON true
    LEFT JOIN verification ON verification.id = other.verification_id
    WHERE own.organization_id = :organization AND own.verification_id = :verification
    """  # noqa: S608 (constants)
)


async def take(
    session: AsyncSession, verification: Verification, documents: Mapping[DocumentRole, Document]
) -> None:
    """Store the circumstances, as of now, in the verification. The caller holds its row lock.

    Two verifications of a person that are decided at the same moment may not count each other.
    """
    known = {
        **await _others(session, verification),
        **circumstances.of_pictures({role: row.source for role, row in documents.items()}),
    }
    verification.circumstances = circumstances.stored(known)


async def _others(session: AsyncSession, verification: Verification) -> dict[str, Any]:
    found = await session.execute(
        OTHERS, {"organization": verification.organization_id, "verification": verification.id}
    )
    curps, others, has_contact = set(), [], False
    for kind, number, other_id, status, is_recent, their_curps in found:
        is_curp = kind == IdentifierUse.CURP
        has_contact = has_contact or not is_curp
        if is_curp:
            curps.add(number)
        if other_id is not None:
            others.append(
                Other(
                    other_id,
                    VerificationStatus(status),
                    is_recent=is_recent,
                    is_by_curp=is_curp,
                    curps=frozenset(their_curps),
                )
            )
    return circumstances.of_others(curps, others, has_contact=has_contact)
