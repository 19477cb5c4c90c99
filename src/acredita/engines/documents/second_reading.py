"""Read each printed field twice.

The first reading comes from the reading of the page. The second uses the same pixels with another
crop, scale and contrast. An error that the crop causes seldom occurs twice. A caption before the
value is not read again.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Final
from unicodedata import combining, normalize

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.domain.documents import Box, Sighting
from acredita.domain.documents.findings import SURE
from acredita.domain.documents.pages import MOST_ALTERNATIVES
from acredita.domain.identifiers import curp
from acredita.engines.documents.layout import squeezed
from acredita.engines.text import (
    CAPITALS,
    Alphabet,
    Glyph,
    Image,
    Line,
    Reading,
    TextReader,
    share_of_page,
)
from acredita.engines.text.levelling import laid_level

_HEIGHT: Final = 72
_DOUBTFUL, _LIKELY = 0.02, 0.2
"""Lowest probability of a second choice that is an alternative: of the first reading, and of the
second one."""

AT_SIDE: Final = 0.004
"""A share of the width: a quarter of a millimetre of a card. Nothing is printed so near its
side."""


_LAST_STOP: Final = re.compile(r"(,[^,]*)\.$")
"""The stop of a state's abbreviation at the end of an address: all 163 that were read on 44 cards
were printed."""
_INITIAL: Final = re.compile(r"\b([JM])(?=\1)")


def in_capitals(text: str) -> str:
    """Return the text in capitals, with single spaces. No name begins with two J or two M: the
    first letter is an initial whose space was lost.
    """
    return _INITIAL.sub(r"\1 ", " ".join(text.upper().split()))


@dataclass(frozen=True)
class Spot:
    """A field's line, the function that takes its value from the line, and the one that formats it.

    A value that another zone repeats (`repeated`) needs no second reading.
    """

    field: str
    line: Line
    take: Callable[[Line], Line | None] = lambda line: line
    write: Callable[[str], str] = in_capitals
    repeated: bool = False
    alphabet: Alphabet = CAPITALS
    """The alphabet of the second reading."""

    @cached_property
    def value(self) -> Line | None:
        """The value as it was first read."""
        return self.take(self.line)

    @property
    def is_sure(self) -> bool:
        return self.value is not None and self.value.weakest >= SURE

    @cached_property
    def end_of_line(self) -> str:
        """The value as it was read, without a caption before it; empty if text follows it."""
        line, value = self.line, self.value
        if value is None or not np.allclose(value.quad[1:3], line.quad[1:3], atol=1.0):
            return ""
        length = len(squeezed(value.text))
        ends = (line.text[start:] for start in reversed(range(len(line.text))))
        return next((end for end in ends if len(squeezed(end)) == length), "")


class SecondReadings:
    """The second readings of the lines of a page (BGR). Each is begun once, even while other lines
    are read for the first time.
    """

    def __init__(self, page: Image, reader: TextReader) -> None:
        self.page, self._reader = page, reader
        self._begun: dict[Hashable, tuple[Line, Reading]] = {}

    def begin(self, spots: Iterable[Spot]) -> dict[tuple[int, str], Reading]:
        """Begin the second readings of the spots' lines, unless a spot's value is repeated. Return
        them by the line's id and the name of the alphabet.
        """
        unrepeated = [spot for spot in spots if not spot.repeated]
        asked = {}
        for spot in unrepeated:
            on_line = [each for each in unrepeated if each.line is spot.line]
            part = from_value_on(spot.line, on_line)
            own = [each for each in on_line if each.alphabet is spot.alphabet]
            asked[_place(spot)] = _Asked(spot.line, part, own)
        for each in sorted(asked.values(), key=lambda one: -one.cost):
            if each.key not in self._begun:
                self._begun[each.key] = each.line, self._read(each)
        return {place: self._begun[each.key][1] for place, each in asked.items()}

    def _read(self, asked: "_Asked") -> Reading:
        crop = _other_crop(self.page, asked.part.quad)
        check = asked.confirms if asked.is_coarse else None
        (reading,) = self._reader.read_crops([crop], asked.spots[0].alphabet, coarsely=[check])
        return lambda: _on(asked.part.quad, reading())


@dataclass(frozen=True, slots=True)
class _Asked:
    """A line to be read the second time, its part from the value on, and the spots that take their
    values from it, which share one alphabet.

    Where a line was read coarsely and is sure, so it is the second time. Unless that confirms all
    of its values, it is read at full resolution.
    """

    line: Line
    part: Line
    spots: Sequence[Spot]

    @property
    def is_coarse(self) -> bool:
        return self.line.is_coarse and all(spot.is_sure for spot in self.spots)

    @property
    def cost(self) -> float:
        """The part's length in heights, twice if it is read at full resolution at once."""
        length, height = _sides(self.part.quad)
        return (1 if self.is_coarse else 2) * length / height

    @property
    def key(self) -> Hashable:
        values = ((spot.field, spot.value) for spot in self.spots)
        taken = tuple((field, value.text if value else None) for field, value in values)
        return _place(self.spots[0]), self.part.quad.tobytes(), taken

    def confirms(self, second: Line) -> bool:
        return all(_is_confirmed(spot, second) for spot in self.spots)


