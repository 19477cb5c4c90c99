"""The subject of a verification at rest: sealed, in the verification's row."""

from collections.abc import Sequence
from uuid import UUID

from pydantic import TypeAdapter

from acredita.domain.documents import PageKind
from acredita.domain.subject import Field, Subject
from acredita.domain.verification import StepType
from acredita.kit.crypto import KeyRing
from acredita.models import Verification, VerificationStep
from acredita.resources.verifications import sealing

_SUBJECT = TypeAdapter(Subject)
ACCEPTED = "ACCEPTED"


def keep(keys: KeyRing, verification: Verification, subject: Subject) -> None:
    """Keep the subject with the verification, whose row the caller has locked."""
    verification.subject_sealed = keys.seal(
        _SUBJECT.dump_json(subject), context=subject_context(verification.id)
    )


def subject_of(
    keys: KeyRing, verification: Verification, steps: Sequence[VerificationStep]
) -> Subject:
    """The verification's subject; an empty one while nothing is known of it.

    Documents that an earlier release judged have no subject: what they said is in the evidence of
    their step.
    """
    if verification.subject_sealed is not None:
        context = subject_context(verification.id)
        return _SUBJECT.validate_json(keys.unseal(verification.subject_sealed, context=context))
    evidence = [
        item
        for step in steps
        if step.type == StepType.DOCUMENT_OCR
        for item in sealing.unseal(keys, step.id, step.evidence_sealed) or []
    ]
    fields = {
        item["field"]: Field(item["value"], item.get("decision") == ACCEPTED) for item in evidence
    }
    return Subject(kind=PageKind.UNKNOWN if fields else None, fields=fields)


def subject_context(verification_id: UUID) -> str:
    return f"verification:{verification_id}:subject"
