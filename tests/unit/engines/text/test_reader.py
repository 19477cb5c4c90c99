"""The text reader against lines printed here."""

import cv2
import numpy as np
import pytest

from acredita.engines.documents import ine_back
from acredita.engines.documents.decode import decode_image
from acredita.engines.documents.layout import Layout
from acredita.engines.text import CAPITALS, LATIN, MACHINE_READABLE
from acredita_synthetic.canvas import Canvas
from acredita_synthetic.specimens import SpecimenKind, make_specimen
from acredita_synthetic.typefaces import FAMILIES


def printed(*lines, height=300, width=900):
    canvas = Canvas(np.full((height, width, 3), 235, np.uint8), FAMILIES[0], (30, 30, 30))
    for number, line in enumerate(lines):
        canvas.text((40, 70 + 60 * number), line, size=30)
    return canvas.pixels


def crops_read(reader, *args, **kwargs):
    return [reading() for reading in reader.read_crops(*args, **kwargs)]


def test_lines_are_read_in_their_order_with_spanish_letters(reader):
    lines = reader.read(printed("CASTAÑEDA GÜEMES", "José Ángel", "CURP 1234567890"), LATIN)
    assert [line.text for line in lines] == ["CASTAÑEDA GÜEMES", "José Ángel", "CURP 1234567890"]
    assert all(0 < line.weakest <= line.score <= 1 for line in lines)
    assert all(len(line.glyphs) == len(line.text) for line in lines)


def test_lines_are_read_coarsely_and_again_at_full_resolution(reader):
    texts = ["CASTAÑEDA GÜEMES", "José Ángel, 5 Q0", "CURP 1234567890"]
    page = printed(*texts)
    coarse = reader.read(page, LATIN, coarsely=True)
    again = [reading() for reading in reader.read_again(page, coarse)]
    full = reader.read(page, LATIN)
    assert [line.text for line in coarse] == [line.text for line in again] == texts
    assert [line.quad.tolist() for line in again] == [line.quad.tolist() for line in coarse]
    assert [line.score for line in again] == pytest.approx([line.score for line in full], abs=0.02)
    assert [line.score for line in coarse] != [line.score for line in again]


def test_an_image_without_text_gives_no_lines(reader):
    assert reader.read(np.full((400, 600, 3), 200, np.uint8), LATIN) == []


@pytest.mark.parametrize("shape", [(1, 1), (1, 3000), (3000, 1), (7, 7), (40, 4000)])
def test_odd_shapes_are_survived(reader, shape):
    assert reader.read(np.zeros((*shape, 3), np.uint8), LATIN) == []
    assert crops_read(reader, [np.zeros((*shape, 3), np.uint8)], LATIN)[0].text == ""


def test_a_call_leaves_no_setting_behind(reader):
    page = printed("UNO DOS TRES")
    before = [line.text for line in reader.read(page, LATIN)]
    crops_read(reader, [page[30:90]], MACHINE_READABLE)
    assert [line.text for line in reader.read(page, LATIN)] == before == ["UNO DOS TRES"]


def test_an_alphabet_keeps_out_what_cannot_stand_there(reader):
    crop = printed("G1234<<ñandú")[30:90]
    (line,) = crops_read(reader, [crop], MACHINE_READABLE)
    assert set(line.text) <= MACHINE_READABLE.characters
    (line,) = crops_read(reader, [printed("peña")[30:90]], CAPITALS)
    assert set(line.text) <= CAPITALS.characters


def test_crops_come_back_in_their_order(reader):
    words = ["UNO", "UN RENGLON BASTANTE MAS LARGO", "DOS 22"]
    crops = [printed(word)[30:90, : 60 + 24 * len(word)] for word in words]
    assert [line.text for line in crops_read(reader, crops, LATIN)] == words


def test_a_crop_is_read_at_full_resolution_if_its_coarse_reading_is_not_enough(reader):
    crops = [printed(word)[30:90, : 60 + 24 * len(word)] for word in ("CASTAÑEDA", "GÜEMES")]
    checks = [lambda line: line.text == "CASTAÑEDA", lambda line: line.text == "CASTAÑEDA"]
    read = crops_read(reader, crops, LATIN, coarsely=checks)
    assert [(line.text, line.is_coarse) for line in read] == [
        ("CASTAÑEDA", True),
        ("GÜEMES", False),
    ]
    (fine,) = crops_read(reader, crops[1:], LATIN)
    assert fine.glyphs == read[1].glyphs


def test_a_blurred_character_is_less_probable_and_has_a_rival(reader):
    sharp = printed("MUÑOZ 8530")[30:90, :400]
    blurred = cv2.GaussianBlur(sharp, (0, 0), 4.5)
    clear, doubtful = crops_read(reader, [sharp, blurred], LATIN)
    assert doubtful.weakest < clear.weakest
    assert all(glyph.runner_up_probability <= glyph.probability for glyph in clear.glyphs)


def test_a_page_with_a_zone_is_read_as_far_as_is_enough(reader):
    specimen = make_specimen(SpecimenKind.INE_BACK, 31)
    page = decode_image(specimen.image_bytes, specimen.mime_type)
    every = reader.read(page, LATIN, lambda lines: False)
    assert [line.text for line in every] == [line.text for line in reader.read(page, LATIN)]
    some = reader.read(page, LATIN, lambda lines: True)
    assert len(some) == 6 < len(every)  # the three rows, and three from the top
    assert {line.text for line in some} < {line.text for line in every}
    assert sum(line.text.count("<") > 1 for line in some) == 3
    assert ine_back.complete(Layout(some))
    assert not ine_back.complete(Layout(some[-3:]))