def _place(spot: Spot) -> tuple[int, str]:
    return id(spot.line), spot.alphabet.name


def _on(quad: NDArray[np.float32], line: Line) -> Line:
    return Line(line.text, line.glyphs, quad)


def read_spots(
    spots: Sequence[Spot], second: SecondReadings, *, first_unseen: bool = False
) -> list[Sighting]:
    """Read each spot's value: twice, unless another zone repeats it. Spots without a value are left
    out.

    `first_unseen` means that the spots' lines come from a PDF's text layer. Then all are also read
    from the pixels, and a value that the pixels do not confirm has confidence 0.
    """
    if first_unseen:
        spots = [replace(spot, repeated=False) for spot in spots]
    begun = second.begin(spots)
    sightings = []
    for spot in spots:
        read = [spot.line, *([] if spot.repeated else [begun[_place(spot)]()])]
        taken = [value for line in read if (value := spot.take(line))]
        values = _better_first(spot, [value for value in taken if value.text])
        if values:
            sightings.append(_sighting(second.page, spot, values, first_unseen=first_unseen))
    return sightings


def _is_confirmed(spot: Spot, second: Line) -> bool:
    """Whether both readings have the same value, and the second one is sure."""
    value, again = spot.value, spot.take(second)
    if value is None or again is None:
        return False
    return value.text == again.text and again.weakest >= SURE


def from_value_on(line: Line, spots: Sequence[Spot]) -> Line:
    """Return the part of a line from the first value of its spots on that ends it. The quad begins
    in the middle of the gap before the value; without a caption before all of the values, it is the
    line's.
    """
    at = _first_value(line, [spot.end_of_line for spot in spots])
    start = _start_of(line, at)
    if not start:
        return line
    top_left, top_right, bottom_right, bottom_left = line.quad
    left = (
        top_left + (top_right - top_left) * start,
        bottom_left + (bottom_right - bottom_left) * start,
    )
    quad = np.array([left[0], top_right, bottom_right, left[1]], np.float32)
    return Line(line.text[at:], line.glyphs[at:], quad)


def with_part(line: Line, part: Line, read: Line) -> Line:
    """Return a line whose part, one that from_value_on() returned, was read again."""
    if part is line:
        return read
    at = len(line.text) - len(part.text)
    start = _start_of(line, at)
    places = (start + (1 - start) * place for place in read.places)
    return replace(
        read,
        text=line.text[:at] + read.text,
        glyphs=(*line.glyphs[:at], *read.glyphs),
        places=(*line.places[:at], *places),
        quad=line.quad,
    )


def _first_value(line: Line, ends: Sequence[str]) -> int:
    """Return the index in the text of the first of the values that end the line; 0 if one does
    not."""
    at = len(line.text) - max(map(len, ends), default=0) if all(ends) else 0
    while 0 < at < len(line.text) and line.text[at] == " ":
        at += 1
    return at


def _start_of(line: Line, at: int) -> float:
    """Return the share of the line's length before the character `at`; 0 if nothing is before it or
    the places of the characters are unknown."""
    before = len(line.text[:at].rstrip()) - 1
    if before < 0 or at == len(line.text) or len(line.places) != len(line.text):
        return 0.0
    return (line.places[before] + line.places[at]) / 2


def _sighting(page: Image, spot: Spot, values: list[Line], *, first_unseen: bool) -> Sighting:
    """Combine the readings of a spot; there is at least one."""
    read = values
    if first_unseen:
        confidence = min(value.weakest for value in values)
    else:
        values, confidence = combine_readings(values)
    readings = tuple(spot.write(value.text) for value in values)
    box = share_of_page(values[0].quad, page)
    is_unconfirmed = first_unseen and (len(readings) < 2 or len(set(readings)) > 1)
    if is_unconfirmed or _runs_out(box):
        confidence = 0.0
    rivals = _alternatives(spot, values, read, readings[0])
    return Sighting(spot.field, readings, round(confidence, 4), rivals, box)


def _runs_out(box: Box) -> bool:
    """Whether a line reaches the page's side. Both readings of a name that is cut off there agree
    on the same part of it.
    """
    return box[0] < AT_SIDE or box[2] > 1 - AT_SIDE


