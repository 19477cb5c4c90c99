"""Synthetic identities: people who do not exist, and specimens of their documents.

`make_person` returns a consistent person for a seed. `make_specimen` returns the image of a
document with its ground truth. `write_specimens` fills a folder. Everything is reproducible by seed
and drawn by code. `Style` chooses the layout and the typefaces.
"""

from acredita_synthetic.capture import Difficulty
from acredita_synthetic.ground_truth import SpecimenKind, values_on
from acredita_synthetic.people import REFERENCE_DATE, Person, make_person
from acredita_synthetic.specimens import (
    Specimen,
    SpecimenFormat,
    draw_document,
    make_pdf,
    make_specimen,
    write_specimens,
)
from acredita_synthetic.styles import Style

__all__ = [
    "REFERENCE_DATE",
    "Difficulty",
    "Person",
    "Specimen",
    "SpecimenFormat",
    "SpecimenKind",
    "Style",
    "draw_document",
    "make_pdf",
    "make_person",
    "make_specimen",
    "values_on",
    "write_specimens",
]
