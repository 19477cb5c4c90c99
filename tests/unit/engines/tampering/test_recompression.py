"""Parts of a JPEG that were not in it when it was first saved."""

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from acredita.domain.documents.pages import PageKind
from acredita.domain.documents.picture_problems import objections
from acredita.domain.reasons import DocumentReason
from acredita.engines.documents import read_pages
from acredita.engines.documents.decode import decode_image
from acredita.engines.documents.find_document import find_document
from acredita.engines.tampering.recompression import blocks_of, recompression
from acredita_synthetic import Difficulty, SpecimenKind, draw_document, make_person
from acredita_synthetic.capture import capture

SEED = 418
PASTED = (600, 440, 760, 540)
"""Left, top, right and bottom in the photograph."""


@pytest.fixture(scope="module")
def photograph():
    """As the camera saved it, decoded, and where the document lies in it."""
    back = draw_document(SpecimenKind.INE_BACK, make_person(SEED))
    taken = capture(back.pixels, Difficulty.PHOTO, SEED, rounded=True)
    return decoded(saved(taken.pixels, 75)), taken.corners


@pytest.fixture(scope="module")
def forged(photograph):
    """A part of the same photograph pasted elsewhere, off the grid: colours and noise are true."""
    pixels = photograph[0].copy()
    left, top, right, bottom = PASTED
    pixels[top:bottom, left:right] = pixels[top + 83 : bottom + 83, left + 45 : right + 45].copy()
    return pixels


def saved(pixels, quality):
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def decoded(data):
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def measured(data):
    image = decode_image(data, "image/jpeg")
    found = find_document(image)
    return recompression(blocks_of(data), image, None if found is None else found.corners)


def assert_located(box, corners, size):
    """`box` holds the middle of what was pasted, and little more than it."""
    flat = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_page = cv2.getPerspectiveTransform(corners, flat)
    left, top, right, bottom = PASTED
    pasted = np.array([[[left, top], [right, bottom]]], np.float32)
    (x0, y0), (x1, y1) = cv2.perspectiveTransform(pasted, to_page)[0]
    assert box[0] < (x0 + x1) / 2 < box[2]
    assert box[1] < (y0 + y1) / 2 < box[3]
    assert np.abs(np.array(box) - (x0, y0, x1, y1)).max() < size


def test_a_pasted_part_is_seen_and_located(photograph, forged):
    signal = measured(saved(forged, 95))
    assert signal.raised
    assert signal.measure > signal.limit
    assert signal.box is not None
    assert_located(signal.box, photograph[1], 0.06)


def test_it_is_read_with_the_page_and_goes_to_a_person(forged):
    (page,) = read_pages(saved(forged, 90), "image/jpeg")
    assert page.kind is PageKind.INE_BACK
    assert DocumentReason.TAMPERING_SUSPECTED in objections([page])


@pytest.mark.parametrize("orientation", [3, 5, 6, 8])
def test_a_turned_camera_does_not_hide_it(photograph, forged, orientation):
    """The pixels lie as the sensor had them, and a tag says how to turn them."""
    lying = {
        3: np.rot90(forged, 2),
        5: forged.swapaxes(0, 1),
        6: np.rot90(forged, 1),
        8: np.rot90(forged, -1),
    }[orientation]
    target = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.fromarray(np.ascontiguousarray(lying[..., ::-1])).save(
        target, "JPEG", quality=92, exif=exif
    )
    signal = measured(target.getvalue())
    assert signal.raised
    assert signal.box is not None
    assert_located(signal.box, photograph[1], 0.06)


def test_a_picture_that_was_saved_again_as_a_whole_is_not_blamed(photograph):
    messenger = decoded(saved(photograph[0], 70))
    for data in (saved(photograph[0], 92), saved(messenger, 92), saved(messenger[16:, 8:], 88)):
        signal = measured(data)
        assert not signal.raised


def test_nothing_is_measured_without_an_earlier_compression(photograph):
    pixels = photograph[0]
    smaller = cv2.resize(pixels, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA)
    brighter = (255 * (pixels / 255) ** 0.7).astype(np.uint8)
    for data in (
        saved(pixels, 70),
        saved(pixels[3:, 5:], 90),
        saved(smaller, 90),
        saved(brighter, 92),
    ):
        assert measured(data) is None


@pytest.mark.parametrize("shape", [(1, 1), (8, 8), (7, 4000), (300, 9), (90, 900)])
def test_pictures_too_small_for_it_are_left_alone(shape):
    assert measured(saved(np.full((*shape, 3), 120, np.uint8), 90)) is None


def test_a_burnt_out_picture_says_nothing():
    assert measured(saved(np.full((300, 400, 3), 255, np.uint8), 90)) is None


@pytest.mark.parametrize("mode", ["L", "CMYK"])
def test_other_colours_than_a_cameras_do_no_harm(mode):
    spread = np.random.default_rng(SEED).integers(0, 255, (200, 300, 3), np.uint8)
    target = io.BytesIO()
    Image.fromarray(spread).convert(mode).save(target, "JPEG", quality=90)
    assert measured(target.getvalue()) is None
