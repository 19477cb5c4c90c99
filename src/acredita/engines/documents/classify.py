"""Determine the kind of a page."""

from collections.abc import Iterable, Sequence
from typing import Final

from acredita.domain.documents.licence_templates import LicenceTemplate
from acredita.domain.verification import DocumentRole
from acredita.engines.documents import (
    curp_certificate,
    ine_back,
    ine_front,
    passport,
    proof_of_address,
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
"""Every kind of page that can be read; of two kinds with the same clue, the first wins."""


def kinds_with(
    templates: Iterable[LicenceTemplate], role: DocumentRole | None = None
) -> Sequence[KindReader]:
    """Return all kinds, with these templates of licences before the built-in ones.

    Only the role of a proof of address has bills among them: in any other role they are no
    document.
    """
    own = tuple(templates)
    kinds = (*_OTHERS, licence_reader(own)) if own else KINDS
    return (*kinds, proof_of_address.READER) if role is DocumentRole.PROOF_OF_ADDRESS else kinds


def classify(lines: Sequence[Line], kinds: Sequence[KindReader] = KINDS) -> KindReader | None:
    """Return the kind with the strongest clue; None for an unknown page."""
    layout = Layout(lines)
    strongest, likeliest = Clue.NONE, None
    for reader in kinds:
        # The clue of a licence takes long: all states' templates are compared with all lines.
        if reader.strongest_clue > strongest and (clue := reader.clue(layout)) > strongest:
            strongest, likeliest = clue, reader
    return likeliest
