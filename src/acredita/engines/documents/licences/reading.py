"""Read a driver's licence: determine the state's template and find the fields."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
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
from acredita.engines.documents.captions import (
    after_caption,
    as_address,
    best_line,
    day_first,
    shaped,
    under,
)
from acredita.engines.documents.kind import Clue, KindReader, PageText
from acredita.engines.documents.layout import (
    CURP_SHAPE,
    DATE_SHAPE,
    RFC_SHAPE,
    Layout,
    squeezed,
)
from acredita.engines.documents.licences.labels import Label, Labels
from acredita.engines.documents.licences.templates import (
    Fields,
    generic_fields,
    known_templates,
)
from acredita.engines.documents.licences.unlabelled import Leftovers, Reader, shapes_alone
from acredita.engines.documents.licences.values import (
    Chosen,
    Take,
    before_a_date,
    before_digits,
    blood_group,
    dated,
    has_blood_group,
    is_blood_group,
    is_date,
    like_a_number,
    of_shapes,
)
from acredita.engines.documents.second_reading import Spot, in_capitals
from acredita.engines.text import Line

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
_NAMES: Final = 2
_LETTERS_A_SLIP: Final = 10
"""One misread letter is allowed per this many letters. SONORA and SINALOA differ by four."""
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
_PERMANENT: Final = "PERMANENT"
_NAME: Final = re.compile(r"[A-ZÁÉÍÓÚÜÑ'. -]+")


def licence_reader(templates: Iterable[LicenceTemplate] = ()) -> KindReader:
    """Return the reader of licences. `templates` take precedence over the built-in ones."""
    every = (*templates, *known_templates())
    card = _Card(every)
    return KindReader(
        PageKind.DRIVER_LICENCE,
        card.clue,
        card.spots,
        model=card.model,
        strongest_clue=Clue.TITLES,
    )


def _month_named(text: str) -> str:
    """Parse DDMMMYYYY to an ISO date; None if the month is not valid."""
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
    """Reads a card with the best of its templates."""

    def __init__(self, templates: Sequence[LicenceTemplate]) -> None:
        self._templates = templates

    def clue(self, layout: Layout) -> Clue:
        """Recognize a licence by its title and some captions.

        Glare may hide the title. Then require the issuer, more captions, and one that only
        licences have, because states also issue other documents.
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
        """Find the fields. Without a template, use captions that are common to all states."""
        template = self._template(page.layout)
        fields = template.fields if template else generic_fields()
        finder = _Finder(page, fields, tuple(_DATES) if template is None else (template.dates,))
        spots = list(finder.spots())
        if template:
            spots += _state(page.layout, template)
            spots += _permanent(page.layout, template)
            spots += finder.without_captions(spots)
        else:
            spots += finder.end_of_term(spots)
        return spots

    def _template(self, layout: Layout) -> LicenceTemplate | None:
        """Return the template of the issuing state with the most captions on the card."""
        issued = [t for t in self._templates if _issuer(layout, t) is not None]
        if len(issued) < 2:
            return issued[0] if issued else None
        return max(issued, key=lambda t: len(Labels(layout, t.fields).by_field))


def _issuer(layout: Layout, template: LicenceTemplate) -> Line | None:
    return next((line for line in layout.lines if _is_issuer(line, template)), None)


def _is_issuer(line: Line, template: LicenceTemplate) -> bool:
    """Whether the line begins with a phrase of the issuer. Elsewhere it may be a street's name."""
    return any(_says(line, phrase, most_before=3) for phrase in template.issuers)


