"""The fields of documents in MetaMap's API. Clients expect each of them, also without a value."""

from datetime import UTC, date, datetime
from uuid import uuid4

import pytest

from acredita.domain.steps import DOCUMENT_OCR, PROOF_OF_ADDRESS
from acredita.domain.verification import DocumentRole, StepStatus
from acredita.resources.metamap.field_names import EXPECTED
from acredita.resources.metamap.verification_view import (
    OpenedStep,
    OpenedVerification,
    computed_view,
)

CARD, PROOF = uuid4(), uuid4()


def verification(*steps):
    documents = {DocumentRole.FRONT: CARD, DocumentRole.PROOF_OF_ADDRESS: PROOF}
    roles = {str(document_id): role for role, document_id in documents.items()}
    return OpenedVerification(
        {}, steps, documents, roles, frozenset(), None, None, datetime.now(UTC)
    )


def reading(step_type, status, document_id, **values):
    evidence = [
        {"field": name, "value": value, "documentId": str(document_id)}
        for name, value in values.items()
    ]
    return OpenedStep(uuid4(), step_type, status, {}, evidence, None, {})


def test_a_field_that_was_not_read_is_null():
    born = {"givenNames": "ANA", "dateOfBirth": "1990-05-05", "emission": "01"}
    read = verification(
        reading(DOCUMENT_OCR, StepStatus.REVIEW, CARD, **born),
        reading(PROOF_OF_ADDRESS, StepStatus.FAILED, PROOF),
    )
    card, proof = read.fields["national-id"], read.fields["proof-of-residency"]
    assert set(card) == {*EXPECTED["national-id"], "firstName"}
    assert card["cde"] == {"value": None, "label": "Elector Key"}
    assert card["ne"] == {"value": "01", "label": "Emission Number"}
    assert card["expirationDate"] == {
        "value": None, "label": "Date of Expiration", "format": "date",
    }  # fmt: skip
    assert card["fullName"] == {"value": "ANA", "label": "Name"}
    assert {name: each["value"] for name, each in proof.items()} == dict.fromkeys(
        ("fullName", "address", "emissionDate")
    )
    assert computed_view(read, date(2026, 5, 5)) == {
        "age": {"data": 36},
        "isDocumentExpired": {"data": {"national-id": None, "proof-of-residency": None}},
    }


@pytest.mark.parametrize("status", [StepStatus.PENDING, StepStatus.RUNNING, StepStatus.SKIPPED])
def test_a_document_that_was_not_read_has_no_fields(status):
    waiting = verification(reading(DOCUMENT_OCR, status, CARD))
    assert waiting.fields == {"national-id": {}, "proof-of-residency": {}}
