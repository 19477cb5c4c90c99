"""Adds judged documents to the labelling queue and copies their verification's status."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from sqlalchemy import update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.documents import Decision, PageKind, PageReading, Reason
from acredita.domain.verification import VerificationStatus
from acredita.models import TrainingItem, Verification


class MetamapStatus(StrEnum):
    """A verification's status in MetaMap's terms. MetaMap has no status for an expired
    verification."""

    PENDING = "pending"
    RUNNING = "running"
    VERIFIED = "verified"
    REJECTED = "rejected"
    REVIEW_NEEDED = "reviewNeeded"
    EXPIRED = "expired"


METAMAP_STATUS: Final = {
    VerificationStatus.PENDING: MetamapStatus.PENDING,
    VerificationStatus.IN_PROGRESS: MetamapStatus.RUNNING,
    VerificationStatus.APPROVED: MetamapStatus.VERIFIED,
    VerificationStatus.REJECTED: MetamapStatus.REJECTED,
    VerificationStatus.MANUAL_REVIEW: MetamapStatus.REVIEW_NEEDED,
    VerificationStatus.EXPIRED: MetamapStatus.EXPIRED,
}
_DISAGREE: Final = frozenset(
    reason.value for reason in Reason if reason.contradiction or reason is Reason.READINGS_DIFFER
)


async def add_to_queue(
    session: AsyncSession,
    verification: Verification,
    pages: Mapping[UUID, Sequence[PageReading]],
    *,
    evidence: Sequence[Mapping[str, Any]],
    judged_by: Mapping[str, str],
) -> None:
    """Add the judged documents to the queue, in the transaction that judges them.

    `pages` are the readings by document id, `evidence` has an item for each judged field,
    `judged_by` the versions of engine and rules. A document that is judged again gets new figures;
    its labels and leases stay.
    """
    rows = [
        {
            "document_id": document_id,
            "organization_id": verification.organization_id,
            "verification_id": verification.id,
            "read_type": _type_of(readings),
            "engine_version": judged_by["engine"],
            "rules_version": judged_by["rules"],
            "metamap_status": METAMAP_STATUS[VerificationStatus(verification.status)],
            **_figures([e for e in evidence if e["documentId"] == str(document_id)]),
        }
        for document_id, readings in pages.items()
    ]
    if not rows:
        return
    statement = insert(TrainingItem).values(rows)
    described = {
        column: statement.excluded[column]
        for column in rows[0]
        if column not in ("document_id", "organization_id", "verification_id")
    }
    await session.execute(
        statement.on_conflict_do_update(
            index_elements=["document_id", "organization_id"], set_=described
        )
    )


async def follow_status(session: AsyncSession, verification: Verification) -> None:
    status = METAMAP_STATUS[VerificationStatus(verification.status)]
    await session.execute(
        update(TrainingItem)
        .where(TrainingItem.verification_id == verification.id)
        .values(metamap_status=status)
        .execution_options(synchronize_session=False)
    )


def _type_of(pages: Sequence[PageReading]) -> str:
    """Return the kind of the first recognized page."""
    known = (page.kind for page in pages if page.kind is not PageKind.UNKNOWN)
    return next(known, PageKind.UNKNOWN).value


def _figures(fields: Sequence[Mapping[str, Any]]) -> dict[str, float | int]:
    accepted = sum(field["decision"] == Decision.ACCEPTED for field in fields)
    return {
        "lowest_confidence": min((field["confidence"] for field in fields), default=0.0),
        "disagreements": sum(bool(_DISAGREE.intersection(field["reasons"])) for field in fields),
        "hit_rate": round(accepted / len(fields), 4) if fields else 0.0,
    }
