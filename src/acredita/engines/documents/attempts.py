"""Choose the part and the pose of a picture that show the document, by what is read there.

An outline is only a guess: a portrait or a coloured panel has one, too. So the flattened outline is
believed at once only if all fields were read in it or nothing is printed around it. Otherwise the
whole picture is read as well, and what has more valid check digits and fields is kept.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from acredita.domain.documents import PageKind
from acredita.domain.documents.findings import SURE
from acredita.domain.identifiers import curp
from acredita.domain.verification import DocumentRole
from acredita.engines.documents.classify import classify
from acredita.engines.documents.find_document import Found, find_second_document, flatten
from acredita.engines.documents.kind import KindReader, PageText
from acredita.engines.documents.layout import Layout, is_machine_readable
from acredita.engines.documents.mrz import WIDTHS, PageBox, Zone, zone_in
from acredita.engines.documents.mrz_pose import turn_of_zone
from acredita.engines.documents.printed_rows import is_print_around
from acredita.engines.documents.second_reading import (
    AT_SIDE,
    SecondReadings,
    Spot,
    from_value_on,
    with_part,
)
from acredita.engines.text import LATIN, Image, Line, TextReader

_LEAST_SIDE, _WHOLE_SIDE = 960, 1600
"""Longest side of a page that was not found and flattened: smaller ones are enlarged."""
_UPRIGHT_SCORE: Final = 0.9
"""Mean text score under which a page may be upside down: upright ones read 0.99, turned 0.76."""
_LEAST_SLOPE: Final = 4.0
"""Degrees from which a page is turned level: rows of an MRZ are a twentieth as high as long."""
_WORTH_OF_DIGIT: Final = 3
"""A valid check digit speaks for so many fields."""
_SMALL_SHARE: Final = 0.6
"""Print that fills less of the picture's width and height is read again, enlarged."""
_MARGIN: Final = 0.12
_PORTRAIT: Final = 0.27
"""The share of a card's width, from the left, that its portrait takes: nothing is looked for there
first."""
_SHAPE_OF_CARD: Final = (1.52, 1.66)
"""Range of length to width of a picture that a card fills (ISO/IEC 7810 ID-1: 1.586)."""
_SHAPE_OF_PASSPORT: Final = (1.37, 1.47)
"""The same of the data page of a passport (ID-3: 1.420)."""
_FEWEST_LINES: Final = 3
_LEAST_AT_SIDE: Final = 3
"""Characters of a line at the side: fewer may be a part of the edge."""


