"""A driver's licence: which state's layout it has, and where each field is printed."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Final

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from acredita.domain.documents import PageKind
from acredita.domain.documents.licence_templates import (
    DATE_FIELDS,
    TEXT_FIELDS,
    DateStyle,
    LicenceTemplate,
    Place,
    TemplateField,
)
from acredita.engines.documents.captions import after_caption, best_line, day_first, shaped
from acredita.engines.documents.kind import Clue, KindReader, PageText
from acredita.engines.documents.layout import (
    CURP_SHAPE,
    DATE_SHAPE,
    Layout,
    find_shape,
    squeezed,
    word_under,
)
from acredita.engines.documents.licences.labels import Label, Labels
from acredita.engines.documents.licences.templates import (
    Fields,
    generic_fields,
    known_templates,
)
from acredita.engines.documents.spots import Spot
from acredita.engines.text import Glyph, Line

Take = Callable[[Line], Line | None]
_TITLES: Final = (
    "LICENCIA DE CONDUCIR",
    "LICENCIA PARA CONDUCIR",
    "LICENCIA DE CONDUCTOR",
    "LICENCIA DE MANEJO",
    "LICENCIA DE AUTOMOVILISTA",
    "LICENCIA DE CHOFER",
    "LICENCIA DE MOTOCICLISTA",
)
_CAPTIONS: Final = 2
_LETTERS_A_SLIP: Final = 10
"""Of so many letters one may be misread: SONORA and SINALOA differ by four."""
_MONTHS: Final = (
    "ENE",
    "FEB",
    "MAR",
    "ABR",
    "MAY",
    "JUN",
    "JUL",
    "AGO",
    "SEP",
    "OCT",
    "NOV",
    "DIC",
)
_RFC_SHAPE: Final = "LLLL999999XXX"
_BLOOD: Final = re.compile(r"(AB|A|B|O|0) *(?:RH)? *([+-]|POS|NEG)")
_FIRST_YEAR: Final = 1900
_DATE_AT_END: Final = re.compile(r"[0-9]{2,4}[-/][0-9A-Z]{2,3}[-/][0-9]{2,4}$")
_THREE_PARTS: Final = re.compile(r"[A-Z0-9]{2,4}[^A-Z0-9][A-Z0-9]{2,3}[^A-Z0-9][A-Z0-9]{2,4}")
_PERMANENT: Final = "PERMANENT"


def licence_reader(templates: Iterable[LicenceTemplate] = ()) -> KindReader:
    """The reader of licences; `templates` go before those that come with the service."""
    every = (*templates, *known_templates())
    card = _Card(every)
    return KindReader(PageKind.DRIVER_LICENCE, card.clue, card.spots, model=card.model)


def _month_named(text: str) -> str:
    """DDMMMYYYY as an ISO date; a month that is none gives no date."""
    month = next((n for n, name in enumerate(_MONTHS, 1) if name == text[2:5]), 0)
    return f"{text[5:]}-{month:02}-{text[:2]}"


def _year_first(text: str) -> str:
    return f"{text[:4]}-{text[4:6]}-{text[6:]}"


_DATES: Final[dict[DateStyle, tuple[str, Callable[[str], str]]]] = {
    DateStyle.DAY_FIRST: (DATE_SHAPE, day_first),
    DateStyle.YEAR_FIRST: ("c999m9d9", _year_first),
    DateStyle.NAMED_MONTH: ("d9AAAc999", _month_named),
}


class _Card:
    """Reading by whichever of some templates fits."""

    def __init__(self, templates: Sequence[LicenceTemplate]) -> None:
        self._templates = templates

    def clue(self, layout: Layout) -> Clue:
        """By its title and some captions; without the title, which glare may hide, by its issuer,
        more captions and one that is a licence's own: states issue other papers, too.
        """
        titled = any(_says(line, title) for line in layout.lines for title in _TITLES)
        template = self._template(layout)
        if not titled and template is None:
            return Clue.NONE
        fields = template.fields if template else generic_fields()
        captions = Labels(layout, fields).by_field.values()
        own = any("LICENCIA" in label.wording for label in captions)
        least = _CAPTIONS if titled else 2 * _CAPTIONS
        return Clue.TITLES if len(captions) >= least and (titled or own) else Clue.NONE

    def model(self, page: PageText) -> str | None:
        template = self._template(page.layout)
        return template.id if template else None

    def spots(self, page: PageText) -> list[Spot]:
        """Every field found; without a template, what captions in general use give."""
        template = self._template(page.layout)
        fields = template.fields if template else generic_fields()
        finder = _Finder(page, fields, tuple(_DATES) if template is None else (template.dates,))
        spots = list(finder.spots())
        if template:
            spots += _state(page.layout, template)
            spots += _permanent(page.layout, template)
        return spots

    def _template(self, layout: Layout) -> LicenceTemplate | None:
        """Of the templates of the state that issued the card the one with the most captions."""
        issued = [t for t in self._templates if _issuer(layout, t) is not None]
        if len(issued) < 2:
            return issued[0] if issued else None
        return max(issued, key=lambda t: len(Labels(layout, t.fields).by_field))


def _issuer(layout: Layout, template: LicenceTemplate) -> Line | None:
    return next((line for line in layout.lines if _is_issuer(line, template)), None)


def _is_issuer(line: Line, template: LicenceTemplate) -> bool:
    """Whether a phrase of the issuer begins the line: a street may be named after a government."""
    return any(_says(line, phrase, most_before=3) for phrase in template.issuers)


def _says(line: Line, phrase: str, *, most_before: int | None = None) -> bool:
    """Whether the phrase stands on the line, nearly to the letter."""
    text, wanted = squeezed(line.text), squeezed(phrase)
    slips = len(wanted) // _LETTERS_A_SLIP
    if len(text) < len(wanted) - slips:
        return False
    at = fuzz.partial_ratio_alignment(wanted, text)
    if at is None or (most_before is not None and at.dest_start > most_before):
        return False
    return Levenshtein.distance(wanted, text[at.dest_start : at.dest_end]) <= slips


def _state(layout: Layout, template: LicenceTemplate) -> Iterator[Spot]:
    def take(line: Line) -> Line | None:
        return line if _is_issuer(line, template) else None

    line = _issuer(layout, template)
    if line:
        yield Spot("state", line, take, lambda _: template.state)


def _permanent(layout: Layout, template: LicenceTemplate) -> Iterator[Spot]:
    def take(line: Line) -> Line | None:
        return line if any(_says(line, word) for word in template.permanent) else None

    line = next((line for line in layout.lines if take(line)), None)
    if line:
        yield Spot("validity", line, take, lambda _: _PERMANENT)


class _Finder:
    """The places of one card's fields."""

    def __init__(self, page: PageText, fields: Fields, dates: Sequence[DateStyle]) -> None:
        self._page, self._fields, self._dates = page, fields, dates
        self._labels = Labels(page.layout, fields)

    def spots(self) -> Iterator[Spot]:
        for field, spec in self._fields.items():
            yield from self._spots(field, spec)

    def _spots(self, field: str, spec: TemplateField) -> Iterable[Spot]:
        if field == "address":
            return self._address(spec)
        if field in TEXT_FIELDS:
            return self._first(field, spec, _before_digits, _words, places=(spec.place,))
        if field in DATE_FIELDS:
            return self._date(field, spec)
        if field == "curp":
            return self._curp(spec)
        return self._of_its_own(field, spec)

    def _of_its_own(self, field: str, spec: TemplateField) -> list[Spot]:
        """A value that looks like nothing else on the card."""
        if field == "rfc":
            return self._first(field, spec, shaped(_RFC_SHAPE), str)
        if field == "bloodGroup":
            return self._first(field, spec, _has_blood_group, _blood_group, repeated=True)
        if field == "licenceClass":
            chosen = _Chosen(spec.values)
            return self._first(field, spec, chosen.take, chosen.write)
        take = _of_shapes(spec.shapes) if spec.shapes else _like_a_number
        return self._first(field, spec, take, lambda text: "".join(text.upper().split()))

    def _first(
        self,
        field: str,
        spec: TemplateField,
        take: Take,
        write: Callable[[str], str],
        *,
        places: Sequence[Place] = (),
        repeated: bool = False,
    ) -> list[Spot]:
        """The first line at the field's places from which its value can be taken; at most one."""
        label = self._labels.by_field.get(field)
        if label and (rest := self._labels.rest(label)) and take(rest):
            whole = label.caption.whole
            return [Spot(field, whole, after_caption(label.wording, take), write, repeated)]
        for line in self._lines(label, spec, places, by_word=not places):
            if take(line):
                return [Spot(field, line, take, write, repeated)]
        return []

    def _lines(
        self, label: Label | None, spec: TemplateField, places: Sequence[Place], *, by_word: bool
    ) -> Iterator[Line]:
        """Where the template says that the value stands, then its other side, then its box."""
        if label:
            either = sorted(Place, key=lambda place: place is not spec.place)
            for place in places or either:
                for line in self._labels.near(label, place):
                    yield word_under(line, label.caption.label) if by_word else line
        if spec.box is not None:
            yield from self._labels.inside(spec.box, self._page.size)

    def _date(self, field: str, spec: TemplateField) -> list[Spot]:
        """What a CURP repeats needs no second reading."""
        repeated = field == "dateOfBirth" and "curp" in self._fields
        found = [
            (value.score, spot)
            for shape, write in (_DATES[style] for style in self._dates)
            for spot in self._first(field, spec, _dated(shape, write), write, repeated=repeated)
            if (value := spot.take(spot.line))
        ]
        return [max(found, key=lambda pair: pair[0])[1]] if found else []

    def _curp(self, spec: TemplateField) -> list[Spot]:
        """By its caption, else by its shape, which nothing else on a card has."""
        if spots := self._first("curp", spec, shaped(CURP_SHAPE), str):
            return spots
        line = best_line(self._page.layout.lines, CURP_SHAPE)
        return [Spot("curp", line, shaped(CURP_SHAPE), str)] if line else []

    def _address(self, spec: TemplateField) -> Iterator[Spot]:
        label = self._labels.by_field.get("address")
        lines: Sequence[Line] = ()
        if label and spec.place is Place.BESIDE:
            rest = self._labels.rest(label)
            lines = [rest] if rest else list(self._labels.near(label, Place.BESIDE))[:1]
        elif label:
            lines = self._labels.block(label, spec.lines)
        elif spec.box is not None:
            lines = self._labels.inside(spec.box, self._page.size)
        for number, line in enumerate(lines[: spec.lines], start=1):
            yield Spot(f"address{number}", line, _before_a_date, _address_line)


