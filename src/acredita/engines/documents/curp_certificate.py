"""Find the fields of a CURP certificate."""

import re
from typing import Final

from acredita.domain.documents import PageKind
from acredita.domain.documents.spelled_dates import read_date
from acredita.engines.documents.captions import best_line, shaped
from acredita.engines.documents.form_pages import Form, as_iso_date, day_in
from acredita.engines.documents.kind import Clue, KindReader, PageText
from acredita.engines.documents.layout import CURP_SHAPE, Layout, find_shape
from acredita.engines.documents.second_reading import Spot
from acredita.engines.text import LATIN, Line

_TITLE: Final = "CONSTANCIA DE LA CLAVE ÚNICA DE REGISTRO DE POBLACIÓN"
_MOST_OF_IT: Final = 0.85
_CAPTIONS: Final = (
    "Clave:",
    "Nombre",
    "Entidad de registro",
    "Fecha de inscripción",
    "Folio",
    "PRESENTE",
    "CURP Certificada: verificada con el Registro Civil",
    "TRÁMITE GRATUITO",
    _TITLE,
)
_RECORD: Final = "9" * 15
_ISSUED: Final = re.compile(r"[ÉEée]xico\W*a\b|\bde\s*20[0-9]{2}\s*$")


def clue(layout: Layout) -> Clue:
    title = layout.caption(_TITLE)
    # On a birth certificate, the caption of the CURP is the end of this title.
    titled = title is not None and len(title.label.text) >= _MOST_OF_IT * len(_TITLE)
    if titled and layout.caption("Entidad de registro") is not None:
        return Clue.TITLES
    certified = layout.caption("CURP Certificada: verificada con el Registro Civil")
    return Clue.HINT if titled or certified else Clue.NONE


def spots(page: PageText) -> list[Spot]:
    """Return the spots of all fields that are found."""
    lines = page.layout.lines
    form = Form(lines, _CAPTIONS)
    found = []
    if line := best_line(lines, CURP_SHAPE):
        found.append(Spot("curp", line, shaped(CURP_SHAPE)))
    found += form.spots("fullName", form.near("Nombre"))
    found += form.spots("birthRecordState", form.near("Entidad de registro")[:1])
    for line in form.near("Folio")[:1]:
        found.append(form.spot("folio", line, _digits))
    for line in form.near("Fecha de inscripción")[:1]:
        found.append(form.spot("enrolmentDate", line, day_in, as_iso_date))
    for line in lines:
        if len(_plain(line)) == len(_RECORD) and find_shape(line, _RECORD):
            found.append(Spot("birthRecord", line, shaped(_RECORD)))
            break
    found += _issued(lines)
    return found


def _plain(line: Line) -> str:
    return "".join(character for character in line.text if character.isalnum())


def _digits(line: Line) -> Line | None:
    return line if line.text.replace(" ", "").isdecimal() else None


def _issued(lines: list[Line]) -> list[Spot]:
    """Return the date of issue, as in "Ciudad de México, a 4 de julio de 2022": the only date on
    the page in words."""
    for line in lines:
        if _ISSUED.search(line.text) and read_date(line.text):
            return [Spot("issueDate", line, day_in, as_iso_date, alphabet=LATIN)]
    return []


READER: Final = KindReader(
    PageKind.CURP_CERTIFICATE, clue, spots, has_codes=True, strongest_clue=Clue.TITLES
)