@dataclass(frozen=True, slots=True)
class Eyes:
    """The text reader and the kinds of pages that it can recognize."""

    text: TextReader
    kinds: Sequence[KindReader]

    def enough(self, lines: Sequence[Line]) -> bool:
        layout = Layout(lines)
        return any(kind.complete(layout) for kind in self.kinds)

    def titled(self, lines: Sequence[Line]) -> bool:
        return any(kind.titled(lines) for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class Attempt:
    """The lines that were read on a page in one pose, and the page's kind (None: unknown).

    `zone` is its machine-readable zone, `spots` where its fields are, `fields` the number of those
    with a value, `has_valid_curp` whether a CURP with a valid check digit is among them, `second`
    the second readings of lines that were begun.
    """

    page: Image
    lines: list[Line]
    reader: KindReader | None
    zone: Zone | None = None
    fields: int = 0
    has_valid_curp: bool = False
    spots: Sequence[Spot] = ()
    second: SecondReadings | None = None

    @property
    def has_valid_zone(self) -> bool:
        return self.zone is not None and self.zone.value is not None

    @property
    def score(self) -> float:
        """Mean over all characters, so that one long line outweighs specks read as letters."""
        glyphs = [glyph.probability for line in self.lines for glyph in line.glyphs]
        return float(np.mean(glyphs)) if glyphs else 0.0

    @property
    def level(self) -> bool:
        """Whether most text runs across: on a page that lies on its side it reads as well. A valid
        zone decides it, because the facing page of a passport may be printed sideways.
        """
        if self.has_valid_zone:
            return True
        across = sum(line.right - line.left >= line.bottom - line.top for line in self.lines)
        return 2 * across >= len(self.lines)

    @property
    def evidence(self) -> int:
        digits = self.has_valid_zone + self.has_valid_curp
        return _WORTH_OF_DIGIT * digits + self.fields

    @property
    def convincing(self) -> bool:
        """Whether no other pose can be right."""
        if self.has_valid_zone:
            return True
        return self.reader is not None and self.level and self.score >= _UPRIGHT_SCORE

    @property
    def whole(self) -> bool:
        """Whether all that a page of its kind carries was read."""
        kind = self.reader
        if kind is None or not self.convincing:
            return False
        return kind.complete(Layout(self.lines)) or 0 < kind.usual_fields <= self.fields

    @property
    def shows_all(self) -> bool:
        """Whether no field of a page of its kind is missing, and its zone is valid."""
        kind = self.reader
        if kind is None or not self.convincing or (kind.zone_width and not self.has_valid_zone):
            return False
        return 0 < kind.all_fields <= self.fields

    @property
    def is_cut(self) -> bool:
        """Whether print runs out of the page: its outline lies within the document."""
        width = self.page.shape[1]
        return any(
            len(line.text) >= _LEAST_AT_SIDE
            and (line.left < AT_SIDE * width or line.right > (1 - AT_SIDE) * width)
            for line in self.lines
        )

    @property
    def rank(self) -> tuple[bool, bool, int, float]:
        return self.reader is not None, self.level, self.evidence, self.score


def first_page(image: Image, found: Found | None) -> Image | None:
    """Return the page that is read first, BGR: the flattened outline, otherwise the whole picture;
    None for a strip that can be no page.
    """
    height, width = image.shape[:2]
    if min(height, width) < 32 or max(height, width) > 12 * min(height, width):
        return None
    return enlarged(image) if found is None else flatten(image, found)


def best_attempt(
    image: Image, found: Found | None, eyes: Eyes, first: Image | None = None
) -> tuple[Attempt | None, bool]:
    """Return the part and pose that read best, and whether it is the flattened outline; None for a
    strip that can be no page. `image` is BGR; `first`: its first page, if that is known.
    """
    first = first_page(image, found) if first is None else first
    if first is None:
        return None, False
    best: Attempt | None = None
    if found is not None:
        best = posed(first, eyes, fewest_lines=_FEWEST_LINES)
        if not best.is_cut and (
            best.whole or (best.convincing and not is_print_around(image, found.corners))
        ):
            return best, True
    whole = posed(first if found is None else enlarged(image), eyes)
    closer = _closer(whole)
    if closer is not None:
        whole = max(whole, posed(enlarged(closer), eyes), key=lambda each: each.rank)
    if best is not None and best.rank >= whole.rank:
        return best, True
    return whole, False


def posed(page: Image, eyes: Eyes, *, fewest_lines: int = 1) -> Attempt:
    """Read the page, and rotate it by the direction of its text if that reading is not convincing.

    `page` is of shape (height, width, 3), uint8, BGR. With fewer lines than `fewest_lines`, it
    shows no document in any pose, and is not rotated.
    """
    best = first = _straightened(_first(page, eyes), eyes)
    is_settled = first.convincing or len(first.lines) < fewest_lines
    for degrees in () if is_settled else _turns(first):
        turned = _straightened(attempt(_turned(page, degrees), eyes), eyes)
        best = max(best, turned, key=lambda each: each.rank)
        if best.convincing:
            break
    return best


def attempt(page: Image, eyes: Eyes, *, coarsely: bool = False) -> Attempt:
    """Read the page without rotation.

    A page that a card or a passport with a known title fills is first read at a lower resolution, a
    card beside its portrait: this takes a third of the time of the line detection, and less than
    half of that of the lines. If no field is lost, the result is kept. If `coarsely`, the page is
    read at the lower resolution alone.
    """
    skipped = None if coarsely else _skipped_at_first(page)
    if skipped is not None:
        lines = eyes.text.read(page, LATIN, coarsely=True, worthwhile=eyes.titled, skipped=skipped)
        if eyes.titled(lines):
            coarse = _surer(weighed(page, lines, eyes), eyes)
            if coarse.shows_all and not _is_cut(coarse.spots, skipped * page.shape[1]):
                return coarse
    lines = eyes.text.read(page, LATIN, eyes.enough, coarsely=coarsely)
    return _surer(weighed(page, lines, eyes), eyes)


def _skipped_at_first(page: Image) -> float | None:
    """The share of the width, from the left, where no lines are looked for at first; None for a
    page that is read at full detail at once."""
    shape = page.shape[1] / page.shape[0]
    if _SHAPE_OF_CARD[0] <= shape <= _SHAPE_OF_CARD[1]:
        return _PORTRAIT
    return 0.0 if _SHAPE_OF_PASSPORT[0] <= shape <= _SHAPE_OF_PASSPORT[1] else None


def _surer(found: Attempt, eyes: Eyes) -> Attempt:
    """Return the attempt with the doubtful lines of its fields and its zone read again at full
    resolution, if they were not read at it. If no field is missing, the second readings of the
    others begin meanwhile: the page is probably the one that is kept.
    """
    lines = _doubtful_lines(found)
    parts = [_part_to_read_again(line, found) for line in lines]
    again = eyes.text.read_again(found.page, parts)
    if found.second is not None and found.shows_all:
        doubtful = {id(line) for line in lines}
        found.second.begin([spot for spot in found.spots if id(spot.line) not in doubtful])
    if not lines:
        return found
    larger = {
        id(line): with_part(line, part, reading())
        for line, part, reading in zip(lines, parts, again, strict=True)
    }
    lines = [larger.get(id(line), line) for line in found.lines]
    return replace(weighed(found.page, lines, eyes, found.reader), second=found.second)


def _doubtful_lines(found: Attempt) -> list[Line]:
    doubtful = {id(spot.line) for spot in found.spots if not spot.is_sure}
    doubtful |= {id(line) for line in found.lines if _is_doubtful_row(line, found)}
    return [line for line in found.lines if line.is_coarse and id(line) in doubtful]


def _part_to_read_again(line: Line, found: Attempt) -> Line:
    """Return a line without the caption before its values, which is long on a card: without it, the
    line is read again in half of the time."""
    return from_value_on(line, [spot for spot in found.spots if spot.line is line])


def _is_doubtful_row(line: Line, found: Attempt) -> bool:
    if not is_machine_readable(line):
        return False
    is_whole = len(line.text.replace(" ", "")) in WIDTHS  # otherwise it lost fillers
    return not (is_whole and found.has_valid_zone and line.weakest >= SURE)


def _is_cut(spots: Sequence[Spot], start: float) -> bool:
    """Whether a field's line may begin to the left of the column `start`, on an older card whose
    portrait is on the right."""
    return start > 0 and any(spot.line.left < start + spot.line.height for spot in spots)


def weighed(
    page: Image, lines: list[Line], eyes: Eyes, reader: KindReader | None = None
) -> Attempt:
    """Return the attempt with its evidence. `reader` is that of the page's kind, if it is known."""
    reader = reader or classify(lines, eyes.kinds)
    zone = zone_in(lines, None if reader is None else reader.zone_width)
    if reader is None:
        return Attempt(page, lines, None, zone)
    size = (page.shape[1], page.shape[0])
    text = PageText(Layout(lines), zone.value if zone else None, size)
    spots = reader.spots(text)
    values = {spot.field: spot.value for spot in spots}
    legible = {field: value.text for field, value in values.items() if value and value.text}
    valid = curp.is_valid(legible.get("curp", ""))
    second = SecondReadings(page, eyes.text)
    return Attempt(page, lines, reader, zone, len(legible), valid, spots, second)


def page_of_zone(found: Attempt, eyes: Eyes) -> tuple[Attempt, Attempt | None]:
    """Return the page to which a zone belongs, and the other document beside it, if any.

    The zone's width gives the page's size. What is printed elsewhere belongs to the facing page or
    to another document.
    """
    if found.zone is None:
        return found, None
    box = found.zone.page
    inside = [line for line in found.lines if box.holds(line)]
    outside = [line for line in found.lines if not box.holds(line)]
    if len(outside) < _FEWEST_LINES or len(inside) < _FEWEST_LINES:
        return found, None
    page = posed(enlarged(box.cut(found.page)), eyes)
    is_better = page.reader is found.reader and page.evidence >= found.evidence
    return page if is_better else found, _beside(found, box, outside, eyes)


def _beside(found: Attempt, box: PageBox, outside: Sequence[Line], eyes: Eyes) -> Attempt | None:
    """Return the document beside the page of a zone; None if there is none."""
    others = box.beside(found.page)
    rest = max(others, key=lambda other: sum(map(other.holds, outside)), default=None)
    if rest is None or not _is_document([e for e in outside if rest.holds(e)], found, eyes):
        return None
    other = posed(enlarged(rest.cut(found.page)), eyes)
    return other if other.reader else None


def _is_document(lines: Sequence[Line], beside: Attempt, eyes: Eyes) -> bool:
    """Whether the lines are those of another document. The facing page of a passport repeats its
    titles, but has no zone."""
    kind = classify(lines, eyes.kinds)
    return kind is not None and (kind is not beside.reader or bool(Layout(lines).machine_readable))


def documents_in(
    image: Image, best: Attempt, outline: Found | None, eyes: Eyes, role: DocumentRole | None
) -> tuple[Attempt, Attempt | None]:
    """Return the document in the picture that `role` asks for, and another one beside it, if any.

    `outline` is the one in which `best` was read. Another document lies beside a zone's page; if
    the wrong one was read, also within a second outline.
    """
    page, other = page_of_zone(best, eyes)
    if other is None and outline is not None and not _is_asked(page, role):
        second = find_second_document(image, outline)
        other = None if second is None else posed(flatten(image, second), eyes)
    if other is None or other.reader is None:
        return page, None
    return (page, other) if _is_asked(page, role) or not _is_asked(other, role) else (other, page)


def _is_asked(found: Attempt, role: DocumentRole | None) -> bool:
    """Whether the page may be what was asked for. Without a role, it is a side with a portrait."""
    kind = None if found.reader is None else found.reader.kind
    if role is DocumentRole.PASSPORT:
        return kind is PageKind.PASSPORT
    return kind is not None and (kind is PageKind.INE_BACK) == (role is DocumentRole.BACK)


def enlarged(image: Image) -> Image:
    """Return the picture, scaled so that its longest side is legible for OCR and not too costly.

    It is the same array if that is so already. Both are of shape (height, width, 3), uint8, BGR.
    """
    longest = max(image.shape[:2])
    scale = min(max(1.0, _LEAST_SIDE / longest), _WHOLE_SIDE / longest)
    if scale == 1:
        return image
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)


