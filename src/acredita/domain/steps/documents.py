"""DOCUMENT_OCR: the documents are read and judged."""

from collections.abc import Sequence
from typing import Final

from acredita.domain.documents.picture_problems import DOCUMENTS
from acredita.domain.steps import options, table
from acredita.domain.steps.kind import Config, Roles, StepKind, Words
from acredita.domain.verification import DOCUMENT_ROLES, DocumentRole, StepType

DOCUMENT_OCR: Final = StepType("DOCUMENT_OCR")
LONGEST_GRACE_SECONDS = 3600
REQUIRABLE_FIELDS: Final = (
    "address",
    "section",
    "registrationYear",
    "emission",
    "emissionYear",
    "cic",
    "ocr",
    "placeOfBirth",
    "issueDate",
    "curp",
    "maternalSurname",
    "rfc",
)
"""Fields that the rules of at least one document do not require. With a field that a document does
not show, such as the address on a passport, the step accepts no such document."""
DEFAULT_GRACE_SECONDS = 30.0
HIGHEST_MINIMUM_AGE = 120


def minimum_age(config: Config) -> float | None:
    """The lowest age that passes, in years; None without one."""
    return config.get("minimumAge")


def requires_back(config: Config) -> bool:
    return config.get("requireBack") is True


def back_grace_seconds(config: Config) -> float:
    return float(config.get("backGraceSeconds", DEFAULT_GRACE_SECONDS))


def asked_documents(config: Config) -> list[str] | None:
    """The documents that a step accepts, by their names in DOCUMENTS; None for any."""
    return config.get("documents")


def required_fields(config: Config) -> list[str]:
    """The fields that must be accepted beside those that the document's rules require."""
    of_age = [] if minimum_age(config) is None else ["dateOfBirth"]
    return [*config.get("requiredFields", ()), *of_age]


def _needed_roles(config: Config, present: Roles, lacking: Roles) -> Sequence[DocumentRole]:
    """The front, or a passport in its place; the back where it is required or asked for again."""
    if DocumentRole.FRONT not in present:
        if DocumentRole.PASSPORT in present:
            return ()
        if DocumentRole.PASSPORT in lacking and DocumentRole.FRONT not in lacking:
            return (DocumentRole.PASSPORT,)
    if requires_back(config) or DocumentRole.BACK in lacking:
        return (DocumentRole.FRONT, DocumentRole.BACK)
    return (DocumentRole.FRONT,)


def _optional_roles(present: Roles) -> Sequence[DocumentRole]:
    """A card's back."""
    is_card = DocumentRole.FRONT in present or DocumentRole.PASSPORT not in present
    return (DocumentRole.BACK,) if is_card and DocumentRole.BACK not in present else ()


table.register(
    StepKind(
        type=DOCUMENT_OCR,
        name=Words("Tu identificación", "Your ID"),
        needed_roles=_needed_roles,
        alternatives={DocumentRole.FRONT: DocumentRole.PASSPORT},
        optional_roles=_optional_roles,
        judged_roles=(DOCUMENT_ROLES,),
        roles_to_retake=lambda _code, present: DOCUMENT_ROLES & present,
        options=(
            options.boolean("requireBack", "whether the step always waits for the back", "false"),
            options.number(
                "backGraceSeconds",
                0,
                LONGEST_GRACE_SECONDS,
                "seconds that the step waits for the back after the front",
                f"{DEFAULT_GRACE_SECONDS:g}",
            ),
            options.names(
                "documents",
                DOCUMENTS,
                "the accepted documents; any other goes to review with WRONG_DOCUMENT",
                "all of them",
            ),
            options.names(
                "requiredFields",
                REQUIRABLE_FIELDS,
                "fields that must be accepted beside those that each document always needs; "
                "otherwise the step goes to review",
                "none",
            ),
            options.number(
                "minimumAge",
                0,
                HIGHEST_MINIMUM_AGE,
                "the lowest age in years; a younger person fails with UNDERAGE",
                "none",
            ),
        ),
    )
)
