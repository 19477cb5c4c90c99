"""Captions and their values on a form, by where they stand."""

from dataclasses import replace

import numpy as np

from acredita.engines.documents.form_pages import Form, as_iso_date, day_in
from acredita.engines.text import Glyph, Line

CAPTIONS = (
    "RFC:",
    "Número Exterior:",
    "Número Interior:",
    "Nombre de la Localidad:",
    "Razón Social:",
)


def line(text, left, middle, *, fall=0.0, height=20.0):
    """A line ten pixels a character, `fall` pixels lower for each to the right."""
    right = left + 10 * len(text)
    top = [middle - height / 2 + fall * x for x in (left, right)]
    corners = [[left, top[0]], [right, top[1]], [right, top[1] + height], [left, top[0] + height]]
    glyphs = tuple(Glyph(character, 1.0, "", 0.0) for character in text)
    return Line(text, glyphs, np.array(corners, np.float32))


def texts(lines):
    return [found.text for found in lines]


def test_a_row_of_two_captions_is_cut_between_them():
    form = Form([line("Número Interior: 4 B  Número Exterior: 391", 0, 100)], CAPTIONS)
    assert texts(form.beside("Número Interior:")) == ["4 B"]
    assert texts(form.beside("Número Exterior:")) == ["391"]


def test_a_day_is_as_certain_as_its_own_letters():
    row = line("SAN JUAN DEL RIO , QRO. A 08 DE MAYO DE 2026", 0, 100)
    glyphs = list(row.glyphs)
    for at in (16, row.text.index("MAYO") - 1):  # a blank before the comma, and one in the day
        glyphs[at] = replace(glyphs[at], probability=0.5)
    glyphs[row.text.index("08")] = replace(glyphs[0], character="0", probability=0.97)
    taken = day_in(replace(row, glyphs=tuple(glyphs)))
    assert as_iso_date(taken.text) == "2026-05-08"
    assert taken.weakest == 1.0  # of the letters that say the day: the nought says nothing
    assert as_iso_date(day_in(line("15/05/2026 QUERETARO", 0, 100)).text) == "2026-05-15"
    assert day_in(line("31 DE FEBRERO DE 2026", 0, 100)) is None


def test_an_empty_value_takes_none_of_the_next_column():
    row = [line("Número Interior:", 0, 100), line("Número Exterior: 391", 300, 100)]
    assert Form(row, CAPTIONS).beside("Número Interior:") == []


def test_a_value_goes_on_until_the_row_of_another_caption():
    page = [
        line("Razón Social:", 0, 100),
        line("TRANSPORTES PEÑASCO", 200, 100),
        line("DEL NORTE", 200, 124),
        line("RFC:", 0, 148),
        line("TPN110405AB1", 200, 148),
    ]
    form = Form(page, CAPTIONS)
    assert texts(form.beside("Razón Social:")) == ["TRANSPORTES PEÑASCO", "DEL NORTE"]
    fields = [spot.field for spot in form.spots("companyName", form.beside("Razón Social:"))]
    assert fields == ["companyName", "companyName2"]


def test_rows_of_a_sloping_page_do_not_mix():
    page = [
        line(text, left, middle, fall=-0.06)
        for middle, caption, value in (
            (500, "RFC:", "TPN110405AB1"),
            (524, "Razón Social:", "PEÑA"),
        )
        for left, text in ((0, caption), (400, value))
    ]
    form = Form(page, CAPTIONS)
    assert texts(form.beside("RFC:")) == ["TPN110405AB1"]
    assert texts(form.beside("Razón Social:")) == ["PEÑA"]


def test_a_misread_caption_is_known_and_never_for_a_likelier_one():
    form = Form([line("Numero lnterior: 4", 0, 100), line("Namero Exteror: 391", 0, 130)], CAPTIONS)
    assert texts(form.beside("Número Interior:")) == ["4"]
    assert texts(form.beside("Número Exterior:")) == ["391"]
    assert form.caption("Nombre de la Localidad:") is None


def test_a_short_caption_inside_a_word_or_an_address_is_none():
    page = [line("https://siat.sat.gob.mx?RFC=X", 0, 100), line("ARFCA", 0, 130)]
    assert Form(page, CAPTIONS).caption("RFC:") is None


def test_a_value_that_shares_its_line_is_read_again_with_or_without_its_caption():
    whole = line("Número Exterior: 391", 0, 100)
    form = Form([whole], CAPTIONS)
    spot = form.spot("outerNumber", form.beside("Número Exterior:")[0])
    assert spot.line is whole
    assert spot.take(line("Número Exterior: 897", 0, 100)).text == "897"
    assert spot.take(line("891", 0, 100)).text == "891"
