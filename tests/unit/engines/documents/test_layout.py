"""Captions, shapes and outlines, without any text model."""

import cv2
import numpy as np
import pytest

from acredita.domain.documents import PageKind
from acredita.engines.documents.captions import under
from acredita.engines.documents.classify import classify
from acredita.engines.documents.decode import decode_image
from acredita.engines.documents.find_document import (
    CARD_ASPECT,
    PASSPORT_ASPECT,
    find_document,
    flatten,
)
from acredita.engines.documents.layout import (
    CLAVE_SHAPE,
    CURP_SHAPE,
    DATE_SHAPE,
    Layout,
    find_shape,
)
from acredita.engines.documents.quality import measure_quality
from acredita.engines.text import Glyph, Line
from acredita_synthetic.specimens import Difficulty, SpecimenKind, make_specimen


def line(text, left=0, top=0, height=20, width=None, probability=0.99):
    right = left + (width or 12 * len(text))
    quad = [[left, top], [right, top], [right, top + height], [left, top + height]]
    glyphs = tuple(Glyph(c, probability, "?", 0.0) for c in text)
    return Line(text, glyphs, np.array(quad, np.float32))


@pytest.mark.parametrize("printed", ["AÑO DE REGISTRO", "ANO DE REGISTR0 2010 00", "AÑODEREGISTRO"])
def test_a_caption_is_found_though_some_of_it_is_misread(printed):
    assert Layout([line("VIGENCIA"), line(printed, top=40)]).caption("AÑO DE REGISTRO")


def test_a_caption_found_to_the_letter_goes_before_one_that_resembles_it():
    layout = Layout([line("PASAPORTE"), line("Pasaporte No. / Passport No.", top=60)])
    assert layout.caption("Pasaporte No").whole.top == 60


def test_of_lines_that_resemble_a_caption_the_most_similar_one_is_it():
    lines = [line("LICENCIA PARA CONDUCIR", top=0), line("VIGENGIA", top=40)]
    assert Layout(lines).caption("VIGENCIA").whole is lines[1]


def test_a_value_is_what_follows_stands_beside_or_stands_under():
    assert Layout([line("SEXO M")]).caption("SEXO").rest.text == "M"
    beside = Layout([line("SEXO"), line("M", left=80), line("X", left=80, top=300)])
    assert beside.beside(beside.caption("SEXO")).text == "M"
    under = Layout([line("CURP"), line("ABCD", top=26), line("EFGH", top=400)])
    assert [found.text for found in under.below(under.caption("CURP"))] == ["ABCD"]


def test_a_rival_that_cannot_stand_there_is_none():
    def found(text, rival, at=1, odds=0.19):
        read = line(text)
        doubted = Glyph(text[at], 0.99 - odds, rival, odds)
        glyphs = (*read.glyphs[:at], doubted, *read.glyphs[at + 1 :])
        return find_shape(Line(text, glyphs, read.quad), CURP_SHAPE)

    assert found("ROOJ941020MOCDCS03", "0").weakest == pytest.approx(0.8 / 0.81)
    assert found("ROOJ941020MOCDCS03", "U").weakest == 0.8
    # A nought gives way to the letter of the name. Without a confirmation that stays in doubt.
    assert found("R0OJ941020MOCDCS03", "O").text == "ROOJ941020MOCDCS03"
    assert found("R0OJ941020MOCDCS03", "O").weakest == 0.9
    assert found("R0OJ941020MOCDCS03", "O", odds=0.02).weakest == pytest.approx(0.02 / 0.03)
    assert found("R0OJ941020MOCDCS03", "O", odds=0.005).weakest == 0.005
    # So does one in the code of the state.
    assert found("ROOJ941020M0CDCS03", "O", at=11).text == "ROOJ941020MOCDCS03"
    assert found("ROOJ941020M0CDCS03", "O", at=11, odds=0.02).weakest == pytest.approx(0.02 / 0.03)
    # The last letters of the name are consonants.
    assert found("SADR400929MCMLMO08", "Q", at=15).text == "SADR400929MCMLMQ08"
    # Of consonants, Q resembles O most. That is in doubt, not certainly wrong.
    assert found("SADR400929MCMLMO08", "0", at=15).text == "SADR400929MCMLMQ08"
    assert found("SADR400929MCMLM008", "O", at=15).weakest == 0.5
    # A digit that gives way to another one stays as doubtful as it was.
    assert found("ROOJ94IO20MOCDCS03".replace("O20", "020"), "1", at=6).weakest == 0.19


def test_of_a_row_of_two_columns_the_word_under_the_caption_is_taken():
    label = line("FECHA DE EXPEDICIÓN", left=424, width=203)
    row = line("BLVD LAGO DE PÁTZCUARO MZ 49 LT 52 2024-10-17", left=47, top=30, width=519)
    taken = under(label, lambda word: find_shape(word, "c999m9d9"))
    assert taken(row).text == "20241017"
    assert taken(line("2024-10-17 BLVD LAGO DE PÁTZCUARO", left=47, top=30, width=519)) is None


