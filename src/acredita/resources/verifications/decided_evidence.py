"""The digest of what a decision rests on, which the audit log records with the decision."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.engines.evidence.decisions import evidence_digest
from acredita.kit.crypto import KeyRing
from acredita.models import Document, Verification, VerificationStep
from acredita.models.tenancy import owned


async def digest(
    session: AsyncSession,
    keys: KeyRing,
    verification: Verification,
    steps: Sequence[VerificationStep],
) -> bytes:
    """Return the SHA-256 of the files' digests and of the steps with their results."""
    query = (
        owned(Document, verification.organization_id)
        .with_only_columns(Document.id, Document.sha256)
        .where(Document.verification_id == verification.id)
    )
    files = await session.execute(query)
    inputs = [{"id": str(file_id), "sha256": sha256.hex()} for file_id, sha256 in files]
    return evidence_digest(inputs, [judged(keys, step) for step in steps])


def judged(keys: KeyRing, step: VerificationStep) -> dict[str, Any]:
    """Return a step as a record has it: how it ended, by what, and the digests of its results."""
    return {
        "id": str(step.id),
        "type": str(step.type),
        "status": str(step.status),
        "code": None if step.code is None else str(step.code),
        "judgedBy": step.judged_by,
        "resultSha256": VerificationStep.result.digest(keys, step.id, step.result_sealed),
        "evidenceSha256": VerificationStep.evidence.digest(keys, step.id, step.evidence_sealed),
    }
