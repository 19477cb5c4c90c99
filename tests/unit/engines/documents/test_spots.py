"""Two readings of one place, without any text model."""

from dataclasses import replace

import numpy as np
import pytest

from acredita.engines.documents.captions import captioned, shaped
from acredita.engines.documents.layout import CURP_SHAPE, Layout, find_shape
from acredita.engines.documents.licences.values import Chosen
from acredita.engines.documents.second_reading import (
    SecondReadings,
    Spot,
    combine_readings,
    from_value_on,
    in_capitals,
    read_spots,
    with_part,
)
from acredita.engines.text import Glyph
from tests.unit.engines.documents.test_layout import line


def read(text, *, lost=None, **doubtful):
    """A reading whose glyphs are certain, but for some: the odds by their place, `at4=0.7`. With
    odds of 0.4 a blank is lost after the glyph at `lost`.
    """
    whole = line(text)
    odds = {int(place.removeprefix("at")): value for place, value in doubtful.items()}
    glyphs = (
        replace(glyph, probability=odds.get(at, 0.99), lost_blank=0.4 if at == lost else 0.0)
        for at, glyph in enumerate(whole.glyphs)
    )
    return replace(whole, glyphs=tuple(glyphs))


def test_a_gap_that_both_readings_see_is_one():
    values, confidence = combine_readings([read("ANA RUIZ", at3=0.8), read("ANA RUIZ", at3=0.9)])
    assert [value.text for value in values] == ["ANA RUIZ"] * 2
    assert confidence == pytest.approx(0.98)
    assert combine_readings([read("ANA RUIZ", at3=0.5), read("ANA RUIZ", at3=0.5)])[1] == 0.75


def test_a_blank_that_one_reading_lost_is_as_likely_as_the_other_makes_it():
    values, confidence = combine_readings([read("JORGE ALBERTO"), read("JORGEALBERTO", lost=4)])
    assert [value.text for value in values] == ["JORGE ALBERTO"] * 2
    assert confidence == pytest.approx(0.99)
    assert combine_readings([read("DE LEON", at2=0.7), read("DELEON", lost=1)])[1] == pytest.approx(
        0.7
    )
    # Lost in both it may be one all the same.
    assert combine_readings([read("JJESUS", lost=0), read("JJESUS")])[1] == 0.6


def test_a_mark_that_both_readings_see_is_printed():
    def enye(probability, rival, *, mark="Ñ"):
        whole = line(f"PE{mark}A")
        doubted = Glyph(mark, probability, rival, 1 - probability)
        return replace(whole, glyphs=(*whole.glyphs[:2], doubted, whole.glyphs[3]))

    assert combine_readings([enye(0.8, "N"), enye(0.9, "n")])[1] == pytest.approx(0.98)
    assert combine_readings([enye(0.8, "N"), enye(0.9, "M")])[1] == 0.8
    # A mark is as easily lost as a blank.
    assert combine_readings([enye(0.8, "Ñ", mark="N"), enye(0.9, "Ñ", mark="N")])[1] == 0.8
    assert combine_readings([enye(0.8, "N")])[1] == 0.8


def test_in_a_number_no_blank_is_missed():
    taken = find_shape(read("202100", lost=3), "c99999")
    assert taken.text == "202100"
    assert taken.weakest == 0.99


def test_two_j_or_two_m_begin_no_name():
    read_as = {"JJESÚS": "J JESÚS", "ANA MMERCEDES": "ANA M MERCEDES", "hajji": "HAJJI"}
    assert {text: in_capitals(text) for text in read_as} == read_as


def test_letters_that_differ_or_blanks_in_other_places_stay_two_readings():
    for first, second in (("ANA RUIZ", "ANA RUZ"), ("MA RIALUZ", "MARIA LUZ")):
        values, confidence = combine_readings([read(first, at0=0.6), read(second)])
        assert [value.text for value in values] == [first, second]
        assert confidence == 0.6


def test_a_lone_letter_is_as_likely_as_it_is_told_from_the_other_letters():
    """What goes to no character at all is no rival of it."""
    classes = Chosen(["A", "B", "C", "AUTOMOVILISTA"])

    def odds(likely, rival, rivals_odds, text="TIPO B"):
        whole = line(text)
        taken = classes.take(
            replace(whole, glyphs=(*whole.glyphs[:-1], Glyph("B", likely, rival, rivals_odds)))
        )
        return taken.text, taken.weakest

    assert odds(0.35, "8", 0.001) == ("B", pytest.approx(0.35 / 0.352))
    assert odds(0.5, "8", 0.4) == ("B", pytest.approx(0.5 / 1.3))
    assert odds(0.8, "b", 0.2, "B") == ("B", 1.0)
    assert classes.take(line("AUTOMOVILISTA")).text == "AUTOMOVILISTA"
    assert classes.take(line("TIPO 8")) is None


class _Reader:
    """Reads the same texts one after the other, from any crops. It remembers how wide these were,
    and which were read coarsely. `coarsely`: what it reads so."""

    def __init__(self, *texts, coarsely=""):
        self.texts, self.coarsely, self.shapes, self.coarse = [*texts], coarsely, [], []

    def read_crops(self, crops, _alphabet, *, coarsely=()):
        (crop,), (check,) = crops, coarsely
        self.shapes.append(crop.shape[1] / crop.shape[0])
        self.coarse.append(check is not None)
        if check is not None:
            if check(line(self.coarsely)):
                return [lambda: line(self.coarsely)]
            self.coarse.append(False)
        text = self.texts.pop(0)
        return [lambda: line(text)]


