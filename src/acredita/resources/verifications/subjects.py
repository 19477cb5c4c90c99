"""The subject of a verification at rest: sealed, in the verification's row."""

from collections.abc import Sequence

from acredita.domain.documents import PageKind
from acredita.domain.steps import DOCUMENT_OCR
from acredita.domain.subject import Field, Subject
from acredita.kit.crypto import KeyRing
from acredita.models import Verification, VerificationStep

ACCEPTED = "ACCEPTED"


def keep(keys: KeyRing, verification: Verification, subject: Subject) -> None:
    """Keep the subject with the verification, whose row the caller has locked."""
    verification.subject.seal(keys, subject)


def subject_of(
    keys: KeyRing, verification: Verification, steps: Sequence[VerificationStep]
) -> Subject:
    """The verification's subject; an empty one while nothing is known of it.

    Documents that an earlier release judged have no subject: what they said is in the evidence of
    their step.
    """
    kept = verification.subject.open(keys)
    if kept is not None:
        return kept
    evidence = [
        item
        for step in steps
        if step.type == DOCUMENT_OCR
        for item in step.evidence.open(keys) or []
    ]
    fields = {
        item["field"]: Field(item["value"], item.get("decision") == ACCEPTED) for item in evidence
    }
    return Subject(kind=PageKind.UNKNOWN if fields else None, fields=fields)
