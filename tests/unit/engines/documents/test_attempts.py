"""What is read in a picture decides which part of it is the document, and how it lies."""

from dataclasses import replace
from functools import partial

import cv2
import numpy as np
import pytest

from acredita.domain.documents import PageKind
from acredita.domain.documents.findings import SURE
from acredita.domain.verification import DocumentRole
from acredita.engines.documents import read_pages, warm_up
from acredita.engines.documents.attempts import (
    Eyes,
    attempt,
    best_attempt,
    first_page,
    posed,
)
from acredita.engines.documents.classify import KINDS
from acredita.engines.documents.decode import decode_image
from acredita.engines.documents.find_document import (
    CARD_ASPECT,
    Found,
    find_document,
    find_second_document,
)
from acredita.engines.documents.mrz import zone_in
from acredita.engines.documents.printed_rows import is_print_around
from acredita.engines.documents.second_reading import read_spots
from acredita_synthetic.people import make_person
from acredita_synthetic.specimens import (
    Difficulty,
    SpecimenKind,
    draw_document,
    make_specimen,
)
from tests.unit.engines.documents.test_layout import line

PORTRAIT = np.full((380, 300, 3), (150, 160, 170), np.uint8)
PERSON = make_person(51)


@pytest.fixture(scope="module")
def eyes(reader):
    return Eyes(reader, KINDS)


def drawn(kind):
    return draw_document(kind, PERSON, PORTRAIT).pixels


def outline(left, top, right, bottom):
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    return Found(corners, CARD_ASPECT, 1.0)


def png(image):
    return cv2.imencode(".png", image)[1].tobytes()


class _Blind:
    """A text reader that finds no line."""

    def read(self, *_args, **_options):
        return []

    def read_again(self, _image, _lines):
        return []


@pytest.mark.parametrize("found", [None, outline(100, 100, 900, 600)])
def test_the_page_that_is_read_first_is_known_before_a_line_is_looked_for(found):
    picture = np.full((700, 1000, 3), 200, np.uint8)
    picture[-200::20] = 0
    first = first_page(picture, found)
    best, is_outline = best_attempt(picture, found, Eyes(_Blind(), KINDS), first)
    assert best.page is first
    assert is_outline is (found is not None)


def test_a_strip_has_no_first_page():
    assert first_page(np.zeros((20, 1000, 3), np.uint8), None) is None


def test_an_outline_of_a_part_of_the_document_gives_way_to_the_whole_picture(eyes):
    front = drawn(SpecimenKind.INE_FRONT)
    height, width = front.shape[:2]
    part = outline(0.3 * width, 0.05 * height, 0.98 * width, 0.6 * height)
    best, is_outline = best_attempt(front, part, eyes)
    assert not is_outline
    assert best.reader.kind is PageKind.INE_FRONT
    assert best.has_valid_curp


def test_a_small_document_on_a_wide_background_is_read_again_enlarged(eyes):
    front = cv2.resize(drawn(SpecimenKind.INE_FRONT), None, fx=0.5, fy=0.5)
    height, width = front.shape[:2]
    picture = np.full((4 * height, 3 * width, 3), 235, np.uint8)
    picture[2 * height : 3 * height, width : 2 * width] = front
    best, is_outline = best_attempt(picture, None, eyes)
    assert not is_outline
    assert best.reader.kind is PageKind.INE_FRONT
    assert best.has_valid_curp


def test_an_outline_that_cuts_print_off_gives_way_to_the_whole_picture(eyes):
    front = drawn(SpecimenKind.INE_FRONT)
    height, width = front.shape[:2]
    best, is_outline = best_attempt(front, outline(0, 0, 0.8 * width, height), eyes)
    assert not is_outline
    assert not best.is_cut
    at_the_side = line("2008 02", left=width - 84)
    assert replace(best, lines=[*best.lines, at_the_side]).is_cut
    assert not replace(best, lines=[line("2", left=width - 12)]).is_cut


# test_read reads a turned card in `make test`, and lays a turned photograph flat.
@pytest.mark.thorough
def test_a_picture_on_its_side_is_also_laid_level(eyes):
    front = drawn(SpecimenKind.INE_FRONT)
    height, width = front.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 7, 0.8)
    tilted = cv2.warpAffine(front, turn, (width, height), borderValue=(235, 235, 235))
    best = posed(np.ascontiguousarray(np.rot90(tilted)), eyes)
    assert best.has_valid_curp
    assert max(abs(each.slope) for each in best.lines if len(each.text) > 8) < 2


def test_print_outside_an_outline_says_that_it_may_be_a_part(eyes):
    specimen = make_specimen(SpecimenKind.INE_FRONT, 52, Difficulty.PHOTO)
    picture = decode_image(specimen.image_bytes, specimen.mime_type)
    assert not is_print_around(picture, find_document(picture).corners)
    front = drawn(SpecimenKind.INE_FRONT)
    portrait = outline(20, 150, 300, 500).corners
    assert is_print_around(front, portrait)
    assert is_print_around(np.ascontiguousarray(np.rot90(front)), portrait)


