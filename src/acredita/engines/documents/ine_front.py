"""Find the fields of a voter card's front by their captions or shapes.

Models E and F print most values beside their captions, G and H below them; both are tried.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Final

from rapidfuzz import fuzz

from acredita.domain.documents import PageKind
from acredita.domain.identifiers.states import in_address
from acredita.engines.documents.captions import (
    Take,
    after_caption,
    as_address,
    below_caption,
    beside_caption,
    best_line,
    captioned,
    day_first,
    shaped,
)
from acredita.engines.documents.kind import Clue, KindReader, PageText
from acredita.engines.documents.layout import (
    CLAVE_SHAPE,
    CURP_SHAPE,
    DATE_SHAPE,
    YEAR_SHAPE,
    Caption,
    Layout,
    squeezed,
)
from acredita.engines.documents.second_reading import Spot, in_capitals
from acredita.engines.text import Glyph, Line

_OF_INE: Final = "INSTITUTO NACIONAL ELECTORAL"
_OF_IFE: Final = "INSTITUTO FEDERAL ELECTORAL"
_TITLES: Final = (_OF_INE, _OF_IFE, "CREDENCIAL PARA VOTAR", "CLAVE DE ELECTOR")
_LIKE, _MOST_OF_IT = 85.0, 0.7
"""How like a title a line must be, in hundredths, and how much of it: other national institutes
print cards, too.
"""
_LEAST_OF_CAPTION: Final = 4
_SECTION: Final = re.compile("([A-Z]*)([0-9]{4})")
_BEHIND_MUNICIPALITY: Final = re.compile("^[0-9O]{3}([A-Z0-9]{4,9}?)[0-9]{4}$")
_LIKE_SECTION: Final = 60.0
"""In hundredths: no other caption stands between the municipality and a number of four digits."""
_YEAR: Final = re.compile(r"(?<![^ -])20[0-9]{2}(?![^ -])")
_REGISTERED: Final = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2} ?[0-9]{2}$")
_CAPTIONS: Final = (
    "NOMBRE",
    "DOMICILIO",
    "CURP",
    "AÑO DE REGISTRO",
    "FECHA DE NACIMIENTO",
    "SECCIÓN",
    "VIGENCIA",
)
_CLAVE: Final = "CLAVE DE ELECTOR"
_ISSUED: Final = ("EMISIÓN", "EXPEDIDA")
_EXPIRES: Final = ("VIGENCIA", "VÁLIDA HASTA")
_KNOWN: Final = (
    *_CAPTIONS,
    *_ISSUED,
    *_EXPIRES,
    *(_CLAVE, "SEXO", "EDAD", "FOLIO", "ESTADO", "MUNICIPIO", "LOCALIDAD"),
)
"""Every caption of a front: the value of one ends where the next one begins."""
_LEAST_LIKE_SEX: Final = 0.5
_DIGITS_OF_CLAVE: Final = range(16, 21)
_ASSIGNED: Final = 3
"""The digits at the end of a clave that the register of voters assigns: all others follow from the
name, the birth date, the state and the sex."""
_DATE_BEGINS: Final = re.compile(r"(?<![^ ])[0-9]|[0-9]{1,2} ?[/-]")
_LETTERS: Final = str.maketrans("0158", "OISB")
"""The letters that resemble digits: a name has none."""
_LOST_COMMA: Final = re.compile(r"(?<=[A-ZÁÉÍÓÚÜÑ]{4})\. ?(?=[A-Z.]{2,6}$)")
_WITHOUT_NUMBER: Final = re.compile(r"(?<=[^,] )SIN$")
_NAMES, _ADDRESS = 3, 3
"""The number of lines of each."""
_LONGEST_PITCH: Final = 1.7
"""In heights of a line, from one to the next; with a caption between, it is at least 2."""
_LAST_COMMA: Final = re.compile(r"(, [A-Z][A-Z.]*),$")
_LAST_STOP: Final = re.compile(r"(, [A-Z](?:\.[A-Z])+)$")
"""The end of a state's abbreviation that lost its last stop: D.F, S.L.P."""


def clue(layout: Layout) -> Clue:
    known = titled(layout.lines) and layout.count(_CAPTIONS) >= 2
    return Clue.TITLES if known else Clue.NONE


def titled(lines: Iterable[Line]) -> bool:
    return any(_stands(title, line) for title in _TITLES for line in lines)


def _stands(title: str, line: Line) -> bool:
    wanted, text = squeezed(title), squeezed(line.text)
    return len(text) >= _MOST_OF_IT * len(wanted) and fuzz.partial_ratio(wanted, text) >= _LIKE


