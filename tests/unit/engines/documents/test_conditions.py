"""What spoils a picture, and what is no picture of a document, told before and after reading."""

import cv2
import numpy as np
import pytest

from acredita.domain.documents import PageKind
from acredita.domain.reasons import DocumentReason
from acredita.engines.documents import quality_limits
from acredita.engines.documents.find_document import (
    CARD_ASPECT,
    Found,
    find_document,
    flatten,
)
from acredita.engines.documents.quality import at_width, measure_quality
from acredita.engines.documents.quality_limits import (
    capture_signals,
    covered,
    hopeless,
    page_signals,
    several_documents,
)
from acredita.engines.tampering.photocopies import colourless
from acredita.engines.tampering.photographed_screens import screen_signals
from acredita_synthetic import Difficulty, SpecimenKind, draw_document, make_person
from acredita_synthetic.bad_pictures import Spoiling, side_by_side, spoil
from acredita_synthetic.capture import capture

SEED = 907


@pytest.fixture(scope="module")
def card():
    # Colours where the portrait is, without the seconds that a drawn face takes.
    spread = np.random.default_rng(SEED).uniform(0, 255, (336, 258, 3)).astype(np.float32)
    portrait = (cv2.GaussianBlur(spread, (0, 0), 20) * 3 - 255).clip(60, 220).astype(np.uint8)
    return draw_document(SpecimenKind.INE_FRONT, make_person(SEED), portrait).pixels


def signals_of(taken):
    data = cv2.imencode(".jpg", taken.pixels, [cv2.IMWRITE_JPEG_QUALITY, taken.jpeg_quality])[1]
    image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    found = find_document(image)
    page = image if found is None else flatten(image, found)
    signals = capture_signals(image, found, page)
    shown = (
        *screen_signals(image, None if found is None else found.corners),
        colourless(page),
        several_documents(image, found, lambda _page: True),
    )
    return hopeless(signals), {signal.name for signal in (*signals, *shown) if signal.raised}


@pytest.mark.parametrize("difficulty", [Difficulty.CLEAN, Difficulty.PHOTO, Difficulty.HARD])
def test_nothing_is_held_against_a_plain_picture(card, difficulty):
    assert signals_of(capture(card, difficulty, SEED, rounded=True)) == (None, set())


@pytest.mark.parametrize(
    ("how", "strength", "signal"),
    [
        (Spoiling.BLURRED, 0.7, "blurred"),
        (Spoiling.DARK, 0.94, "too_dark"),
        (Spoiling.SMALL, 0.7, "too_small"),
        (Spoiling.OVEREXPOSED, 0.6, "overexposed"),
        (Spoiling.GLARE, 0.7, "glare"),
        (Spoiling.CUT, 0.5, "cut_off"),
        (Spoiling.COPY, 1.0, "colourless"),
    ],
)
def test_what_spoils_a_picture_is_named(card, how, strength, signal):
    _, raised = signals_of(spoil(card, how, SEED, strength))
    assert signal in raised


@pytest.mark.parametrize(
    ("how", "strength", "code"),
    [
        (Spoiling.BLURRED, 1.6, DocumentReason.IMAGE_BLURRED),
        (Spoiling.DARK, 1.0, DocumentReason.IMAGE_TOO_DARK),
        (Spoiling.SMALL, 1.1, DocumentReason.IMAGE_TOO_SMALL),
        (Spoiling.OVEREXPOSED, 1.0, DocumentReason.IMAGE_OVEREXPOSED),
    ],
)
def test_a_hopeless_picture_is_refused_before_any_text_is_looked_for(card, how, strength, code):
    refused, _ = signals_of(spoil(card, how, SEED, strength))
    assert refused is code


def test_the_grid_of_a_screen_is_seen_where_the_optics_left_it(card):
    rows, columns = np.mgrid[0 : card.shape[0], 0 : card.shape[1]]
    grid = 1 + 0.12 * np.sin(1.9 * columns + 0.3 * rows) * np.sin(1.9 * rows - 0.3 * columns)
    shown = (card * grid[..., None]).clip(0, 255).astype(np.uint8)
    assert screen_signals(shown, None)[0].raised
    assert not any(signal.raised for signal in screen_signals(card, None))


def in_colours(card, shifts):
    """The card under stripes of 5.3 pixels, slightly turned, each colour's moved by its share."""
    rows, columns = np.mgrid[0 : card.shape[0], 0 : card.shape[1]]
    along = (columns + 0.05 * rows) / 5.3
    stripes = [1 + 0.08 * np.cos(2 * np.pi * (along - shift)) for shift in shifts]
    return (card * np.stack(stripes, axis=-1)).clip(0, 255).astype(np.uint8)


def test_red_green_and_blue_side_by_side_are_a_screens_and_lines_of_an_ink_are_not(card):
    stripes, ink, lens = ((2 / 3, 1 / 3, 0), (0, 0, 0), (-0.06, 0, 0.06))
    assert screen_signals(in_colours(card, stripes), None)[1].raised
    assert not screen_signals(in_colours(card, ink), None)[1].raised
    assert not screen_signals(in_colours(card, lens), None)[1].raised


@pytest.mark.parametrize(("left", "raised"), [(400, True), (180, False)])
def test_another_document_is_looked_for_only_where_there_is_room_for_one(monkeypatch, left, raised):
    def outline(x, y, width):
        corners = np.array([[0, 0], [1.585, 0], [1.585, 1], [0, 1]], np.float32) * width / 1.585
        return Found(corners + np.array([x, y], np.float32), CARD_ASPECT, 1.0)

    another = outline(20, 20, 500)
    monkeypatch.setattr(quality_limits, "find_second_document", lambda _image, _found: another)
    picture = np.zeros((800, 1200, 3), np.uint8)
    found = outline(left, 150, 1190 - left)
    assert several_documents(picture, found, lambda _page: True).raised == raised


def test_two_cards_on_one_picture_are_several_documents_if_the_other_reads_as_one(card):
    taken = side_by_side(card, card, SEED)
    found = find_document(taken.pixels)
    assert found is not None
    assert several_documents(taken.pixels, found, lambda _page: True).raised
    assert not several_documents(taken.pixels, found, lambda _page: False).raised


@pytest.mark.parametrize("shape", [(1, 1), (1, 9000), (9000, 1), (31, 400), (400, 6000)])
def test_a_strip_is_not_enlarged(shape):
    strip = np.zeros((*shape, 3), np.uint8)
    assert capture_signals(strip, None, strip) == ()


def test_a_bare_wall_is_no_blurred_document():
    wall = np.full((600, 900, 3), 150, np.uint8)
    assert hopeless(capture_signals(wall, None, wall)) is None


def test_a_reflection_says_what_it_covers():
    assert covered((0.1, 0.4, 0.2, 0.6), PageKind.PASSPORT) == "portrait"
    assert covered((0.4, 0.8, 0.9, 1.0), PageKind.INE_BACK) == "mrz"
    assert covered((0.5, 0.3, 0.8, 0.5), PageKind.INE_FRONT) == "data"


@pytest.mark.parametrize("width", [700, 1300])
def test_a_page_that_was_scaled_before_measures_the_same(card, width):
    page = cv2.resize(card, (width, round(width * card.shape[0] / card.shape[1])))
    small = at_width(page)
    scaled_before = page_signals(page, None, page, lambda: small)
    assert scaled_before == page_signals(page, None, page)
    assert measure_quality(page, 0.5, small) == measure_quality(page, 0.5)
