"""The front of the voter card: where each field is printed, by its caption or its shape.

Models E and F print most values beside their captions, G and H under them; both are tried.
"""

from collections.abc import Iterator

from acredita.engines.documents.captions import best_line, captioned, day_first, shaped
from acredita.engines.documents.layout import (
    CLAVE_SHAPE,
    CURP_SHAPE,
    DATE_SHAPE,
    YEAR_SHAPE,
    Layout,
)
from acredita.engines.documents.spots import Spot


def spots(layout: Layout) -> list[Spot]:
    """Every field found; its value may still turn out unreadable."""
    found = [*_names(layout), *_address(layout)]
    for field, shape in (("clave", CLAVE_SHAPE), ("curp", CURP_SHAPE)):
        if line := best_line(layout.lines, shape):
            found.append(Spot(field, line, shaped(shape)))
    found += captioned(layout, "sex", "S", "SEXO", repeated=True)
    found += captioned(layout, "section", "9999", "SECCIÓN")
    birth = captioned(
        layout, "dateOfBirth", DATE_SHAPE, "FECHA DE NACIMIENTO", day_first, repeated=True
    )
    if not birth and (line := best_line(layout.lines, DATE_SHAPE)):
        birth = [Spot("dateOfBirth", line, shaped(DATE_SHAPE), day_first, repeated=True)]
    return [*found, *birth, *_years(layout)]


def _names(layout: Layout) -> Iterator[Spot]:
    """Two surnames and the given names; a card with two lines has one surname."""
    caption = layout.caption("NOMBRE")
    until = layout.caption("DOMICILIO") or layout.caption("CLAVE DE ELECTOR")
    if caption is None or until is None:
        return
    lines = layout.block(caption, until.label.centre[1] - 0.5 * until.label.height)
    fields = ("paternalSurname", "maternalSurname", "givenNames")
    if len(lines) == 2:
        fields = ("paternalSurname", "givenNames", "")
    if 2 <= len(lines) <= 3:
        for field, line in zip(fields, lines, strict=False):
            yield Spot(field, line)


def _address(layout: Layout) -> Iterator[Spot]:
    caption = layout.caption("DOMICILIO")
    until = layout.caption("CLAVE DE ELECTOR")
    if caption is None or until is None:
        return
    lines = layout.block(caption, until.label.centre[1] - 0.5 * until.label.height)
    for number, line in enumerate(lines[:3], start=1):
        yield Spot(f"address{number}", line)


def _years(layout: Layout) -> Iterator[Spot]:
    for spot in captioned(layout, "registrationYear", YEAR_SHAPE + "99", "AÑO DE REGISTRO"):
        yield Spot("registrationYear", spot.line, spot.take, lambda text: text[:4])
        yield Spot("emission", spot.line, spot.take, lambda text: text[4:])
    both = captioned(layout, "expiryYear", 2 * YEAR_SHAPE, "VIGENCIA")
    for spot in both:
        yield Spot("emissionYear", spot.line, spot.take, lambda text: text[:4], repeated=True)
        yield Spot("expiryYear", spot.line, spot.take, lambda text: text[4:], repeated=True)
    if not both:
        yield from captioned(layout, "expiryYear", YEAR_SHAPE, "VIGENCIA", repeated=True)
        yield from captioned(layout, "emissionYear", YEAR_SHAPE, "EMISIÓN", repeated=True)
