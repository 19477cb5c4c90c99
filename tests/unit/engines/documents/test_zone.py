"""A machine-readable zone: how a card lies by it, and what it is read for."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from acredita.domain.documents import PageKind
from acredita.domain.identifiers.mrz.layout import check_digit
from acredita.engines.documents import ine_back, read_pages, warm_up
from acredita.engines.documents.kind import PageText
from acredita.engines.documents.layout import Layout
from acredita.engines.documents.mrz import (
    by_second_choice,
    names_in_letters,
    read_zone,
    with_letter,
    with_neighbour,
)
from acredita.engines.documents.mrz_pose import turn_of_zone
from acredita.engines.text import Glyph, Line
from acredita_synthetic.people import make_person
from acredita_synthetic.specimens import (
    Difficulty,
    SpecimenKind,
    draw_document,
    make_specimen,
)

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


@pytest.mark.parametrize(
    ("issuer", "runner_up", "odds", "taken"),
    [
        ("MEX", "G", 0.3, "G"),
        ("MEX", "G", 0.005, "6"),
        ("MEX", "8", 0.3, "6"),
        ("UTO", "G", 0.3, "6"),
    ],
)
def test_a_mexican_passports_number_begins_with_the_letter_that_came_second(
    issuer, runner_up, odds, taken
):
    names, numbers = line(f"P<{issuer}PEREZ<<ANA"), line("6638399484MEX8001015M3012315")
    doubtful = Glyph("6", 1 - odds, runner_up, odds)
    read = replace(numbers, glyphs=(doubtful, *numbers.glyphs[1:]))
    now = with_letter([names, read])[1]
    assert now.text == "".join(glyph.character for glyph in now.glyphs) == taken + read.text[1:]
    # Too unlikely for the zone to be accepted.
    assert now.weakest == (odds if taken == "G" else min(0.9, 1 - odds))


def test_a_row_alone_begins_with_no_such_letter():
    assert with_letter([line("6638399484MEX8001015M3012315")])[0].text.startswith("6")


NETHERLANDS = (
    "ITNLD52151673<4VNR1234567890<<",
    "9404014F1106172CHE<I<28<<<<<<2",
    "BELSER<<JULIETTE<HENRIKE<SOPHI",
)


def test_a_second_choice_is_taken_where_it_alone_fits_the_check_digits():
    rows = [line(text, top=30 * at) for at, text in enumerate(NETHERLANDS)]
    text, glyphs = NETHERLANDS[1].replace("<I<", "<1<"), list(rows[1].glyphs)
    glyphs[19] = Glyph("1", 0.95, "I", 0.04)
    glyphs[22] = Glyph("8", 0.99, "3", 0.02)
    misread = [rows[0], Line(text, tuple(glyphs), rows[1].quad), rows[2]]
    (_, second, _) = by_second_choice(misread)
    assert second.text == NETHERLANDS[1]
    assert second.weakest == pytest.approx(0.04)
    assert by_second_choice(rows) is rows
    hopeless = [rows[0], line(text, top=30), rows[2]]
    assert by_second_choice(hopeless) is hopeless


def test_the_row_beside_the_only_one_that_was_found_is_read_at_its_place():
    upper, lower = (
        "P<QATAL<KAABI<<ALI<HAMAD<ABDULLAH<<<<<<<<<<<",
        "00000000<0QAT7103070M110725012345458902<<<78",
    )
    page = np.full((400, 640, 3), 255, np.uint8)
    page[300:330] = 128

    class Reader:
        def read_crops(self, crops, alphabet):
            texts = [upper if (crop == 128).mean() > 0.5 else "SIGNATURE" for crop in crops]
            return [partial(line, text) for text in texts]

    row = line(lower, top=332, left=40)
    rows = with_neighbour(page, row, (44,), Reader())
    assert [each.text for each in rows] == [upper, lower]
    assert rows[0].top == pytest.approx(332 - 0.055 * 528, abs=1)


def test_the_row_of_the_names_has_letters_so_that_a_zero_is_no_rival_of_an_o():
    doubtful = {4: ("0", 0.48, "O", 0.44), 1: ("O", 0.51, "0", 0.4), 0: ("R", 0.84, "r", 0.15)}
    names = line("ROA<S0NIA", probability=0.99)
    glyphs = list(names.glyphs)
    for at, (character, odds, rival, rival_odds) in doubtful.items():
        glyphs[at + (at == 4)] = Glyph(character, odds, rival, rival_odds)
    names = replace(names, glyphs=tuple(glyphs))
    numbers = line("0123456789", probability=0.5)
    for reading, at in (([numbers, numbers, names], 2), ([names, numbers], 0)):
        written = names_in_letters(reading)
        assert written[at].text == "ROA<SONIA"
        assert written[at].weakest > 0.9
        assert [row for row in written if row is not written[at]] == [
            row for row in reading if row is not names
        ]
    assert names_in_letters([names]) == [names]


def zone_of_a_card(*probabilities):
    rows = make_person(51).voter_card.mrz
    return [
        replace(line(text, top=30 * at, probability=each), is_coarse=True)
        for at, (text, each) in enumerate(zip(rows, probabilities, strict=True))
    ]


@pytest.mark.parametrize(
    ("rows", "coarse"),
    [
        (zone_of_a_card(0.99, 0.99, 0.99), [True, True, True]),
        (zone_of_a_card(0.99, 0.9, 0.99), [True, False, True]),
        (zone_of_a_card(0.99, 0.99, 0.9), [True, True, False]),
        ([replace(row, is_coarse=False) for row in zone_of_a_card(0.99, 0.99, 0.99)], [False] * 3),
    ],
)
def test_a_sure_row_that_fits_its_check_digits_is_read_coarsely_again(rows, coarse):
    assert asked_coarsely(rows) == coarse


def test_no_row_is_read_coarsely_again_where_a_check_digit_does_not_fit():
    upper, middle, names = zone_of_a_card(0.99, 0.99, 0.99)
    digit = str((int(middle.text[0]) + 1) % 10)
    glyphs = (replace(middle.glyphs[0], character=digit), *middle.glyphs[1:])
    misread = replace(middle, text=digit + middle.text[1:], glyphs=glyphs)
    assert asked_coarsely([upper, misread, names]) == [False] * 3


def test_names_of_a_card_are_read_once_more_unless_a_coarse_reading_confirms_them():
    rows = zone_of_a_card(0.99, 0.99, 0.99)
    *numbers, names = rows
    unlike = [
        *numbers,
        replace(
            names,
            text="X" + names.text[1:],
            glyphs=(replace(names.glyphs[0], character="X"), *names.glyphs[1:]),
        ),
    ]
    doubtful = zone_of_a_card(0.99, 0.99, 0.9)
    for second in (unlike, doubtful):
        assert asked_coarsely(rows, second) == [True, True, True, False]


def test_rows_of_a_passport_are_read_once_more_unless_a_coarse_reading_confirms_them():
    def zone(number="N12345678", sex="F", probability=0.99):
        texts = passport_zone(number, sex)
        return [
            replace(line(text, top=30 * at, probability=probability), is_coarse=True)
            for at, text in enumerate(texts)
        ]

    assert asked_coarsely(zone(), width=44) == [True, True]
    assert asked_coarsely(zone(), zone(sex="M"), width=44) == [True, True, False]
    assert asked_coarsely(zone(), zone(probability=0.9), width=44) == [True, True, False, False]
    assert asked_coarsely(zone(probability=0.9), width=44) == [False, False]
    # Its check digit does not distinguish a G from a 6.
    assert asked_coarsely(zone("612345678"), width=44) == [True, False]


def passport_zone(number, sex):
    birth, expiry = "860217", "280504"
    body = number + check_digit(number)
    dates = (birth + check_digit(birth), expiry + check_digit(expiry))
    personal = "<" * 14 + "0"
    total = check_digit(body + "".join(dates) + personal)
    names = "P<MEXGALINDO<ZAVALA<<CITLALI"
    return names.ljust(44, "<"), f"{body}MEX{dates[0]}{sex}{dates[1]}{personal}{total}"


def asked_coarsely(rows, second=None, width=30):
    """Which rows `read_zone` lets the reader read again at a lower resolution, and then which once
    more. `second`: what it reads then."""
    asked = []

    class Reader:
        def read_crops(self, crops, alphabet, coarsely=()):
            read = second or rows
            asked.extend(check is not None for check in coarsely)
            pairs = zip(coarsely, read, strict=True)
            asked.extend(False for check, row in pairs if check and not check(row))
            return [partial(replace, row) for row in read]

    page = np.full((400, 640, 3), 255, np.uint8)
    read_zone(page, rows, width, Reader())
    return asked
