"""Which side of which document a page is."""

import re
from collections.abc import Sequence
from typing import Final

from acredita.domain.documents import PageKind
from acredita.engines.documents.layout import Layout, squeezed
from acredita.engines.text import Line

_FRONT_TITLES: Final = ("INSTITUTO NACIONAL ELECTORAL", "CREDENCIAL PARA VOTAR", "CLAVE DE ELECTOR")
_FRONT_CAPTIONS: Final = (
    "NOMBRE",
    "DOMICILIO",
    "CURP",
    "AÑO DE REGISTRO",
    "FECHA DE NACIMIENTO",
    "SECCIÓN",
    "VIGENCIA",
)
_VOTER_MRZ: Final = re.compile("[I1L][D0O][MN]EX[0-9OIBSZ]{6}")
_PASSPORT_TITLES: Final = ("PASAPORTE", "PASSPORT", "ESTADOS UNIDOS MEXICANOS")


def classify(lines: Sequence[Line]) -> PageKind:
    """By what only that page carries: the MRZ's prefix first, then titles with captions."""
    machine = [squeezed(line.text) for line in lines if is_machine_readable(line)]
    if any(_VOTER_MRZ.match(text) for text in machine):
        return PageKind.INE_BACK
    if any(len(text) >= 5 and text[0] == "P" for text in machine) and _wide(lines):
        return PageKind.PASSPORT
    layout = Layout(lines)
    titles = sum(layout.caption(title) is not None for title in _FRONT_TITLES)
    captions = sum(layout.caption(caption) is not None for caption in _FRONT_CAPTIONS)
    if titles and captions >= 2:
        return PageKind.INE_FRONT
    if sum(layout.caption(title) is not None for title in _PASSPORT_TITLES) >= 2:
        return PageKind.PASSPORT
    if len(machine) >= 2 and any("MEX" in text for text in machine):
        return PageKind.INE_BACK
    return PageKind.UNKNOWN


def is_machine_readable(line: Line) -> bool:
    """A line of an MRZ: long, without lower case, and with fillers or mostly digits."""
    text = line.text.replace(" ", "")
    if len(text) < 22 or sum(c.islower() for c in text) > 3:
        return False
    return "<" in text or sum(c.isdigit() for c in text) > 8


def _wide(lines: Sequence[Line]) -> bool:
    return any(
        is_machine_readable(line) and len(line.text.replace(" ", "")) >= 36 for line in lines
    )