def _words(text: str) -> str:
    return " ".join(text.upper().split())


def _address_line(text: str) -> str:
    return _words(text.replace(",", ", "))


def _before_a_date(line: Line) -> Line:
    """A date at the end of a line of the address is the next column."""
    date_at = _DATE_AT_END.search(line.text)
    return line.part(0, len(line.text[: date_at.start()].rstrip())) if date_at else line


def _before_digits(line: Line) -> Line | None:
    """A name has no digits: what follows them is the next column."""
    end = next((i for i, c in enumerate(line.text) if c.isdigit()), len(line.text))
    text = line.text[:end].rstrip()
    return line.part(0, len(text)) if sum(c.isalpha() for c in text) >= 2 else None


def _dated(shape: str, write: Callable[[str], str]) -> Take:
    """A stroke is easily read as a number, 07101/2027: where that leaves no date, it is one."""

    def take(line: Line) -> Line | None:
        found = find_shape(line, shape)
        if found is None or _is_date(write(found.text)):
            return found
        for at, glyph in enumerate(line.glyphs):
            text = f"{line.text[:at]}/{line.text[at + 1 :]}"
            if glyph.character == "1" and _THREE_PARTS.fullmatch(text):
                stroke = Glyph("/", glyph.probability, "", 0.0)
                glyphs = (*line.glyphs[:at], stroke, *line.glyphs[at + 1 :])
                other = find_shape(Line(text, glyphs, line.quad), shape)
                if other and _is_date(write(other.text)):
                    return other
        return found

    return take


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).year >= _FIRST_YEAR
    except ValueError:
        return False


