"""Synthetic identities: people who do not exist, and their documents drawn as specimens.

`make_person` gives a consistent person for a seed, `make_specimen` the picture of a document with
the truth about it, `write_specimens` a folder of them. All is reproducible by seed and drawn from
nothing but code and two typefaces.
"""

from acredita.engines.synthetic.capture import Difficulty
from acredita.engines.synthetic.people import REFERENCE_DATE, Person, make_person
from acredita.engines.synthetic.specimens import (
    Specimen,
    SpecimenFormat,
    draw_document,
    make_pdf,
    make_specimen,
    write_specimens,
)
from acredita.engines.synthetic.truth import SpecimenKind, values_on

__all__ = [
    "REFERENCE_DATE",
    "Difficulty",
    "Person",
    "Specimen",
    "SpecimenFormat",
    "SpecimenKind",
    "draw_document",
    "make_pdf",
    "make_person",
    "make_specimen",
    "values_on",
    "write_specimens",
]
