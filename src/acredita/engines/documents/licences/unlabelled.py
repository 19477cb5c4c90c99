"""Find fields of a licence without their captions, by elimination.

Captions are small and thin, so a reflection hides them first. If all but one or two fields are
found, an unused line of the right shape must be the missing value. If two lines or two fields are
possible, none is chosen.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Final

from acredita.domain.documents.licence import is_term_of_years
from acredita.domain.documents.licence_templates import TEXT_FIELDS, TemplateField
from acredita.engines.documents.layout import Layout, squeezed
from acredita.engines.documents.licences.values import is_date
from acredita.engines.documents.second_reading import Spot
from acredita.engines.text import Line

DATES_IN_ORDER: Final = ("dateOfBirth", "issueDate", "expiryDate")
_BORN_BY: Final = ("curp", "rfc")
_POSTAL_CODE: Final = re.compile(r"[A-ZÁÉÍÓÚÜÑ.]{3,} *[0-9]{5}$")
_WHOLE_ADDRESS: Final = 2
_PITCH: Final = 1.6
_LONGEST_DATE: Final = 9
_LEAST_OF_CAPTION: Final = 3

Reader = Callable[[str, Line], Spot | None]
"""Takes a field's name and a line with only the value. Returns the field's spot, or None."""


class Leftovers:
    """The lines of a card that are not captions and not used by a field.

    A line that a method returns is used. So call the method for the most certain field first.
    """

    def __init__(
        self,
        layout: Layout,
        is_caption: Callable[[Line], bool],
        fields: Mapping[str, TemplateField],
        found: Sequence[Spot],
    ) -> None:
        self._fields, self._found = fields, {spot.field: spot for spot in found}
        self._lines = [
            line
            for line in layout.lines
            if not is_caption(line) and not any(_holds(line, spot.line) for spot in found)
        ]

    def missing(self, field: str) -> bool:
        """Whether the template has the field and it was not found."""
        return field in self._fields and not any(name.startswith(field) for name in self._found)

    def only(self, field: str, read: Reader) -> list[Spot]:
        """Return the only line that can be the field's value, or None."""
        possible = [spot for line in self._lines if (spot := read(field, line))]
        return self._taken(possible) if len(possible) == 1 and self.missing(field) else []

    def dates(self, read: Reader, *, permanent: bool) -> list[Spot]:
        """Assign as many dates as are missing by their order: birth, issue, expiry. The CURP or
        the RFC confirms a birth date.
        """
        printed = DATES_IN_ORDER[:2] if permanent else DATES_IN_ORDER
        missing = [field for field in printed if self.missing(field)]
        if not missing:
            return []
        left = [line for line in self._lines if _is_short(line) and read("issueDate", line)]
        if "dateOfBirth" in missing and len(left) != len(missing):
            missing, left = ["dateOfBirth"], [line for line in left if self._is_birth(read, line)]
        if len(left) != len(missing):
            return []
        left.sort(key=lambda line: _value(read("issueDate", line)))
        spots = _read_in_order(read, missing, left)
        return self._taken(spots) if self._is_chronological(spots) else []

    def end_of_term(self, read: Reader) -> list[Spot]:
        """Return the only date that is whole years after the issue, as the expiry."""
        issued = _value(self._found.get("issueDate"))
        spots = (read("expiryDate", line) for line in self._lines if _is_short(line))
        later = [spot for spot in spots if spot and issued and _is_term(issued, _value(spot))]
        return self._taken(later) if len(later) == 1 and self.missing("expiryDate") else []

    def _is_chronological(self, spots: Sequence[Spot]) -> bool:
        """Whether these dates and those found earlier are in the order of DATES_IN_ORDER."""
        dates = self._found | {spot.field: spot for spot in spots}
        values = [_value(dates[field]) for field in DATES_IN_ORDER if field in dates]
        return all(a < b for a, b in pairwise(values))

    def names(self, read: Reader) -> list[Spot]:
        """Assign lines of words in the column of the other values to the missing names.

        There must be as many lines as missing names. A template has names in printed order.
        """
        wanted = [field for field in self._fields if field in TEXT_FIELDS and field != "address"]
        missing = [field for field in wanted if self.missing(field)]
        possible = [line for line in self._aligned() if read("", line)]
        if len(possible) != len(missing):
            return []
        spots = _read_in_order(read, missing, possible)
        placed = self._found | {spot.field: spot for spot in spots}
        tops = [placed[field].line.centre[1] for field in wanted if field in placed]
        return self._taken(spots) if len(spots) < 2 or tops == sorted(tops) else []

    def _aligned(self) -> list[Line]:
        """Return the lines in the same column as a found value."""
        lefts = [spot.line.left for spot in self._found.values() if spot.field in self._fields]
        return [
            line
            for line in self._lines
            if any(abs(line.left - left) < 0.5 * line.height for left in lefts)
            and not self._rest_of_caption(line)
        ]

    def _rest_of_caption(self, line: Line) -> bool:
        """Whether the line is the beginning or the end of a caption: a reflection hid the rest."""
        text = squeezed(line.text)
        wordings = [squeezed(each) for spec in self._fields.values() for each in spec.captions]
        return len(text) >= _LEAST_OF_CAPTION and any(
            wording.startswith(text) or wording.endswith(text) for wording in wordings
        )

    def address(self, most: int) -> list[Line]:
        """Return the lines of the address, around the line that ends with a postal code."""
        coded = [line for line in self._lines if _POSTAL_CODE.search(line.text.upper())]
        if len(coded) != 1 or not self.missing("address"):
            return []
        block = coded
        for line in self._lines:
            if line.centre[1] > block[-1].centre[1] and _follows(block[-1], line):
                block = [*block, line]
        for line in reversed(self._lines):
            if line.centre[1] < block[0].centre[1] and _follows(line, block[0]):
                block = [line, *block]
        return block if _WHOLE_ADDRESS <= len(block) <= most else []

    def _taken(self, spots: list[Spot]) -> list[Spot]:
        taken = {id(spot.line) for spot in spots}
        self._lines = [line for line in self._lines if id(line) not in taken]
        self._found |= {spot.field: spot for spot in spots}
        return spots

    def _is_birth(self, read: Reader, line: Line) -> bool:
        day = "".join(_value(read("dateOfBirth", line)).split("-"))[2:]
        identifiers = (self._found[name] for name in _BORN_BY if name in self._found)
        return any(_value(spot)[4:10] == day for spot in identifiers)


