"""Collect a verification's evidence about a signer and check it against the tier."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from acredita.domain.caller import Caller
from acredita.domain.errors import EvidenceMissing
from acredita.domain.esignature import NEEDED, Tier, missing_evidence
from acredita.domain.steps import DOCUMENT_OCR, FACE_MATCH
from acredita.domain.verification import StepStatus, StepType, VerificationStatus
from acredita.kit import ids
from acredita.kit.clock import timestamp
from acredita.kit.crypto import KeyRing
from acredita.kit.db import Database
from acredita.models import VerificationStep
from acredita.resources.esignature import queries
from acredita.resources.verifications import subjects
from acredita.resources.verifications.registry_claims import claims_of_documents


async def gather(
    database: Database, keys: KeyRing, caller: Caller, verification_id: str, tier: Tier, signer: str
) -> tuple[UUID, dict[str, Any]]:
    """Return the verification's id and the evidence. Raise NotFound, EvidenceMissing."""
    async with database.transaction() as session:
        verification, steps = await queries.verification(
            session, caller, ids.parse(verification_id)
        )
    # Only the subject counts. The caller's own statements prove nothing.
    subject = subjects.load(keys, verification, steps)
    name = claims_of_documents(subject).name
    faults = missing_evidence(
        tier,
        signer,
        status=VerificationStatus(verification.status),
        steps={(StepType(step.type), StepStatus(step.status)) for step in steps},
        name=name,
    )
    if faults:
        raise EvidenceMissing(details=faults)
    document = _passed(steps, tier, DOCUMENT_OCR)
    face = _passed(steps, tier, FACE_MATCH)
    return verification.id, {
        "verificationStatus": verification.status,
        "document": document
        and {
            **_fact(document),
            "name": name.full if name is not None else "",
            "documentIds": [str(page.document_id) for page in subject.pages],
        },
        "face": face and {**_fact(face), "similarity": _similarity(keys, face)},
    }


def _passed(
    steps: Sequence[VerificationStep], tier: Tier, step_type: StepType
) -> VerificationStep | None:
    if step_type not in NEEDED[tier]:
        return None
    return next(
        (
            step
            for step in steps
            if step.type == step_type and step.status == StepStatus.PASSED.value
        ),
        None,
    )


def _fact(step: VerificationStep) -> dict[str, Any]:
    finished = step.finished_at
    return {
        "stepId": str(step.id),
        "passedAt": None if finished is None else timestamp(finished),
    }


def _similarity(keys: KeyRing, step: VerificationStep) -> float | None:
    result = step.result.open(keys) or {}
    similarity = result.get("similarity")
    return float(similarity) if isinstance(similarity, int | float) else None