def test_the_card_around_an_outline_of_its_part_is_no_second_document():
    specimen = make_specimen(SpecimenKind.INE_FRONT, 52, Difficulty.PHOTO)
    picture = decode_image(specimen.image_bytes, specimen.mime_type)
    card = find_document(picture)
    middle = card.corners.mean(axis=0)
    part = Found(middle + (card.corners - middle) * np.float32(0.5), CARD_ASPECT, 1.0)
    assert find_second_document(picture, part) is None


def test_a_valid_zone_tells_the_extent_of_its_page_whatever_is_printed_beside_it():
    texts = PERSON.voter_card.mrz
    rows = [line(text, left=100, top=500 + 40 * at, width=760) for at, text in enumerate(texts)]
    beside = [line("07/05/1980 SECRETARIO", left=1200, top=500 + 40 * at) for at in range(3)]
    zone = zone_in([*rows, *beside], 30)
    assert zone.value.lines == texts
    assert not any(zone.page.holds(each) for each in beside)
    assert zone.page.holds(line("INSTITUTO NACIONAL ELECTORAL", left=400, top=130))
    assert not zone.page.holds(line("CREDENCIAL PARA VOTAR", left=400, top=40))
    other_digit = line(texts[0][:14] + str((int(texts[0][14]) + 1) % 10) + texts[0][15:], left=100)
    assert zone_in([other_digit, *rows[1:]], 30).value is None


# The tests below separate two documents in one picture.
@pytest.mark.thorough
def test_an_open_passport_is_read_though_the_facing_page_is_printed_sideways():
    warm_up(2)
    book = drawn(SpecimenKind.PASSPORT)
    facing = cv2.resize(np.rot90(drawn(SpecimenKind.INE_FRONT)), book.shape[1::-1])
    (page,) = read_pages(png(np.vstack([facing, book])), "image/png")
    assert page.kind is PageKind.PASSPORT
    assert page.mrz[0] == PERSON.passport.mrz


@pytest.mark.parametrize(
    ("role", "kind", "other"),
    [
        pytest.param(
            *(DocumentRole.FRONT, PageKind.INE_FRONT, PageKind.INE_BACK),
            marks=pytest.mark.thorough,
        ),
        (DocumentRole.BACK, PageKind.INE_BACK, PageKind.INE_FRONT),
    ],
)
@pytest.mark.parametrize("side_by_side", [pytest.param(False, marks=pytest.mark.thorough), True])
def test_of_both_sides_in_one_picture_the_one_asked_for_is_read(role, kind, other, side_by_side):
    warm_up(2)
    front, back = drawn(SpecimenKind.INE_FRONT), drawn(SpecimenKind.INE_BACK)
    join = np.hstack if side_by_side else np.vstack
    (page,) = read_pages(png(join([front, back])), "image/png", (), role)
    assert page.kind is kind
    several = next(signal for signal in page.signals if signal.name == "several_documents")
    assert (several.raised, several.detail) == (True, other)


class Recording:
    """Remembers how pages were searched, and which lines of them were read again."""

    def __init__(self, reader):
        self.reader, self.searches, self.again, self.crops = reader, [], [], []

    def read(self, *args, coarsely=False, **kwargs):
        self.searches.append("less" if coarsely else "full")
        return self.reader.read(*args, coarsely=coarsely, **kwargs)

    def read_crops(self, crops, *args, **kwargs):
        self.crops += crops
        return self.reader.read_crops(crops, *args, **kwargs)

    def read_again(self, image, lines):
        again = [reading() for reading in self.reader.read_again(image, lines)]
        self.again += zip(lines, again, strict=True)
        return [partial(replace, line) for line in again]


class FewLines:
    """Finds two short words on every page."""

    def __init__(self):
        self.pages = 0

    def read(self, *_, **__):
        self.pages += 1
        return [line("REF", 20, 20), line("FER", 60, 20)]

    def read_again(self, *_):
        return []


def test_a_part_with_hardly_any_print_is_not_read_in_other_poses():
    page = np.full((400, 500, 3), 200, np.uint8)
    once, turned = FewLines(), FewLines()
    posed(page, Eyes(once, KINDS), fewest_lines=3)
    posed(page, Eyes(turned, KINDS))
    assert (once.pages, turned.pages) == (1, 2)


class Doubting(Recording):
    """Is not sure of the last character of the lines with a text."""

    def __init__(self, reader, text):
        super().__init__(reader)
        self.text = text

    def read(self, *args, **kwargs):
        return [self.doubted(each) for each in super().read(*args, **kwargs)]

    def doubted(self, line):
        if self.text not in line.text:
            return line
        last = replace(line.glyphs[-1], probability=0.9)
        return replace(line, glyphs=(*line.glyphs[:-1], last))