def shapes_alone(shapes: Sequence[str], take: Callable[[Line], Line | None]) -> Reader:
    """Find a number that needs no correction and stands alone on its line."""

    def read(field: str, line: Line) -> Spot | None:
        text, value = squeezed(line.text), take(line)
        exact = value is not None and value.text == text and len(text) in map(len, shapes)
        return (
            Spot(field, line, take, lambda text: "".join(text.upper().split())) if exact else None
        )

    return read


def _read_in_order(read: Reader, fields: Sequence[str], lines: Sequence[Line]) -> list[Spot]:
    """Assign each line to the field with the same index."""
    pairs = zip(fields, lines, strict=True)
    return [spot for field, line in pairs if (spot := read(field, line))]


def _value(spot: Spot | None) -> str:
    taken = spot.value if spot else None
    return spot.write(taken.text) if spot and taken else ""


def _is_short(line: Line) -> bool:
    return len(squeezed(line.text)) <= _LONGEST_DATE


def _is_term(issued: str, expires: str) -> bool:
    if not is_date(issued):
        return False
    return is_term_of_years(date.fromisoformat(issued), date.fromisoformat(expires))


def _holds(line: Line, taken: Line) -> bool:
    x, y = taken.centre
    return line.left <= x <= line.right and abs(line.centre[1] - y) < 0.5 * line.height


def _follows(above: Line, below: Line) -> bool:
    height = max(above.height, below.height)
    drop = below.centre[1] - above.centre[1]
    return 0.5 * height < drop < _PITCH * height and abs(above.left - below.left) < height
