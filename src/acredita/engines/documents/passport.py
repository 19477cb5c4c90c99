"""The data page of the passport: its visual zone, found by captions or by what the MRZ says.

The captions are small and thin and the first to be lost. A value whose caption is lost is found
as the line that resembles the machine-readable zone's; that it is read on its own is what makes it
a confirmation.
"""

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from typing import Final

from acredita.domain.documents import PageKind
from acredita.domain.identifiers.mrz import Mrz
from acredita.domain.identifiers.states import blanks_restored, named
from acredita.engines.documents.captions import (
    best_line,
    blank_after_commas,
    captioned,
    day_first,
    shaped,
)
from acredita.engines.documents.kind import Clue, KindReader, PageText
from acredita.engines.documents.layout import (
    CURP_SHAPE,
    DATE_SHAPE,
    Layout,
    find_shape,
    is_machine_readable,
    squeezed,
)
from acredita.engines.documents.second_reading import Spot
from acredita.engines.text import Line

_RESEMBLES: Final = 0.75
_NUMBER_SHAPE: Final = "A99999999"
_TITLES: Final = ("PASAPORTE", "PASSPORT", "ESTADOS UNIDOS MEXICANOS")
_TEXTS: Final = {
    "surnames": "Apellidos",
    "givenNames": "Nombres",
}
_PLACE: Final = "Lugar de nacimiento"
_DATES: Final = {
    "dateOfBirth": "Fecha de nacimiento",
    "dateOfIssue": "Fecha de expedición",
    "dateOfExpiry": "Fecha de caducidad",
}
_REPEATED: Final = ("dateOfBirth", "dateOfExpiry")


def clue(layout: Layout) -> Clue:
    # An address may be as long, or begin with a P, but has no fillers.
    filled = [line.text.replace(" ", "") for line in layout.lines if "<" in line.text]
    if any(len(row) >= 36 for row in filled) and any(row[0] == "P" for row in filled):
        return Clue.ZONE
    return Clue.TITLES if layout.count(_TITLES) >= 2 else Clue.NONE


def spots(page: PageText) -> list[Spot]:
    """Return the spots of the printed fields that are found."""
    zone = page.zone
    # A reflection leaves pieces of the zone, which are as short as names.
    printed = (line for line in page.layout.lines if "<" not in line.text)
    layout = Layout(line for line in printed if not is_machine_readable(line))
    found = [*_texts(layout, zone), *_place(layout), *_dates(layout, zone)]
    found += captioned(
        layout, "documentNumber", _NUMBER_SHAPE, "Pasaporte No", repeated=True
    ) or _like_number(layout, zone)
    found += captioned(layout, "sex", "G", "Sexo", repeated=True) or _sex_alone(layout)
    if line := best_line(layout.lines, CURP_SHAPE):
        found.append(Spot("curp", line, shaped(CURP_SHAPE)))
    return found


def _texts(layout: Layout, zone: Mrz | None) -> Iterator[Spot]:
    known = {"surnames": zone.surnames, "givenNames": zone.given} if zone else {}
    for field, caption in _TEXTS.items():
        label = layout.caption(caption)
        under = layout.below(label) if label else []
        line = under[0] if under else _resembling(layout.lines, known.get(field, ""))
        if line:
            yield Spot(field, line)


def _place(layout: Layout) -> list[Spot]:
    """The place of birth, and by itself the town in it: of the two only the state is repeated.

    Its caption is often lost; but no other line of the page ends in a comma and a state.
    """
    label = layout.caption(_PLACE)
    under = [line for line in layout.below(label) if not _has_digit(line)] if label else []
    line = next((line for line in (*under, *layout.lines) if _town(line)), None)
    if line is None:
        return [Spot("placeOfBirth", under[0], write=_as_place)] if under else []
    return [
        Spot("placeOfBirth", line, write=_as_place),
        Spot("townOfBirth", line, _town),
    ]


def _town(line: Line) -> Line | None:
    """Return the part of the line before the comma and the state."""
    town, _, state = line.text.rpartition(",")
    known = named(blanks_restored(state))
    return line.part(0, len(town.rstrip())) if town.strip() and known else None


def _as_place(text: str) -> str:
    *towns, state = blank_after_commas(text).split(", ")
    return ", ".join([*towns, blanks_restored(state)])


def _has_digit(line: Line) -> bool:
    return any(character.isdigit() for character in line.text)


def _dates(layout: Layout, zone: Mrz | None) -> Iterator[Spot]:
    for field, caption in _DATES.items():
        spots = captioned(
            layout, field, DATE_SHAPE, caption, day_first, repeated=field in _REPEATED
        )
        yield from spots
        if not spots and zone and (line := _lost_date(layout, field, zone)):
            repeated = field in _REPEATED
            yield Spot(field, line, shaped(DATE_SHAPE), day_first, repeated=repeated)


def _lost_date(layout: Layout, field: str, zone: Mrz) -> Line | None:
    """The date without its caption: as the zone says it; that of issue is another one, some years
    before a book ends on the same day of the year.
    """
    known = {"dateOfBirth": zone.birth, "dateOfExpiry": zone.expiry}
    for line in layout.lines:
        date = find_shape(line, DATE_SHAPE)
        if date is None:
            continue
        said = _year_first(date.text)
        same_day = said[2:] == zone.expiry[2:] and said not in known.values()
        if said == known[field] if field in known else same_day:
            return line
    return None


def _like_number(layout: Layout, zone: Mrz | None) -> list[Spot]:
    """The line whose digits are the zone's; the letter may be a digit to the zone's reader."""
    digits = zone.document_number[1:] if zone else ""
    for line in layout.lines:
        number = find_shape(line, _NUMBER_SHAPE)
        if digits and number and number.text[1:] == digits:
            return [Spot("documentNumber", line, shaped(_NUMBER_SHAPE), repeated=True)]
    return []


def _sex_alone(layout: Layout) -> list[Spot]:
    """Find a single letter whose caption was lost, or an X that was read in lower case."""
    alone = [line for line in layout.lines if line.text in ("M", "F", "X", "x")]
    return [Spot("sex", alone[0], repeated=True)] if len(alone) == 1 else []


def _resembling(lines: list[Line], wanted: str) -> Line | None:
    """Return the line most similar to the words, without regard to Ñ and accents; None if none is
    similar."""
    target = squeezed(wanted)
    if not target:
        return None
    ranked = [(_likeness(target, squeezed(line.text)), line) for line in lines]
    score, line = max(ranked, key=lambda pair: pair[0], default=(0.0, None))
    return line if score >= _RESEMBLES else None


def _likeness(target: str, text: str) -> float:
    """Return the similarity, 0 to 1. A zone truncates long names, so a line that starts with the
    target matches."""
    if len(target) >= 4 and text.startswith(target):
        return 1.0
    return SequenceMatcher(None, target, text).ratio()


def _year_first(text: str) -> str:
    """Convert DDMMYYYY to the zone's YYMMDD."""
    return text[6:] + text[2:4] + text[:2]


def titled(lines: Iterable[Line]) -> bool:
    """Return whether the title stands among these lines, the top ones of the page."""
    return Layout(lines).count(_TITLES) > 0


READER: Final = KindReader(
    PageKind.PASSPORT, clue, spots, zone_width=44, usual_fields=8, all_fields=10, titled=titled
)
