"""Which side of which document a page is."""

from collections.abc import Iterable, Sequence
from typing import Final

from acredita.domain.documents.licence_templates import LicenceTemplate
from acredita.engines.documents import (
    curp_certificate,
    ine_back,
    ine_front,
    passport,
    rfc_certificate,
)
from acredita.engines.documents.kind import Clue, KindReader
from acredita.engines.documents.layout import Layout
from acredita.engines.documents.licences.reading import licence_reader
from acredita.engines.text import Line

_OTHERS: Final = (
    ine_back.READER,
    passport.READER,
    ine_front.READER,
    curp_certificate.READER,
    rfc_certificate.READER,
    rfc_certificate.ANNEX_READER,
)
KINDS: Final = (*_OTHERS, licence_reader())
"""Every kind of page that can be read; of two that as much speaks for, the first has it."""


def kinds_with(templates: Iterable[LicenceTemplate]) -> Sequence[KindReader]:
    """All kinds, licences by these templates before those that come with the service."""
    own = tuple(templates)
    return (*_OTHERS, licence_reader(own)) if own else KINDS


def classify(lines: Sequence[Line], kinds: Sequence[KindReader] = KINDS) -> KindReader | None:
    """By what only that page carries; None for a page of no kind that is known."""
    layout = Layout(lines)
    clues = [(reader.clue(layout), reader) for reader in kinds]
    clue, likeliest = max(clues, key=lambda pair: pair[0])
    return None if clue is Clue.NONE else likeliest
