"""A field that a forger replaced, in another typeface than the rest of the document."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from acredita.domain.documents.picture_problems import objections
from acredita.domain.reasons import DocumentReason
from acredita.engines.documents import read_pages
from acredita.engines.tampering.letter_shapes import CutLine, FieldLine, Letter, cut_lines
from acredita.engines.tampering.proportions import proportions
from acredita.engines.tampering.typeface import SIGN, typeface
from acredita_synthetic import SpecimenKind, draw_document, make_person
from acredita_synthetic.canvas import Canvas
from acredita_synthetic.typefaces import FAMILIES

FRONT, PASSPORT = SpecimenKind.INE_FRONT, SpecimenKind.PASSPORT
SEED = 51


def measured(measure, page, lines):
    return measure(page, cut_lines(page, lines))


def drawn(kind, seed):
    return draw_document(kind, make_person(seed))


def set_anew(canvas, field, family):
    """The same words on the same paper, in the ink of the rest, lighter letters."""
    left, top, width, height = canvas.boxes[field]
    area = canvas.pixels[top - 2 : top + height + 2, left - 2 : left + width + 2]
    ink = (cv2.cvtColor(area, cv2.COLOR_BGR2GRAY) < 165).astype(np.uint8)
    area[:] = cv2.inpaint(area, cv2.dilate(ink, np.ones((5, 5), np.uint8)), 5, cv2.INPAINT_TELEA)
    other = Canvas(canvas.pixels, family, canvas.ink)
    other.text(
        (left, top + height),
        canvas.texts[field],
        size=round(height * 1.36),
        bold=family == canvas.family,
    )


def other_than(family):
    return next(each for each in FAMILIES if each != family)


def lines_of(canvas):
    """Each field's line, outlined as roughly as a detector does."""
    for field, (left, top, width, height) in canvas.boxes.items():
        if not field.startswith("mrz"):
            right, bottom = left + width + 3, top + height + 5
            corners = [[left - 3, top - 5], [right, top - 5], [right, bottom], [left - 3, bottom]]
            text = canvas.texts[field]
            yield FieldLine(field, text, text, np.array(corners, np.float32))


def blurred(pixels, sigma):
    return cv2.GaussianBlur(pixels, (0, 0), sigma)


@pytest.mark.parametrize(
    "people", [2, pytest.param(6, marks=pytest.mark.thorough)], ids="{} people".format
)
@pytest.mark.parametrize("kind", [FRONT, PASSPORT])
@pytest.mark.parametrize("sigma", [0.4, 1.2])
def test_documents_that_one_machine_printed_are_not_blamed(kind, sigma, people):
    for seed in range(SEED, SEED + people):
        canvas = drawn(kind, seed)
        page, lines = blurred(canvas.pixels, sigma), list(lines_of(canvas))
        for signal in (measured(typeface, page, lines), measured(proportions, page, lines)):
            assert signal is None or not signal.raised, (seed, signal)


@pytest.mark.parametrize("field", ["address1", "curp"])
def test_a_field_in_another_typeface_is_named_with_its_place(field):
    canvas = drawn(FRONT, SEED)
    set_anew(canvas, field, other_than(canvas.family))
    signal = measured(typeface, blurred(canvas.pixels, 0.4), list(lines_of(canvas)))
    assert (signal.raised, signal.detail) == (True, field)
    left, top, width, height = canvas.boxes[field]
    middle = ((left + width / 2) / canvas.width, (top + height / 2) / canvas.height)
    assert signal.box[0] < middle[0] < signal.box[2]
    assert signal.box[1] < middle[1] < signal.box[3]


@pytest.mark.parametrize("sigma", [0.4, 1.2])
def test_letters_of_other_widths_are_told_on_a_blurred_picture_too(sigma):
    canvas = drawn(FRONT, 73)
    set_anew(canvas, "address1", other_than(canvas.family))
    signal = measured(proportions, blurred(canvas.pixels, sigma), list(lines_of(canvas)))
    assert (signal.raised, signal.detail) == (True, "address1")


