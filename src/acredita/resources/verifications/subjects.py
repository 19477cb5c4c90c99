"""Store and load the subject of a verification, sealed in the verification's row."""

from collections.abc import Sequence

from acredita.domain.documents import PageKind
from acredita.domain.steps import DOCUMENT_OCR
from acredita.domain.subject import Field, Subject
from acredita.kit.crypto import KeyRing
from acredita.models import Verification, VerificationStep

ACCEPTED = "ACCEPTED"


def store(keys: KeyRing, verification: Verification, subject: Subject) -> None:
    """Store the subject. The caller has locked the verification's row."""
    verification.subject.seal(keys, subject)


def load(keys: KeyRing, verification: Verification, steps: Sequence[VerificationStep]) -> Subject:
    """Return the verification's subject, empty if there is none yet.

    Earlier releases stored no subject. It is then built from the evidence of DOCUMENT_OCR.
    """
    stored = verification.subject.open(keys)
    if stored is not None:
        return stored
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
