"""Compare a reviewer's labels of a document's fields with the readings."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

FIELDS: Final = frozenset(
    (
        "givenNames",
        "paternalSurname",
        "maternalSurname",
        "surnames",
        "name",
        "curp",
        "rfc",
        "clave",
        "dateOfBirth",
        "sex",
        "address",
        "section",
        "registrationYear",
        "emission",
        "emissionYear",
        "expiryYear",
        "expiryDate",
        "cic",
        "ocr",
        "citizenId",
        "documentNumber",
        "issueDate",
        "issuingState",
        "placeOfBirth",
        "nationality",
        "bloodType",
        "licenceNumber",
        "licenceClass",
        "state",
        "mrz",
    )
)
"""Names that a label may use for every document, in addition to the fields that were read."""
# The one reason against a field that is a matter of its confidence alone.
_LOW_CONFIDENCE: Final = "LOW_CONFIDENCE"
_REJECTED: Final = "REJECTED"


@dataclass(frozen=True, slots=True)
class Read:
    """The reading of a field and its decision."""

    value: str
    confidence: float
    decision: str
    source: str
    confirmation: str | None = None
    reasons: tuple[str, ...] = ()

    @property
    def is_decided_by_confidence(self) -> bool:
        """Whether a higher or lower threshold could change the decision."""
        return self.decision != _REJECTED and set(self.reasons) <= {_LOW_CONFIDENCE}


@dataclass(frozen=True, slots=True)
class Statement:
    """A reviewer's statements about one field; None for no statement."""

    field: str
    confirmed: str | None = None
    was_correct: bool | None = None
    was_metamap_correct: bool | None = None
    was_present: bool | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A field as it was read, against what the reviewer says. `present` and `correct` are None
    where that does not follow; `correct` also where nothing was read.
    """

    field: str
    read: Read | None
    present: bool | None
    correct: bool | None
    metamap_correct: bool | None
    # The value on the document: "" if the field is absent, None if the reviewer does not state it.
    truth: str | None


def written_alike(one: str, other: str) -> bool:
    """Whether two values are equal without regard to case and spaces; accents and Ñ count."""
    return _plain(one) == _plain(other)


def _plain(value: str) -> str:
    return " ".join(unicodedata.normalize("NFC", value).upper().split())


def faults(statements: Sequence[Statement], read: Mapping[str, Read]) -> list[str]:
    """Return the contradictions of the statements with each other or with the readings."""
    seen: set[str] = set()
    found = []
    for position, statement in enumerate(statements):
        for key, fault in _faults(statement, read.get(statement.field)):
            found.append(f"fields.{position}.{key}: {fault}")
        if statement.field not in FIELDS and statement.field not in read:
            found.append(f"fields.{position}.fieldName: no document has such a field")
        if statement.field in seen:
            found.append(f"fields.{position}.fieldName: is named twice")
        seen.add(statement.field)
    return found


def _faults(statement: Statement, read: Read | None) -> Iterator[tuple[str, str]]:
    confirmed, correct = statement.confirmed, statement.was_correct
    if statement.was_present is False:
        if confirmed is not None:
            yield "confirmedValue", "a field that is not present has no value"
        if correct and read is not None:
            yield "wasMlCorrect", "what was read is not right where nothing stands"
        return
    if correct and read is None:
        yield "wasMlCorrect", "nothing was read that could be right"
    if confirmed is not None and correct is not None and read is not None:
        alike = written_alike(confirmed, read.value)
        if correct and not alike:
            yield "confirmedValue", "differs from what was read, which is said to be right"
        if not correct and alike:
            yield "confirmedValue", "is what was read, which is said to be wrong"


def compare(statement: Statement, read: Read | None) -> Comparison:
    present = statement.was_present
    correct = statement.was_correct if read is not None else None
    truth = statement.confirmed
    if present is False:
        truth = ""
        correct = False if read is not None else None
    elif truth is not None:
        present = True
        correct = written_alike(truth, read.value) if read is not None else None
    elif correct and read is not None:
        present, truth = True, read.value
    return Comparison(statement.field, read, present, correct, statement.was_metamap_correct, truth)


def agreement(ours: Sequence[Comparison], theirs: Sequence[Comparison]) -> tuple[int, int]:
    """Of how many fields both labels say what stands there, and of how many the same."""
    said = {each.field: each.truth for each in theirs if each.truth is not None}
    both = [
        (each.truth, said[each.field])
        for each in ours
        if each.truth is not None and each.field in said
    ]
    return len(both), sum(written_alike(one, other) for one, other in both)
