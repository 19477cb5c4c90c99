"""The names of document fields in the compatible API."""

from collections.abc import Mapping, Sequence

from acredita.resources.metamap.document_types import CARD, LICENCE, PASSPORT, PROOF

# Our field: its name in the compatible API, its label, its format.
FIELD_NAMES = {
    "givenNames": ("firstName", "First Name", None),
    "surnames": ("surname", "Surname", None),
    "address": ("address", "Address", None),
    "cic": ("documentNumber", "Document Number", None),
    "documentNumber": ("documentNumber", "Document Number", None),
    "dateOfBirth": ("dateOfBirth", "Day of Birth", "date"),
    "expiryDate": ("expirationDate", "Date of Expiration", "date"),
    "issueDate": ("emissionDate", "Emission Date", "date"),
    # Of a bill without a date of issue.
    "periodEnd": ("emissionDate", "Emission Date", "date"),
    "sex": ("sex", "Sex", None),
    "curp": ("curp", "CURP", None),
    "clave": ("cde", "Elector Key", None),
    "emission": ("ne", "Emission Number", None),
    "ocr": ("ocrNumber", "OCR Number", None),
}
FULL_NAME = "Name"
_FORMS = {name: (label, form) for name, label, form in FIELD_NAMES.values()} | {
    "fullName": (FULL_NAME, None)
}
_OF_ALL = ("fullName", "documentNumber", "dateOfBirth", "expirationDate")
# The fields that clients expect of each type of document: null if the document was read without
# them.
EXPECTED: Mapping[str, Sequence[str]] = {
    CARD: (*_OF_ALL, "address", "cde", "curp", "ne", "ocrNumber"),
    LICENCE: _OF_ALL,
    PASSPORT: _OF_ALL,
    PROOF: ("fullName", "address", "emissionDate"),
}


def field(value: str | None, label: str, form: str | None) -> dict[str, str | None]:
    return {"value": value, "label": label} | ({"format": form} if form else {})


def unread(kind: str) -> dict[str, dict[str, str | None]]:
    """Return the fields of a document of the kind in which a reading found nothing."""
    return {name: field(None, *_FORMS[name]) for name in EXPECTED[kind]}