def _of_shapes(shapes: Sequence[str]) -> Take:
    """The longest shape that fits, so that a number is not cut short."""
    longest_first = sorted(shapes, key=len, reverse=True)

    def take(line: Line) -> Line | None:
        fitting = (found for shape in longest_first if (found := find_shape(line, shape)))
        return max(fitting, key=lambda found: found.score, default=None)

    return take


def _like_a_number(line: Line) -> Line | None:
    text = line.text.replace(" ", "").replace("-", "")
    digits = sum(character.isdigit() for character in text)
    return line if 5 <= len(text) <= 16 and 2 * digits >= len(text) and text.isalnum() else None


def _has_blood_group(line: Line) -> Line | None:
    return line if _BLOOD.match(line.text.upper().strip()) else None


def _blood_group(text: str) -> str:
    match = _BLOOD.match(text.upper().strip())
    if match is None:
        return ""
    sign = {"POS": "+", "NEG": "-"}.get(match[2], match[2])
    return match[1].replace("0", "O") + sign


class _Chosen:
    """The one of some values that a line says; a lone letter must stand by itself."""

    def __init__(self, values: Sequence[str]) -> None:
        self._values = sorted(values, key=len, reverse=True)

    def take(self, line: Line) -> Line | None:
        return line if self._value(line.text) else None

    def write(self, text: str) -> str:
        return self._value(text) or ""

    def _value(self, text: str) -> str | None:
        words, whole = text.upper().split(), squeezed(text)
        for value in self._values:
            wanted = squeezed(value)
            alone = value in words or whole == f"TIPO{wanted}"
            if alone if len(value) <= 2 else wanted in whole:
                return value
        return None