def test_an_identifier_is_found_behind_its_caption_and_its_look_alikes_put_right():
    curp = find_shape(line("CURPGOMC56O7I6MDFLRNO1", probability=0.9), CURP_SHAPE)
    assert curp is not None
    assert curp.text == "GOMC560716MDFLRN01" or curp.text[16] in "0O"
    assert curp.weakest == 0.5  # a put-right character is never likely enough by itself
    clave = find_shape(line("CLAVE DE ELECTORGMVLMR80070501M100"), CLAVE_SHAPE)
    assert clave.text == "GMVLMR80070501M100"


@pytest.mark.parametrize("text", ["", "CURP", "2022-2032", "31/31", "99999999", "42/13/1990"])
def test_what_has_another_shape_is_not_found(text):
    assert find_shape(line(text), CURP_SHAPE) is None
    assert find_shape(line(text), DATE_SHAPE) is None


def test_pages_are_told_by_what_only_they_carry():
    front = ["INSTITUTO NACIONAL ELECTORAL", "NOMBRE", "DOMICILIO", "CURP"]
    zone = ["IDMEX2838838491<<0619298401296", "9508082M2712310MEX<07<<12204<1"]
    book = ["P<MEXZUNIGA<IBANEZ<<XIMENA<<<<<<<<<<<<<<<<<<"]
    for texts, kind in (
        (front, PageKind.INE_FRONT),
        (zone, PageKind.INE_BACK),
        (book, PageKind.PASSPORT),
        (["NOMBRE", "DOMICILIO", "CURP"], None),
        ([], None),
        # Other issuers' papers carry much of the same.
        (["INSTITUTO NACIONAL DE MIGRACIÓN", "NOMBRE", "CURP", "FECHA DE NACIMIENTO"], None),
        (["Entidad de Registro", "Clave Única de Registro de Población"], None),
        (["CFDI 4.0", "Régimen fiscal: 605", "Sello digital del SAT", "Cadena original"], None),
        (["IDESPBAA0005895<<<<<<<<<<<<<<<", "PENA<CARRILLO<<LUIS<FERNANDO<<"], None),
        (["PROL EMILIANO ZAPATA 2016 UH AMPL 77029 P BLANCO Q ROO", zone[0]], PageKind.INE_BACK),
    ):
        reader = classify([line(t, top=40 * n) for n, t in enumerate(texts)])
        assert (reader and reader.kind) is kind


# `make test` has each kind and each difficulty, and not all pairs of them.
@pytest.mark.parametrize(
    ("kind", "difficulty", "seed"),
    [
        pytest.param(
            *(kind, difficulty, seed),
            marks=() if seed == 71 and (number + place) % 2 == 0 else pytest.mark.thorough,
        )
        for number, kind in enumerate(SpecimenKind)
        for place, difficulty in enumerate((Difficulty.PHOTO, Difficulty.HARD))
        for seed in (71, 72, 73)
    ],
)
def test_a_photographed_document_is_outlined(kind, difficulty, seed):
    specimen = make_specimen(kind, seed, difficulty)
    image = decode_image(specimen.image_bytes, specimen.mime_type)
    found = find_document(image)
    assert found is not None
    assert found.aspect == (PASSPORT_ASPECT if kind is SpecimenKind.PASSPORT else CARD_ASPECT)
    masks = [np.zeros(image.shape[:2], np.uint8) for _ in range(2)]
    for mask, corners in zip(masks, (found.corners, specimen.truth["corners"]), strict=True):
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    assert (masks[0] & masks[1]).sum() / (masks[0] | masks[1]).sum() > 0.95
    assert flatten(image, found).shape[1] >= 1012


@pytest.mark.parametrize("kind", list(SpecimenKind))
def test_no_outline_is_invented_inside_a_scan(kind):
    specimen = make_specimen(kind, 74, Difficulty.MILD)
    assert find_document(decode_image(specimen.image_bytes, specimen.mime_type)) is None


@pytest.mark.parametrize("shape", [(1, 1), (1, 5000), (5000, 1), (70, 70), (900, 1400)])
def test_any_picture_can_be_searched_and_measured(shape):
    blank = np.full((*shape, 3), 255, np.uint8)
    assert find_document(blank) is None
    assert measure_quality(blank, 0.0).sharpness == 0


def test_blur_lowers_sharpness_and_burnt_spots_are_glare():
    specimen = make_specimen(SpecimenKind.INE_FRONT, 75)
    page = decode_image(specimen.image_bytes, specimen.mime_type)
    sharp, blurred = (measure_quality(p, 1.0) for p in (page, cv2.GaussianBlur(page, (0, 0), 3)))
    assert blurred.sharpness < 25
    assert sharp.sharpness > 100
    cv2.circle(page, (500, 300), 120, (255, 255, 255), -1)
    assert measure_quality(page, 1.0).glare > 0.03
