import io
import os
import subprocess
import sys
from contextlib import redirect_stdout
from functools import cache

import cv2
import numpy as np
import pytest

from acredita_synthetic import ocrb
from acredita_synthetic.canvas import Canvas
from acredita_synthetic.ground_truth import SpecimenKind, values_on
from acredita_synthetic.people import CardModel, make_person, with_model
from acredita_synthetic.specimens import draw_document, make_specimen
from acredita_synthetic.styles import Style
from acredita_synthetic.typefaces import FAMILIES, ORNATE_FAMILIES, typeface

PORTRAIT = np.full((430, 330, 3), (150, 160, 170), np.uint8)


def blank(width=400, height=80, family="arimo"):
    return Canvas(np.full((height, width, 3), 255, np.uint8), family, (0, 0, 0))


def overlap(a, b):
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


@cache
def sheet(kind, style, seed=3):
    """The person's document with a blank portrait: for tests that only look at it."""
    return draw_document(kind, make_person(seed), PORTRAIT, style=style)


@pytest.mark.parametrize("people", [1, pytest.param(8, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("style", Style)
@pytest.mark.parametrize("kind", SpecimenKind)
def test_every_printed_field_lies_inside_the_sheet_and_apart_from_all_else(kind, style, people):
    for seed in range(3, 3 + people):
        canvas = sheet(kind, style, seed)
        boxes = list(canvas.boxes.values())
        assert canvas.boxes.keys() == canvas.texts.keys()
        for index, (left, top, width, height) in enumerate(boxes):
            assert left >= 10
            assert top >= 10
            assert left + width <= canvas.width - 10
            assert top + height <= canvas.height - 10
            elsewhere = boxes[index + 1 :] + canvas.fixed_print
            assert not any(overlap(boxes[index], other) for other in elsewhere)


@cache
def _people(count):
    return [make_person(seed) for seed in range(count)]


@pytest.mark.parametrize(
    "style",
    [
        style if style is Style.CLASSIC else pytest.param(style, marks=pytest.mark.thorough)
        for style in Style
    ],
)
@pytest.mark.parametrize("count", [100, pytest.param(3000, marks=pytest.mark.thorough)])
def test_the_longest_names_of_many_people_fit(style, count):
    people = _people(count)
    for longest in (
        max(people, key=lambda person: len(person.name.given)),
        max(people, key=lambda person: len(person.name.surnames)),
        max(people, key=lambda person: max(map(len, person.voter_card.address))),
        max(people, key=lambda person: len(person.passport.birth_place)),
    ):
        for kind in SpecimenKind:
            canvas = draw_document(kind, longest, PORTRAIT, style=style)
            assert set(canvas.texts.values()) >= set(values_as_printed(kind, longest))


def values_as_printed(kind, person):
    """The values that documents print as they are: neither dates nor joined years."""
    names = {"paternalSurname", "maternalSurname", "givenNames", "surnames", "curp", "clave"}
    names |= {"address1", "address2", "address3", "placeOfBirth", "cic", "mrz1", "mrz2", "mrz3"}
    return [value for name, value in values_on(kind, person).items() if name in names]


@pytest.mark.parametrize("style", Style)
@pytest.mark.parametrize("kind", SpecimenKind)
def test_every_document_says_in_red_that_it_is_a_specimen(kind, style):
    canvas = sheet(kind, style)
    blue, green, red = (canvas.pixels[..., i].astype(int) for i in range(3))
    stamped = (red > 150) & (green < 90) & (blue < 90)
    assert stamped.mean() > 0.01
    for left, top, width, height in canvas.boxes.values():
        assert stamped[top : top + height, left : left + width].mean() < 0.005


def test_a_given_portrait_is_printed_in_place_of_the_cartoon():
    person = make_person(3)
    portrait = np.full((200, 150, 3), (10, 200, 30), np.uint8)
    for kind in (SpecimenKind.INE_FRONT, SpecimenKind.PASSPORT):
        pixels = draw_document(kind, person, portrait).pixels
        assert (pixels == (10, 200, 30)).all(axis=2).mean() > 0.1


def test_text_too_long_for_its_place_is_condensed_to_it():
    canvas = blank()
    _, _, width, _ = canvas.text(
        (10, 50), "FERNÁNDEZ DE CASTRO Y GUTIÉRREZ", size=30, max_width=200
    )
    assert width <= 200


def test_text_that_would_leave_the_sheet_is_refused():
    with pytest.raises(ValueError, match="does not fit"):
        blank().text((300, 50), "FERNÁNDEZ DE CASTRO", size=30)
    with pytest.raises(ValueError, match="does not fit"):
        ocrb.draw_line(blank().pixels, "<" * 30, (10, 10), pixels_per_mm=11.8, ink=(0, 0, 0))


@pytest.mark.parametrize("style", [Style.ORNATE, Style.SPARSE])
def test_a_style_prints_the_same_texts_in_other_places(style):
    for kind in SpecimenKind:
        classic, other = sheet(kind, Style.CLASSIC), sheet(kind, style)
        assert other.texts == classic.texts
        assert all(box != other.boxes[name] for name, box in classic.boxes.items())


def test_the_truth_of_a_style_is_what_it_prints():
    specimen = make_specimen(SpecimenKind.PASSPORT, 3, portrait=PORTRAIT, style=Style.SPARSE)
    printed = sheet(SpecimenKind.PASSPORT, Style.SPARSE)
    fields = specimen.truth["fields"]
    assert {name: field["text"] for name, field in fields.items()} == printed.texts
    assert {name: tuple(field["box"]) for name, field in fields.items()} == printed.boxes
    assert specimen.truth["values"] == values_on(SpecimenKind.PASSPORT, make_person(3))


@pytest.mark.parametrize("style", [Style.ORNATE, Style.SPARSE])
@pytest.mark.parametrize("model", CardModel)
def test_a_style_draws_every_model_of_the_voter_card(style, model):
    person = with_model(make_person(7), model)
    front = draw_document(SpecimenKind.INE_FRONT, person, PORTRAIT, style=style)
    assert front.texts["clave"] == str(person.clave_elector)
    if model.has_zone:
        back = draw_document(SpecimenKind.INE_BACK, person, style=style)
        assert back.texts["mrz1"] == person.voter_card.mrz[0]
    else:
        with pytest.raises(ValueError, match="model C"):
            draw_document(SpecimenKind.INE_BACK, person, style=style)


@pytest.mark.parametrize("family", FAMILIES + ORNATE_FAMILIES)
@pytest.mark.parametrize("bold", [False, True])
def test_every_typeface_has_all_of_spanish(family, bold):
    face = typeface(family, 40, bold=bold)
    missing = bytes(face.getmask("\U000e0041"))
    for character in "ABCÑÁÉÍÓÚÜabcñáéíóúü0123456789/-.,'&":
        assert bytes(face.getmask(character)) != missing
    assert bytes(face.getmask("Ñ")) != bytes(face.getmask("N"))


def test_bold_is_heavier():
    for family in FAMILIES + ORNATE_FAMILIES:
        regular, bold = (np.array(typeface(family, 40, bold=b).getmask("MUESTRA")) for b in (0, 1))
        assert bold.sum() > regular.sum() * 1.1


def test_ocr_b_has_the_37_characters_of_machine_readable_zones_all_unlike():
    assert frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<") == ocrb.CHARACTERS
    drawn = {}
    for character in sorted(ocrb.CHARACTERS):
        sheet = np.full((60, 60, 3), 255, np.uint8)
        ocrb.draw_line(sheet, character, (10, 10), pixels_per_mm=11.8, ink=(0, 0, 0))
        drawn[character] = 255.0 - cv2.cvtColor(sheet, cv2.COLOR_BGR2GRAY)
    for a, first in drawn.items():
        for b, second in drawn.items():
            difference = np.abs(first - second).sum() / min(first.sum(), second.sum())
            assert a == b or difference > 0.12, (a, b)


@pytest.mark.parametrize(
    "kinds",
    [
        pytest.param("[SpecimenKind.INE_FRONT]", id="a card"),
        pytest.param("SpecimenKind", id="all", marks=pytest.mark.thorough),
    ],
)
def test_drawing_does_not_depend_on_the_process(kinds):
    program = (
        "import sys, hashlib\n"
        "from acredita_synthetic import *\n"
        f"for kind in {kinds}:\n"
        "    taken = make_specimen(kind, 11, Difficulty.HARD)\n"
        "    print(hashlib.sha256(taken.image_bytes).hexdigest(), taken.truth)\n"
    )
    # In this process and in one whose strings have other hashes.
    elsewhere = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONHASHSEED": "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"},
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    with redirect_stdout(io.StringIO()) as here:
        exec(program, {})  # noqa: S102 (our own program)
    assert elsewhere == here.getvalue() != ""