def _closer(found: Attempt) -> Image | None:
    """Return the printed part of a picture that shows a small document; None if it fills it."""
    if found.whole or len(found.lines) < _FEWEST_LINES:
        return None
    height, width = found.page.shape[:2]
    left, top = (min(getattr(each, side) for each in found.lines) for side in ("left", "top"))
    right, bottom = (max(getattr(each, s) for each in found.lines) for s in ("right", "bottom"))
    if right - left > _SMALL_SHARE * width or bottom - top > _SMALL_SHARE * height:
        return None
    margin = _MARGIN * max(right - left, bottom - top)
    return PageBox(left - margin, top - margin, right + margin, bottom + margin).cut(found.page)


def _first(page: Image, eyes: Eyes) -> Attempt:
    """Turned as a zone's rows show that it lies, at less detail, where no more is needed."""
    turn = turn_of_zone(page)
    if turn is not None:
        coarse = attempt(_turned(page, turn), eyes, coarsely=True)
        if eyes.enough(coarse.lines):
            return coarse
    return attempt(page, eyes)


def _straightened(found: Attempt, eyes: Eyes) -> Attempt:
    """The page read again with its rows level, where they slope: rows of a slope mix."""
    slope = _slope(found.lines)
    if abs(slope) < _LEAST_SLOPE:
        return found
    return attempt(_rotated(found.page, slope), eyes)


def _slope(lines: Sequence[Line]) -> float:
    """By how many degrees the rows fall to the right: the median over the characters of all."""
    slopes = [line.slope for line in lines for _ in line.glyphs if abs(line.slope) < 45]
    return float(np.median(slopes)) if slopes else 0.0


def _rotated(image: Image, degrees: float) -> Image:
    """Counter-clockwise, on a sheet that holds all of it."""
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    across, down = abs(turn[0, 0]), abs(turn[0, 1])
    size = round(width * across + height * down), round(width * down + height * across)
    turn[:, 2] += (size[0] - width) / 2, (size[1] - height) / 2
    return cv2.warpAffine(image, turn, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


def _turns(found: Attempt) -> Iterator[int]:
    yield from (180,) if found.level else (90, 270)


def _turned(image: Image, degrees: int) -> Image:
    """Return the page turned counter-clockwise; the same array for no degrees."""
    return np.ascontiguousarray(np.rot90(image, degrees // 90)) if degrees else image
