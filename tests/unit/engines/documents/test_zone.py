"""A machine-readable zone: how a card lies by it, and which of two readings of it goes first."""

import numpy as np
import pytest

from acredita.domain.documents import PageKind
from acredita.engines.documents import ine_back, read_pages, warm_up
from acredita.engines.documents.kind import PageText
from acredita.engines.documents.layout import Layout
from acredita.engines.documents.machine_zone import likelier_first
from acredita.engines.documents.zone_pose import turn_of_zone
from acredita.engines.synthetic.people import make_person
from acredita.engines.synthetic.specimens import (
    Difficulty,
    SpecimenKind,
    draw_document,
    make_specimen,
)
from acredita.engines.text import Glyph, Line

PORTRAIT = np.full((380, 300, 3), (150, 160, 170), np.uint8)


def line(text, top=0, probability=0.9, left=0):
    quad = [[left, top], [left + 12 * len(text), top], [left + 12 * len(text), top + 20]]
    quad.append([left, top + 20])
    glyphs = tuple(Glyph(character, probability, "?", 0.0) for character in text)
    return Line(text, glyphs, np.array(quad, np.float32))


@pytest.mark.parametrize("turns", range(4))
def test_how_a_card_lies_is_told_by_its_zone(turns):
    back = draw_document(SpecimenKind.INE_BACK, make_person(51)).pixels
    turn = turn_of_zone(np.rot90(back, turns))
    assert turn is not None
    assert (turn // 90 + turns) % 4 == 0


@pytest.mark.parametrize("kind", [SpecimenKind.INE_FRONT, SpecimenKind.DRIVER_LICENCE])
def test_a_page_without_such_a_zone_shows_no_pose(kind):
    page = draw_document(kind, make_person(51), PORTRAIT).pixels
    assert [turn_of_zone(np.rot90(page, turns)) for turns in range(4)] == [None] * 4


def test_a_bare_page_shows_no_pose():
    assert turn_of_zone(np.full((640, 1012, 3), 200, np.uint8)) is None
    assert turn_of_zone(np.full((40, 470, 3), 200, np.uint8)) is None


def test_a_back_on_its_head_is_read_as_if_upright():
    warm_up(2)
    specimen = make_specimen(SpecimenKind.INE_BACK, 52, Difficulty.HARD, quarter_turns=2)
    (page,) = read_pages(specimen.image_bytes, specimen.mime_type)
    card = specimen.truth["person"]["voter_card"]
    assert page.kind is PageKind.INE_BACK
    assert [list(rows) for rows in page.mrz] == [card["mrz"]] * 2
    assert page.sighting("cic").value == card["cic"]


def test_the_cic_is_found_where_its_caption_is_lost():
    rows = ("IDMEX1812241900<<2888004041380", "8001015M3012315MEX<02<<12345<6", "PEREZ<<ANA")
    zone = [line(row, top=300 + 30 * at) for at, row in enumerate(rows)]
    print_ = [line("181224190", top=40, left=200), line("SIGNATURE", top=120), line("1234567890")]
    (spot,) = ine_back.spots(PageText(Layout([*print_, *zone])))
    assert (spot.field, spot.line.text) == ("cic", "181224190")
    assert ine_back.spots(PageText(Layout([*print_[1:], *zone]))) == []


def test_of_two_readings_the_likelier_goes_first():
    names = line("P<UTOPEREZ<<ANA")
    six, letter = line("6638399484UTO", probability=0.9), line("G638399484UTO", probability=0.6)
    assert likelier_first([names, letter], [names, six])[0][1] is six


def test_of_a_mexican_passport_the_number_with_a_letter_goes_first():
    names = line("P<MEXPEREZ<<ANA")
    row = "638399484MEX8001015M3012315"
    digit = [names, line("6" + row)]
    letter = [names, line("G" + row, probability=0.89)]
    assert likelier_first(digit, letter)[0] is letter
    unlikely = [names, line("G" + row, probability=0.3)]
    assert likelier_first(digit, unlikely)[0] is digit