def test_lines_of_a_card_are_read_again_at_full_resolution_if_their_values_are_not_sure(eyes):
    reader = Doubting(eyes.text, PERSON.curp.text)
    found = attempt(drawn(SpecimenKind.INE_FRONT), Eyes(reader, KINDS))
    assert reader.searches == ["less"]
    ((small, large),) = [pair for pair in reader.again if PERSON.curp.text in pair[0].text]
    assert (large.text, large.quad.tolist()) == (small.text, small.quad.tolist())
    assert small.weakest < SURE < large.weakest
    assert [spot.line for spot in found.spots if spot.field == "curp"] == [large]
    # The second readings of the lines that were sure began meanwhile, and none begins again.
    begun = len(reader.crops)
    assert begun > 5
    assert len(read_spots(found.spots, found.second)) == len(found.spots)
    assert len(reader.crops) == begun + len(reader.again)
    assert len(reader.again) < len(found.spots) / 2


def test_a_caption_before_a_value_that_is_not_sure_is_not_read_again(eyes):
    clave = str(PERSON.clave_elector)
    found = attempt(
        drawn(SpecimenKind.INE_FRONT), Eyes(reader := Doubting(eyes.text, clave), KINDS)
    )
    ((part, large),) = [pair for pair in reader.again if clave in pair[1].text]
    assert (part.text, large.text) == (clave, clave)
    (spot,) = [spot for spot in found.spots if spot.field == "clave"]
    assert spot.line.text == f"CLAVE DE ELECTOR {clave}"
    assert spot.value.text == clave
    assert spot.value.weakest >= SURE
    assert part.left > spot.line.left + 0.2 * (spot.line.right - spot.line.left)
    assert not spot.line.is_coarse


def test_a_zone_and_lines_above_it_are_read_coarsely_and_again_if_their_values_are_not_sure(eyes):
    reader = Doubting(eyes.text, PERSON.curp.text)
    found = attempt(drawn(SpecimenKind.PASSPORT), Eyes(reader, KINDS))
    assert reader.searches == ["less"]
    assert found.has_valid_zone
    again = [large.text for _, large in reader.again]
    assert PERSON.curp.text in again
    assert len(again) < len(found.spots) / 2
    fine = [line.text for line in found.lines if not line.is_coarse]
    assert sorted(fine) == sorted(again)
    assert {*PERSON.passport.mrz} <= {line.text for line in found.lines}


def test_rows_of_a_back_are_read_coarsely_and_again_if_they_are_not_sure(eyes):
    first, *others = PERSON.voter_card.mrz
    reader = Doubting(eyes.text, first)
    found = attempt(drawn(SpecimenKind.INE_BACK), Eyes(reader, KINDS), coarsely=True)
    assert [large.text for _, large in reader.again] == [first]
    is_coarse = {line.text: line.is_coarse for line in found.lines}
    assert [is_coarse[row] for row in (first, *others)] == [False, True, True]
    assert found.zone.value.lines == PERSON.voter_card.mrz


def searches(eyes, page):
    reader = Recording(eyes.text)
    found = attempt(page, Eyes(reader, KINDS))
    return reader.searches, found.reader.kind


def test_a_card_is_searched_at_full_detail_only_if_a_field_was_not_found(eyes):
    front = drawn(SpecimenKind.INE_FRONT)
    assert searches(eyes, front) == (["less"], PageKind.INE_FRONT)
    hidden = front.copy()
    hidden[-front.shape[0] // 4 :] = 200
    assert searches(eyes, hidden) == (["less", "full"], PageKind.INE_FRONT)


@pytest.mark.thorough
@pytest.mark.parametrize("hidden", ["Sexo", "P<MEX"])
def test_a_passport_is_searched_at_full_detail_only_if_a_field_or_its_zone_is_missing(eyes, hidden):
    page = drawn(SpecimenKind.PASSPORT).copy()
    lines = attempt(page, eyes).lines
    at = next(line for line in lines if line.text.startswith(hidden))
    below = 3 if hidden == "Sexo" else 1
    rows = slice(int(at.top), int(at.top + below * at.height))
    page[rows, int(at.left) : int(at.right)] = page[int(at.top) - 4, int(at.left)]
    assert searches(eyes, page) == (["less", "full"], PageKind.PASSPORT)


@pytest.mark.thorough
def test_a_page_with_print_where_most_cards_have_the_portrait_is_searched_there_as_well(eyes):
    front = drawn(SpecimenKind.INE_FRONT)
    # The first columns, where most cards have the portrait, are then searched as well.
    third = front.shape[1] // 3
    portrait_on_the_right = np.hstack([front[:, third:], front[:, :third]])
    assert searches(eyes, portrait_on_the_right) == (["less", "full"], PageKind.INE_FRONT)
    licence = drawn(SpecimenKind.DRIVER_LICENCE)
    assert searches(eyes, licence) == (["less", "full"], PageKind.DRIVER_LICENCE)