def spots(page: PageText) -> list[Spot]:
    """Return the spots of all fields that are found; their values may still be illegible."""
    layout = Layout(page.layout.lines, _KNOWN)
    found = [*_name_and_address(layout)]
    address = [spot.line for spot in found if spot.field.startswith("address")]
    # A neighbourhood may be named after a caption: COL. TERCERA SECCIÓN 04800.
    others = Layout((line for line in layout.lines if not _is_one_of(line, address)), _KNOWN)
    found += [*_clave(others), *_curp(others), *_sex(others)]
    birth = [] if model(page) == "C" else _birth(others)  # its folio may look like a date
    found += captioned(others, "section", "9999", "SECCIÓN") or _section_alone(others, birth)
    return [*found, *birth, *_years(others)]


def _is_one_of(line: Line, lines: Iterable[Line]) -> bool:
    return any(line is each for each in lines)


def _clave(layout: Layout) -> list[Spot]:
    """Find the clave, and before it those of its characters that the card has nowhere else."""
    found = _whole_clave(layout)
    return [*(replace(spot, field="claveEnd", take=_end_of(spot.take)) for spot in found), *found]


def _end_of(take: Take) -> Take:
    def taken(line: Line) -> Line | None:
        clave = take(line)
        length = len(clave.text) if clave else 0
        return clave.part(length - _ASSIGNED, length) if clave and length > _ASSIGNED else None

    return taken


def _whole_clave(layout: Layout) -> list[Spot]:
    """Find it by its shape, otherwise as what stands after its caption, legible or not."""
    if spots := captioned(layout, "clave", CLAVE_SHAPE, _CLAVE):
        return spots
    caption = layout.caption(_CLAVE)
    if caption and len(squeezed(caption.rest.text)) in _DIGITS_OF_CLAVE:
        return [Spot("clave", caption.whole, after_caption(_CLAVE, _in_one_piece, _KNOWN))]
    line = best_line(layout.lines, CLAVE_SHAPE)
    return [Spot("clave", line, shaped(CLAVE_SHAPE))] if line else []


def _in_one_piece(line: Line) -> Line | None:
    return line if line.text and " " not in line.text else None


def _curp(layout: Layout) -> list[Spot]:
    line = best_line(layout.lines, CURP_SHAPE)
    return [Spot("curp", line, shaped(CURP_SHAPE))] if line else []


def _birth(layout: Layout) -> list[Spot]:
    if spots := captioned(
        layout, "dateOfBirth", DATE_SHAPE, "FECHA DE NACIMIENTO", day_first, repeated=True
    ):
        return spots
    line = best_line(layout.lines, DATE_SHAPE)
    return [Spot("dateOfBirth", line, shaped(DATE_SHAPE), day_first, repeated=True)] if line else []


def _name_and_address(layout: Layout) -> Iterator[Spot]:
    names, address = _blocks(layout)
    fields = ("paternalSurname", "maternalSurname", "givenNames")
    if len(names) == 2:  # a person with one surname
        fields = ("paternalSurname", "givenNames", "")
    if 2 <= len(names) <= 3:
        for field, line in zip(fields, names, strict=False):
            yield Spot(field, line, _before_date, _as_name)
    for number, line in enumerate(address[:3], start=1):
        write = _as_street if number == 1 else _as_address
        yield Spot(f"address{number}", line, _with_state, write)


def _with_state(line: Line) -> Line:
    """Return the line; if it ends in a state, the stops and blanks of that are in no doubt: its
    letters identify it (CHIH., S.L.P.).
    """
    start = line.text.rfind(",")
    if start < 0 or in_address(line.text[start + 1 :]) is None:
        return line
    glyphs = tuple(
        replace(glyph, lost_blank=0.0) if glyph.character.isalpha() else _certain(glyph)
        for glyph in line.glyphs[start:]
    )
    return replace(line, glyphs=(*line.glyphs[:start], *glyphs))


def _certain(glyph: Glyph) -> Glyph:
    return replace(glyph, probability=1.0, runner_up="", runner_up_probability=0.0, lost_blank=0.0)


def _as_address(text: str) -> str:
    """Return the line in capitals. Before a state's abbreviation is a comma, whose tail may be
    lost: CUAJIMALPA DE MORELOS. D.F. Behind it is a point, not a comma: TEPIC, NAY,"""
    written = as_address(_LOST_COMMA.sub(", ", text.upper()))
    return _LAST_STOP.sub(r"\1.", _LAST_COMMA.sub(r"\1.", written))


def _as_street(text: str) -> str:
    """Return the line in capitals. A street without a number ends in S/N (sin número), which may be
    read as SIN in both readings; no street ends in that word."""
    return _WITHOUT_NUMBER.sub("S/N", _as_address(text))


