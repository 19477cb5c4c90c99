"""Documents in pictures that should show a person alone."""

import cv2
import numpy as np
import pytest

from acredita.domain.tampering.copied_selfies import FEWEST_ROWS
from acredita.engines.documents.document_in_selfie import is_document
from acredita.engines.documents.printed_rows import printed_rows
from acredita.engines.documents.process import shows_document
from acredita_synthetic.canvas import Canvas
from acredita_synthetic.faces.people import face_of
from acredita_synthetic.faces.pictures import draw_selfie
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import make_person
from acredita_synthetic.specimens import draw_document
from acredita_synthetic.typefaces import FAMILIES
from tests.conftest import test_data as shared_data

PERSON = make_person(7)


@pytest.fixture(scope="module")
def selfie():
    return cv2.resize(draw_selfie(face_of(PERSON), 1), None, fx=3, fy=3)


@pytest.fixture(scope="module")
def card():
    return draw_document(SpecimenKind.INE_FRONT, PERSON).pixels


def held_up(person, document, share=0.5, degrees=6.0):
    """The document before the person's chest, that share of the picture's width."""
    height, width = person.shape[:2]
    scale = share * width / document.shape[1]
    small = cv2.resize(document, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    down, across = small.shape[:2]
    turn = cv2.getRotationMatrix2D((across / 2, down / 2), degrees, 1)
    turn[:, 2] += 0.5 * width - across / 2, 0.75 * height - down / 2
    shown = cv2.warpAffine(small, turn, (width, height))
    mask = cv2.warpAffine(np.full((down, across), 255, np.uint8), turn, (width, height)) > 128
    return np.where(mask[..., None], shown, person).astype(np.uint8)


def poster(selfie):
    """The person before a wall of advertising."""
    canvas = Canvas(selfie.copy(), FAMILIES[0], (20, 20, 20), shift=(0, 0))
    for row, text in enumerate(("GRAN VENTA DE VERANO", "HASTA AGOTAR EXISTENCIAS", "PRECIOS")):
        for column in range(2):
            canvas.text((30 + 640 * column, 60 + 60 * row), text, size=34)
    return canvas.pixels


def sent(picture):
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes(), "image/jpeg"


@pytest.mark.parametrize(
    ("share", "degrees"),
    [
        *((0.35, -12), (0.7, 20)),
        *(
            pytest.param(*held, marks=pytest.mark.thorough)
            for held in ((0.35, 20), (0.5, -12), (0.5, 20), (0.7, -12))
        ),
    ],
)
def test_the_rows_of_a_card_that_is_held_up_are_found(selfie, card, share, degrees):
    rows = printed_rows(held_up(selfie, card, share, degrees))
    assert rows.count >= FEWEST_ROWS
    left, top, right, bottom = rows.box
    assert 0 <= left < right <= selfie.shape[1]
    assert 0.4 * selfie.shape[0] < top < bottom <= selfie.shape[0]


def test_a_page_alone_is_full_of_rows(card):
    assert printed_rows(card).count >= 3 * FEWEST_ROWS


def test_people_alone_have_no_rows_of_print(selfie):
    assert printed_rows(selfie).count < FEWEST_ROWS
    assert printed_rows(draw_selfie(face_of(PERSON), 1)).count < FEWEST_ROWS


def test_photographs_of_people_have_no_rows_of_print():
    paths = sorted(shared_data("images", "lfw").glob("*/*.jpg"))
    for path in (*paths, *sorted(shared_data("images", "pose").glob("stock-emotions-*.jpg"))):
        assert printed_rows(cv2.imread(str(path))).count < FEWEST_ROWS


@pytest.mark.parametrize("shape", [(1, 1), (3, 900), (40, 40), (700, 2)])
def test_no_picture_is_too_small_or_too_plain_to_be_searched(shape):
    assert printed_rows(np.full((*shape, 3), 90, np.uint8)).count == 0
    speckled = np.random.default_rng(1).integers(0, 255, (*shape, 3), dtype=np.uint8)
    assert printed_rows(speckled).count < FEWEST_ROWS


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(lambda picture: picture, id="as it is"),
        # It is read in all poses, for seconds.
        pytest.param(lambda picture: picture[:, ::-1], id="mirrored", marks=pytest.mark.thorough),
        pytest.param(np.rot90, id="on its side", marks=pytest.mark.thorough),
    ],
)
def test_a_card_that_is_held_up_is_told(selfie, card, shown):
    assert shows_document(*sent(np.ascontiguousarray(shown(held_up(selfie, card)))))


def test_a_person_alone_shows_no_document(selfie):
    assert not shows_document(*sent(selfie))


def test_print_that_is_no_document_is_read_and_let_go(selfie):
    before_a_wall = poster(selfie)
    assert printed_rows(before_a_wall).count >= FEWEST_ROWS
    assert not shows_document(*sent(before_a_wall))


def test_nothing_that_was_read_is_no_document():
    assert not is_document([])
