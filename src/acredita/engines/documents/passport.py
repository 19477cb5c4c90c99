"""The data page of the passport: its visual zone, caption over value."""

from typing import Final

from acredita.engines.documents.captions import best_line, captioned, day_first, shaped
from acredita.engines.documents.layout import CURP_SHAPE, Layout
from acredita.engines.documents.spots import Spot

_TEXTS: Final = (
    ("surnames", "Apellidos"),
    ("givenNames", "Nombres"),
    ("placeOfBirth", "Lugar de nacimiento"),
)
_DATES: Final = (
    ("dateOfBirth", "Fecha de nacimiento"),
    ("dateOfIssue", "Fecha de expedición"),
    ("dateOfExpiry", "Fecha de caducidad"),
)


def spots(layout: Layout) -> list[Spot]:
    """The printed fields found."""
    found = []
    for field, caption in _TEXTS:
        label = layout.caption(caption)
        under = layout.below(label) if label else []
        found += [Spot(field, line) for line in under[:1]]
    for field, caption in _DATES:
        found += captioned(layout, field, "99999999", caption, day_first)
    found += captioned(layout, "documentNumber", "A99999999", "Pasaporte No")
    found += captioned(layout, "sex", "G", "Sexo")
    if line := best_line(layout.lines, CURP_SHAPE):
        found.append(Spot("curp", line, shaped(CURP_SHAPE)))
    return found