def _blocks(layout: Layout) -> tuple[list[Line], list[Line]]:
    """The lines of the name and of the address; their captions may be lost to glare."""
    name, domicile = _heading(layout, "NOMBRE"), _heading(layout, "DOMICILIO")
    clave = layout.caption(_CLAVE)
    until = clave.label if clave else best_line(layout.lines, CLAVE_SHAPE)
    bottom = until.centre[1] - 0.6 * until.height if until else 0.0
    if domicile:
        address = layout.block(domicile, bottom)
        above = domicile.label.centre[1] - 0.3 * domicile.label.height
        names = layout.block(name, above) if name else layout.block_above(domicile)
        return names, address
    if name is None:
        return _without_captions(layout, clave.label) if clave else ([], [])
    lines = layout.block(name, bottom)
    at = _widest_gap(lines)
    return lines[:at], lines[at:]


def _without_captions(layout: Layout, clave: Line) -> tuple[list[Line], list[Line]]:
    """The same where both captions are lost: three lines above the caption of the clave, of which
    the last one ends in a state, and three above these, behind a gap. All begin where it begins.
    """
    column = [
        line
        for line in layout.lines
        if abs(line.left - clave.left) < 1.5 * clave.height and line.centre[1] < clave.top
    ]
    blocks: list[list[Line]] = []
    for line in column:
        if blocks and line.centre[1] - blocks[-1][-1].centre[1] < _LONGEST_PITCH * line.height:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    if [len(block) for block in blocks[-2:]] != [_NAMES, _ADDRESS]:
        return [], []
    names, address = blocks[-2:]
    is_address = in_address(address[-1].text.rpartition(",")[2]) is not None
    is_name = not any(character.isdigit() for line in names for character in line.text)
    return (names, address) if is_address and is_name else ([], [])


def _heading(layout: Layout, wording: str) -> Caption | None:
    """Return the caption, or the rest of it that a reflection left."""
    if caption := layout.caption(wording):
        return caption
    for line in layout.lines:
        text = squeezed(line.text)
        if len(text) >= _LEAST_OF_CAPTION and wording.startswith(text):
            return Caption(line, line, line.part(len(line.text), len(line.text)))
    return None


def _widest_gap(lines: list[Line]) -> int:
    """Return the index of the largest gap, where the lost caption between name and address is."""
    gaps = [lines[i].centre[1] - lines[i - 1].centre[1] for i in range(1, min(len(lines), 5))]
    return gaps.index(max(gaps)) + 1 if gaps else len(lines)


def _before_date(line: Line) -> Line:
    """Older models print the birth date on the row of the first surname. A digit inside of a word
    does not begin a date: it is a misread letter (X00L for XOOL).
    """
    date = _DATE_BEGINS.search(line.text)
    end = date.start() if date else len(line.text)
    return line.part(0, len(line.text[:end].rstrip()))


def _as_name(text: str) -> str:
    return in_capitals(text).translate(_LETTERS)


def _sex(layout: Layout) -> list[Spot]:
    """Find the letter beside its caption; the reader often misses a single letter."""
    if spots := captioned(layout, "sex", "S", "SEXO", repeated=True):
        return spots
    if caption := layout.caption("SEXO"):
        below = Spot("sex", below_caption(caption), _lone_sex)
        return [Spot("sex", beside_caption(caption), shaped("S")), below]
    if line := next((line for line in layout.lines if _misread_sex(line)), None):
        return [Spot("sex", line, _misread_sex, repeated=True)]
    alone = [line for line in layout.lines if line.text in ("H", "M", "X")]
    return [Spot("sex", alone[0], repeated=True)] if len(alone) == 1 else []


def _lone_sex(line: Line) -> Line | None:
    """Under the caption, words of another row may begin."""
    return line if line.text in ("H", "M", "X") else None


def _misread_sex(line: Line) -> Line | None:
    """Return the letter after two to four characters that resemble its caption."""
    caption, _, letter = line.text.rpartition(" ")
    if letter not in ("H", "M", "X") or not 2 <= len(squeezed(caption)) <= len("SEXO"):
        return None
    alike = SequenceMatcher(None, "SEXO", squeezed(caption)).ratio() >= _LEAST_LIKE_SEX
    return line.part(len(line.text) - 1, len(line.text)) if alike else None