def test_a_line_whose_letters_are_all_narrower_is_only_condensed():
    canvas = drawn(FRONT, SEED)
    left, top, width, height = canvas.boxes["address1"]
    rows = slice(top - 3, top + height + 3)
    narrow = round(0.8 * width)
    line = canvas.pixels[rows, left : left + width].copy()
    canvas.pixels[rows, left : left + width] = line[:, -1:]
    canvas.pixels[rows, left : left + narrow] = cv2.resize(
        line, (narrow, line.shape[0]), interpolation=cv2.INTER_AREA
    )
    canvas.boxes["address1"] = (left, top, narrow, height)
    assert not measured(proportions, canvas.pixels, list(lines_of(canvas))).raised


def test_the_same_typeface_again_is_not_told():
    canvas = drawn(FRONT, SEED)
    set_anew(canvas, "address1", canvas.family)
    signal = measured(typeface, blurred(canvas.pixels, 0.4), list(lines_of(canvas)))
    assert not signal.raised


def test_lines_that_were_read_wrongly_say_nothing():
    canvas = drawn(FRONT, SEED)
    lines = list(lines_of(canvas))
    wrong = [
        replace(line, text=line.text[::-1], value=line.value[::-1])
        if line.field == "address2"
        else line
        for line in lines
    ]
    for sign in (typeface, proportions):
        signal = measured(sign, canvas.pixels, wrong)
        assert signal is None or not signal.raised
        assert measured(sign, canvas.pixels, lines[:2]) is None
        assert measured(sign, np.full_like(canvas.pixels, 255), lines) is None
    assert measured(typeface, canvas.pixels, wrong) is not None


def letter(character, *, like=1.0, width=0.0, darkness=1.0):
    """A letter of its own shape; `like` is the correlation with that shape."""
    own, other = (
        np.random.default_rng(ord(character) + shift).standard_normal((24, 16)) for shift in (0, 99)
    )
    own = (own - own.mean()) / np.linalg.norm(own - own.mean())
    other -= other.mean() + np.vdot(other - other.mean(), own) * own
    shape = like * own + np.sqrt(1 - like**2) * other / np.linalg.norm(other)
    return Letter(character, shape.astype(np.float32), width, darkness)


def cut(text, **changes):
    letters = [
        letter(each, **{name: value[at % len(value)] for name, value in changes.items()})
        for at, each in enumerate(text)
    ]
    quad = np.array([[0, 0], [200, 0], [200, 20], [0, 20]], np.float32)
    return CutLine(FieldLine(text, text, text, quad), letters, is_whole=True)


PAGE = np.zeros((60, 300, 3), np.uint8)


def test_letters_that_were_cut_wrongly_are_no_measure_for_others():
    others = cut("ABCDEJKLMNOPQRS"), cut("FGHIJKLMNOPQRS")
    wrongly = cut("ABCDEFGHI", like=(0.65,), width=(0.36, 0, -0.36))
    assert not proportions(PAGE, [cut("ABCDEFGHI"), wrongly, *others]).raised
    otherwise = cut("ABCDEFGHI", like=(0.9,), width=(0.2, 0, -0.2))
    signal = proportions(PAGE, [otherwise, *others])
    assert (signal.raised, signal.detail) == (True, "ABCDEFGHI")


def test_letters_that_a_reflection_makes_paler_and_thinner_are_of_the_same_typeface():
    text = "ABCDEFGHIJ"
    others = [cut(text) for _ in range(4)]
    assert typeface(PAGE, [cut(text, like=(0.88,)), *others]).raised
    paler = cut(text, like=(0.88,), darkness=(0.85, 0.8))
    assert not typeface(PAGE, [paler, *others]).raised


def test_it_is_read_with_the_page_and_is_a_hint():
    canvas = drawn(FRONT, SEED)
    set_anew(canvas, "address1", other_than(canvas.family))
    picture = cv2.imencode(".png", canvas.pixels)[1].tobytes()
    (page,) = read_pages(picture, "image/png")
    (signal,) = [each for each in page.signals if each.name == SIGN.name]
    assert (signal.raised, signal.detail) == (True, "address1")
    assert DocumentReason.TAMPERING_SUSPECTED not in objections([page])
