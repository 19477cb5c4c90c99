"""The types of steps that rules of the domain name, and the table of all types."""

from acredita.domain.steps.documents import DOCUMENT_OCR
from acredita.domain.steps.faces import FACE_MATCH
from acredita.domain.steps.kind import StepKind, Words
from acredita.domain.steps.liveness import LIVENESS
from acredita.domain.steps.registries import GOVERNMENT_VERIFY
from acredita.domain.steps.table import KINDS, kind_of, options_table, register, types
from acredita.domain.steps.watchlists import AML_SCREEN

__all__ = [
    "AML_SCREEN",
    "DOCUMENT_OCR",
    "FACE_MATCH",
    "GOVERNMENT_VERIFY",
    "KINDS",
    "LIVENESS",
    "StepKind",
    "Words",
    "kind_of",
    "options_table",
    "register",
    "types",
]