def _says(line: Line, phrase: str, *, most_before: int | None = None) -> bool:
    """Whether the line contains the phrase, with few misread letters."""
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
    """Finds the fields of one card."""

    def __init__(self, page: PageText, fields: Fields, dates: Sequence[DateStyle]) -> None:
        self._page, self._fields, self._dates = page, fields, dates
        self._labels = Labels(page.layout, fields)

    def spots(self) -> Iterator[Spot]:
        for field, spec in self._fields.items():
            yield from self._spots(field, spec)

    def without_captions(self, found: Sequence[Spot]) -> Iterator[Spot]:
        """Return the fields of a known template that no caption gave."""
        left = Leftovers(self._page.layout, self._labels.is_caption, self._fields, found)
        permanent = any(spot.field == "validity" for spot in found)
        yield from left.dates(self._date_alone, permanent=permanent)
        yield from left.only("rfc", shapes_alone((RFC_SHAPE,), shaped(RFC_SHAPE)))
        yield from left.only("bloodGroup", _blood_group_alone)
        if number := self._fields.get("documentNumber"):
            reader = shapes_alone(number.shapes, of_shapes(number.shapes))
            yield from left.only("documentNumber", reader)
        if kind := self._fields.get("licenceClass"):
            yield from left.only("licenceClass", _chosen_alone(Chosen(kind.values)))
        if address := self._fields.get("address"):
            yield from _in_lines(left.address(address.lines))
        yield from left.names(_name_alone)

    def end_of_term(self, found: Sequence[Spot]) -> list[Spot]:
        """Return the expiry of a card of an unknown layout if no caption gave it."""
        left = Leftovers(self._page.layout, self._labels.is_caption, self._fields, found)
        return left.end_of_term(self._date_alone)

    def _date_alone(self, field: str, line: Line) -> Spot | None:
        for shape, write in (_DATES[style] for style in self._dates):
            take = dated(shape, write)
            if (value := take(line)) and is_date(write(value.text)):
                repeated = field == "dateOfBirth" and "curp" in self._fields
                return Spot(field, line, take, write, repeated)
        return None

    def _spots(self, field: str, spec: TemplateField) -> Iterable[Spot]:
        if field == "address":
            return self._address(spec)
        if field in TEXT_FIELDS:
            places = (self._place_of_names(spec.place),)
            return self._first(field, spec, before_digits, in_capitals, places=places)
        if field in DATE_FIELDS:
            return self._date(field, spec)
        if field == "curp":
            return self._curp(spec)
        return self._of_its_own(field, spec)

    def _place_of_names(self, usual: Place) -> Place:
        """Return the template's place of names, or the other one.

        A card has another layout than its template if no name is at the usual place and several are
        at the other.
        """
        other = next(place for place in Place if place is not usual)
        return usual if self._names_at(usual) or self._names_at(other) < _NAMES else other

    def _names_at(self, place: Place) -> int:
        labels = [self._labels.by_field.get(field) for field in TEXT_FIELDS if field != "address"]
        return sum(
            label is not None
            and (
                any(self._labels.near(label, place))
                or (place is Place.BESIDE and self._labels.rest(label) is not None)
            )
            for label in labels
        )

    def _of_its_own(self, field: str, spec: TemplateField) -> list[Spot]:
        """Find a value whose shape is unique on the card."""
        if field == "rfc":
            return self._first(field, spec, shaped(RFC_SHAPE), str)
        if field == "bloodGroup":
            return self._first(field, spec, has_blood_group, blood_group, repeated=True)
        if field == "licenceClass":
            chosen = Chosen(spec.values)
            return self._first(field, spec, chosen.take, chosen.write)
        take = of_shapes(spec.shapes) if spec.shapes else like_a_number
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
        """Return the first line at the field's positions that contains a valid value, or none."""
        label = self._labels.by_field.get(field)
        if label and (rest := self._labels.rest(label)) and take(rest):
            whole = label.caption.whole
            return [Spot(field, whole, after_caption(label.wording, take), write, repeated)]
        if label and not places:
            take = under(label.caption.label, take)
        for line in self._lines(label, spec, places):
            if take(line):
                return [Spot(field, line, take, write, repeated)]
        return []

    def _lines(
        self, label: Label | None, spec: TemplateField, places: Sequence[Place]
    ) -> Iterator[Line]:
        """Yield candidates: the template's side of the caption, the other side, the box."""
        if label:
            either = sorted(Place, key=lambda place: place is not spec.place)
            for place in places or either:
                yield from self._labels.near(label, place)
        if spec.box is not None:
            yield from self._labels.inside(spec.box, self._page.size)

    def _date(self, field: str, spec: TemplateField) -> list[Spot]:
        """Values that the CURP repeats need no second reading."""
        repeated = field == "dateOfBirth" and "curp" in self._fields
        found = [
            (value.score, spot)
            for shape, write in (_DATES[style] for style in self._dates)
            for spot in self._first(field, spec, dated(shape, write), write, repeated=repeated)
            if (value := spot.value)
        ]
        return [max(found, key=lambda pair: pair[0])[1]] if found else []

    def _curp(self, spec: TemplateField) -> list[Spot]:
        """Find the CURP by its caption, or else by its shape, which is unique on a card."""
        if spots := self._first("curp", spec, shaped(CURP_SHAPE), str):
            return spots
        line = best_line(self._page.layout.lines, CURP_SHAPE)
        return [Spot("curp", line, shaped(CURP_SHAPE), str)] if line else []

    def _address(self, spec: TemplateField) -> Iterable[Spot]:
        label = self._labels.by_field.get("address")
        lines: Sequence[Line] = ()
        if label and spec.place is Place.BESIDE:
            rest = self._labels.rest(label)
            lines = [rest] if rest else list(self._labels.near(label, Place.BESIDE))[:1]
        elif label:
            lines = self._labels.block(label, spec.lines)
        elif spec.box is not None:
            lines = self._labels.inside(spec.box, self._page.size)
        return _in_lines(lines[: spec.lines])


def _in_lines(address: Sequence[Line]) -> Iterator[Spot]:
    for number, line in enumerate(address, start=1):
        yield Spot(f"address{number}", line, before_a_date, as_address)


def _name_alone(field: str, line: Line) -> Spot | None:
    whole = before_digits(line)
    spot = Spot(field, line, before_digits, in_capitals)
    return spot if whole and whole.text == line.text and _NAME.fullmatch(line.text) else None


def _blood_group_alone(field: str, line: Line) -> Spot | None:
    spot = Spot(field, line, has_blood_group, blood_group, repeated=True)
    return spot if is_blood_group(line.text) else None


def _chosen_alone(chosen: Chosen) -> Reader:
    def read(field: str, line: Line) -> Spot | None:
        spot = Spot(field, line, chosen.take, chosen.write)
        return spot if chosen.says_nothing_else(line.text) else None

    return read