def _section_alone(layout: Layout, birth: list[Spot]) -> list[Spot]:
    """Four digits, maybe behind what is left of their caption, on the row of the municipality or
    of the birth date.
    """
    municipality = layout.caption("MUNICIPIO")
    behind = _BEHIND_MUNICIPALITY.search(squeezed(municipality.rest.text)) if municipality else None
    if municipality and behind and fuzz.ratio("SECCION", behind[1]) >= _LIKE_SECTION:
        return [Spot("section", municipality.whole, shaped("9999"))]
    before = [municipality.whole] if municipality else [spot.line for spot in birth]
    found = [
        line
        for line in layout.lines
        if (said := _SECTION.fullmatch(squeezed(line.text)))
        and "SECCION".endswith(said[1])
        and any(line.left > left.right and _on_one_row(left, line) for left in before)
    ]
    return [Spot("section", found[0], shaped("9999"))] if len(found) == 1 else []


def _on_one_row(one: Line, other: Line) -> bool:
    return abs(one.centre[1] - other.centre[1]) < 0.5 * min(one.height, other.height)


def _registered(layout: Layout) -> list[Spot]:
    """Find it by its caption, otherwise as the only year followed by two digits."""
    shape = YEAR_SHAPE + "99"
    if spots := captioned(layout, "registrationYear", shape, "AÑO DE REGISTRO"):
        return spots
    alone = [line for line in layout.lines if _REGISTERED.search(line.text)]
    return [Spot("registrationYear", alone[0], shaped(shape))] if len(alone) == 1 else []


def _years(layout: Layout) -> Iterator[Spot]:
    for spot in _registered(layout):
        yield Spot("registrationYear", spot.line, spot.take, lambda text: text[:4])
        yield Spot("emission", spot.line, spot.take, lambda text: text[4:])
    both = captioned(layout, "expiryYear", 2 * YEAR_SHAPE, "VIGENCIA")
    for spot in both:
        yield Spot("emissionYear", spot.line, spot.take, lambda text: text[:4], repeated=True)
        yield Spot("expiryYear", spot.line, spot.take, lambda text: text[4:], repeated=True)
    if not both:
        issued = _year(layout, "emissionYear", _ISSUED)
        yield from issued
        yield from _year(layout, "expiryYear", _EXPIRES) or _ten_years_after(layout, issued)


def _year(layout: Layout, field: str, captions: Iterable[str]) -> list[Spot]:
    """Return at most one spot: the year at the first of the captions that has one."""
    for caption in captions:
        if spots := captioned(layout, field, YEAR_SHAPE, caption, repeated=True):
            return spots
    return []


def _ten_years_after(layout: Layout, issued: list[Spot]) -> list[Spot]:
    """Find the only year that is ten years after the issue, if its caption was lost."""
    years = [value.text for spot in issued if (value := spot.value)]
    wanted = [str(int(year) + 10) for year in years if year.isdecimal()]

    def take(line: Line) -> Line | None:
        words = (line.part(*word.span()) for word in _YEAR.finditer(line.text))
        return next((word for word in words if word.text in wanted), None)

    lines = [line for line in layout.lines if take(line)]
    return [Spot("expiryYear", lines[0], take, repeated=True)] if len(lines) == 1 else []


def model(page: PageText) -> str | None:
    """Return the card's model by the marks of each model (`domain.documents.voter_models`)."""
    layout = page.layout
    if _likeness(layout, _OF_IFE) > _likeness(layout, _OF_INE):
        if layout.caption("FECHA DE NACIMIENTO"):
            return "D"
        is_aged = layout.count(("FOLIO", "EDAD")) > 0
        return "C" if is_aged and _shows_expiry(layout) else None
    abroad = layout.caption("DESDE EL EXTRANJERO") is not None
    if layout.count(("MUNICIPIO", "LOCALIDAD", "EMISIÓN")) >= 2:
        return "F" if abroad else "E"
    if captioned(layout, "", 2 * YEAR_SHAPE, "VIGENCIA"):
        return "H" if abroad else "G"
    return None


def _shows_expiry(layout: Layout) -> bool:
    """Whether the card has a year of expiry; its caption may be lost."""
    known = Layout(layout.lines, _KNOWN)
    return known.count(_EXPIRES) > 0 or any(spot.field == "expiryYear" for spot in _years(known))


def _likeness(layout: Layout, title: str) -> float:
    """Return the similarity of the best line to a title, 0 to 100. The titles of IFE and INE differ
    in one word, so they are compared."""
    wanted = squeezed(title)
    texts = (squeezed(line.text) for line in layout.lines)
    long = [text for text in texts if len(text) >= _MOST_OF_IT * len(wanted)]
    return max((fuzz.partial_ratio(wanted, text) for text in long), default=0)


READER: Final = KindReader(
    PageKind.INE_FRONT, clue, spots, model=model, usual_fields=14, all_fields=16, titled=titled
)