def sightings(page, spots, reader):
    return read_spots(spots, SecondReadings(page, reader))


def test_a_caption_before_a_value_is_not_read_again():
    page = np.zeros((100, 600, 3), np.uint8)
    whole = line("SECCIÓN 0280", left=100, top=30, width=240)
    # The caption is set smaller than the value: it ends before two thirds of the characters.
    places = (*(0.06 * at for at in range(7)), 0.45, 0.6, 0.7, 0.8, 0.9)
    whole = replace(whole, places=places)
    (spot,) = captioned(Layout([whole]), "section", "9999", "SECCIÓN")
    reader = _Reader("ANA RUIZ", "0280")  # the longer line first
    name = Spot("givenNames", line("ANA RUIZ", left=100, top=60, width=240))
    section, given = sightings(page, [spot, name], reader)
    assert (section.readings, given.readings) == (("0280", "0280"), ("ANA RUIZ", "ANA RUIZ"))
    assert reader.shapes[1] < 0.65 * reader.shapes[0]


def test_a_part_that_is_read_again_takes_its_place_in_the_line():
    whole = replace(line("SECCIÓN 0280", width=240), places=tuple(at / 12 for at in range(12)))
    (spot,) = captioned(Layout([whole]), "section", "9999", "SECCIÓN")
    part = from_value_on(whole, [spot])
    assert part.text == "0280"
    again = with_part(whole, part, replace(read("0281"), places=(0.1, 0.4, 0.6, 0.9)))
    assert (again.text, again.quad.tolist()) == ("SECCIÓN 0281", whole.quad.tolist())
    assert len(again.glyphs) == len(again.places) == 12
    assert again.places[:8] == whole.places[:8]
    start = (whole.places[6] + whole.places[8]) / 2
    assert again.places[8:] == pytest.approx(
        [start + (1 - start) * at for at in (0.1, 0.4, 0.6, 0.9)]
    )
    assert with_part(whole, whole, part) is part


def test_a_caption_that_the_second_reading_still_has_is_left_out():
    (spot,) = captioned(Layout([line("SECCIÓN 0280")]), "section", "9999", "SECCIÓN")
    (section,) = sightings(np.zeros((60, 300, 3), np.uint8), [spot], _Reader("SECCIÓN 0280"))
    assert section.readings == ("0280", "0280")


def test_a_stop_that_one_reading_of_an_address_lost_is_printed():
    page = np.zeros((60, 600, 3), np.uint8)

    def readings(first, second):
        (found,) = sightings(page, [Spot("address3", line(first))], _Reader(second))
        return found.readings

    assert readings("TEPIC, NAY", "TEPIC, NAY.") == ("TEPIC, NAY.", "TEPIC, NAY")
    assert readings("TEPIC, NAY.", "TEPIC,NAY") == ("TEPIC, NAY.", "TEPIC,NAY")
    assert readings("RUIZ", "RUIZ.") == ("RUIZ", "RUIZ.")


def test_a_mark_that_one_reading_lost_is_printed():
    def readings(first, second):
        spot = Spot("surnames", line(first))
        (found,) = sightings(np.zeros((60, 600, 3), np.uint8), [spot], _Reader(second))
        return found.readings

    assert readings("GUTIÉRREZ PENA", "GUTIÉRREZ PEÑA") == ("GUTIÉRREZ PEÑA", "GUTIÉRREZ PENA")
    assert readings("GUTIÉRREZ PEÑA", "GUTIERREZPENA") == ("GUTIÉRREZ PEÑA", "GUTIERREZPENA")
    assert readings("MUNOZ", "MUÑIZ") == ("MUNOZ", "MUÑIZ")


def test_of_two_readings_of_a_curp_the_one_with_a_valid_digit_comes_first():
    def readings(first, second):
        spot = Spot("curp", line(first), shaped(CURP_SHAPE))
        (found,) = sightings(np.zeros((60, 600, 3), np.uint8), [spot], _Reader(second))
        return found.readings

    valid, wrong = "SAPE820610MQRNTS03", "SAPE820610MORNTS03"
    assert readings(wrong, valid) == (valid, wrong)
    assert readings(valid, wrong) == (valid, wrong)
    assert readings(wrong, "SAPE820610MORNTS08") == (wrong, "SAPE820610MORNTS08")


@pytest.mark.parametrize(
    ("first", "coarsely", "readings", "coarse"),
    [
        (replace(read("ANA"), is_coarse=True), "ANA", ("ANA", "ANA"), [True]),
        (replace(read("ANA"), is_coarse=True), "AMA", ("ANA", "ANNA"), [True, False]),
        (replace(read("ANA", at1=0.9), is_coarse=True), "ANA", ("ANA", "ANNA"), [False]),
        (read("ANA"), "ANA", ("ANA", "ANNA"), [False]),
    ],
    ids=["sure and confirmed", "not confirmed", "not sure", "not coarse"],
)
def test_a_sure_coarse_line_is_read_again_coarsely_unless_that_does_not_confirm_it(
    first, coarsely, readings, coarse
):
    reader = _Reader("ANNA", coarsely=coarsely)
    (name,) = sightings(np.zeros((60, 300, 3), np.uint8), [Spot("givenNames", first)], reader)
    assert (name.readings, reader.coarse) == (readings, coarse)