def _better_first(spot: Spot, values: list[Line]) -> list[Line]:
    """Put the CURP first whose check digit is valid, and of other values the fuller one."""
    if spot.field == "curp":
        return sorted(values, key=lambda value: not curp.is_valid(value.text))
    return _fuller_first(values)


def _fuller_first(values: list[Line]) -> list[Line]:
    """If the readings differ only in marks, spaces and the stop of a state's abbreviation, put the
    one with more first: the network loses them and never adds any."""
    if len({_unmarked(_LAST_STOP.sub(r"\1", _letters(value))) for value in values}) == 1:
        return sorted(values, key=lambda value: (-_marks(value), -len(value.text)))
    return values


def combine_readings(values: list[Line]) -> tuple[list[Line], float]:
    """Return the readings, the fullest first, and the probability of the weakest character.

    The network loses spaces, accents and the tilde of Ñ, and adds none: all 272 spaces and 876
    marked letters that were read were printed. So the readings' probabilities of such a character
    are combined, and readings that differ only in spaces count as the first one.
    """
    blanks = [_blanks(value) for value in values]
    same_letters = len({_letters(value).upper() for value in values}) == 1
    if not same_letters or any(each.keys() - blanks[0].keys() for each in blanks):
        return values, min(value.weakest for value in values)
    odds = [_joint(each.get(at, 0.0) for each in blanks) for at in blanks[0]]
    glyphs = ([glyph for glyph in value.glyphs if glyph.character != " "] for value in values)
    for at, same in enumerate(zip(*glyphs, strict=True), start=1):
        odds += _odds_of_letter(same)
        if at not in blanks[0]:
            odds += [1 - glyph.lost_blank for glyph in same]
    return values[:1] * len(values), min(odds, default=0.0)


def _odds_of_letter(same: Sequence[Glyph]) -> list[float]:
    """The odds of a letter that all readings have: joint where only its mark is in doubt."""
    odds = [glyph.probability for glyph in same]
    return [_joint(odds)] if all(map(_only_the_mark_is_doubtful, same)) else odds


def _joint(odds: Iterable[float]) -> float:
    """The odds that at least one of the readings is right."""
    return 1 - prod(1 - each for each in odds)


def _only_the_mark_is_doubtful(glyph: Glyph) -> bool:
    plain = _unmarked(glyph.character)
    rival = glyph.runner_up_probability >= _DOUBTFUL
    return plain != glyph.character.upper() and (not rival or _unmarked(glyph.runner_up) == plain)


def _unmarked(text: str) -> str:
    return "".join(each for each in normalize("NFD", text) if not combining(each)).upper()


def _marks(value: Line) -> int:
    """Return how many letters have an accent, a tilde or two points."""
    return sum(combining(each) > 0 for each in normalize("NFD", value.text))


def _blanks(line: Line) -> dict[int, float]:
    """Return the probability of each space by the number of letters before it."""
    found, letters = {}, 0
    for glyph in line.glyphs:
        if glyph.character == " ":
            found[letters] = glyph.probability
        else:
            letters += 1
    return found


def _letters(line: Line) -> str:
    return line.text.replace(" ", "")


def _alternatives(
    spot: Spot, values: Sequence[Line], read: Sequence[Line], preferred: str
) -> tuple[str, ...]:
    """Return other values: the other reading, then those with one second choice."""
    found = [spot.write(value.text) for value in values]
    for line in read:
        least = _DOUBTFUL if line is read[0] else _LIKELY
        for index, glyph in enumerate(line.glyphs):
            if glyph.runner_up_probability >= least and glyph.runner_up.isalnum():
                text = line.text[:index] + glyph.runner_up + line.text[index + 1 :]
                found.append(spot.write(text))
    others = dict.fromkeys(text for text in found if text != preferred)
    return tuple(others)[:MOST_ALTERNATIVES]


def _sides(quad: NDArray[np.float32]) -> tuple[float, float]:
    """Length and height."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    return max(float(sides[0]), 2.0), max(float(sides[1]), 2.0)


def _other_crop(page: Image, quad: NDArray[np.float32]) -> Image:
    length, height = _sides(quad)
    along = (quad[1] - quad[0]) / np.float32(length) * np.float32(0.3 * height)
    across = (quad[3] - quad[0]) / np.float32(height) * np.float32(0.1 * height)
    grown = quad + np.array(
        [-along - across, along - across, along + across, -along + across], np.float32
    )
    width = max(8, int(_HEIGHT * (length + 0.6 * height) / (1.2 * height)))
    crop = laid_level(page, grown, width, _HEIGHT)
    lab = cv2.cvtColor(crop, cv2.COLOR_BGR2LAB)
    lab[..., 0] = cv2.createCLAHE(2.0, (2, 4)).apply(np.ascontiguousarray(lab[..., 0]))
    return cv2.cvtColor(lab, cv2.COLOR_LAB2BGR)
