"""Copies of a portrait as selfies, and selfies that are none."""

import cv2
import numpy as np
import pytest

from acredita.domain.liveness.challenge import Move
from acredita.engines.face.embedding import chip
from acredita.engines.face.find import find_faces
from acredita.engines.tampering.same_photograph import copy_evidence
from acredita_synthetic.capture import Difficulty, capture
from acredita_synthetic.faces.people import people
from acredita_synthetic.faces.pictures import draw_frames, draw_portrait, draw_selfie
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import make_person
from acredita_synthetic.specimens import draw_document
from tests.conftest import test_data as shared_data

NAMES = ("Colin_Powell", "Gerhard_Schroeder", "Hugo_Chavez", "Jacques_Chirac")


def seen(picture):
    pixels = np.ascontiguousarray(picture)
    face = find_faces(pixels)[0]
    return chip(pixels, face)


def evidence(portrait, selfie):
    return copy_evidence(seen(portrait), seen(selfie))


def around_the_face(picture):
    face = find_faces(picture)[0]
    margin = 0.5 * face.side
    left, top, right, bottom = face.box
    part = picture[
        max(0, int(top - margin)) : int(bottom + margin),
        max(0, int(left - margin)) : int(right + margin),
    ]
    return enlarged(part, 450)


def enlarged(picture, width):
    scale = width / picture.shape[1]
    return cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)


def jpeg(picture, quality):
    encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return cv2.imdecode(encoded, cv2.IMREAD_COLOR)


def turned(picture, degrees):
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    return cv2.warpAffine(picture, turn, (width, height), borderMode=cv2.BORDER_REPLICATE)


def from_aside(picture):
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = np.array([[0.06, 0.02], [0.97, 0.05], [0.93, 0.98], [0.01, 0.94]], np.float32)
    view = cv2.getPerspectiveTransform(corners, moved * np.array([width, height], np.float32))
    return cv2.warpPerspective(picture, view, (width, height), borderMode=cv2.BORDER_REPLICATE)


def relit(picture):
    lighter = 255 * (picture / 255) ** 0.6 * np.array([0.8, 1.0, 1.15])
    return np.clip(lighter, 0, 255).astype(np.uint8)


def noisy(picture):
    grain = np.random.default_rng(3).normal(0, 10, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


ALTERED = {
    "as it is": lambda crop: crop,
    "compressed": lambda crop: jpeg(crop, 30),
    "smaller": lambda crop: enlarged(crop, 220),
    "larger": lambda crop: enlarged(crop, 1200),
    "turned": lambda crop: turned(crop, 17),
    "mirrored": lambda crop: crop[:, ::-1],
    "in another light": relit,
    "noisy": noisy,
    "blurred": lambda crop: cv2.GaussianBlur(crop, (0, 0), 4),
    "photographed from aside": from_aside,
    "all at once": lambda crop: jpeg(noisy(relit(turned(from_aside(crop[:, ::-1]), -9))), 50),
}


def photograph(name, number):
    return cv2.imread(str(shared_data("images", "lfw", name, f"{name}_{number:04}.jpg")))


@pytest.fixture(scope="module")
def drawn():
    """A drawn portrait, what is seen of it, and the part around the face."""
    portrait = np.array(draw_portrait(people()[1]))
    return seen(portrait), around_the_face(portrait)


@pytest.fixture(scope="module")
def photographed():
    """What is seen on a photograph of a card, and the part around the face of another one."""
    portrait = enlarged(photograph("Hugo_Chavez", 1)[40:220, 56:194], 330)
    return seen(card(portrait, shot=1)), around_the_face(card(portrait, shot=2))


def card(portrait, shot):
    """A photograph of the card with that portrait; each shot is another one."""
    drawn = draw_document(SpecimenKind.INE_FRONT, make_person(7), portrait)
    return capture(drawn.pixels, Difficulty.PHOTO, shot, rounded=True).pixels


@pytest.mark.parametrize("alteration", ALTERED)
def test_a_crop_of_the_drawn_portrait_is_a_copy_however_it_was_altered(drawn, alteration):
    portrait, crop = drawn
    found = copy_evidence(portrait, seen(ALTERED[alteration](crop)))
    assert found.is_copy
    assert found.mirrored is (alteration in {"mirrored", "all at once"})


@pytest.mark.parametrize("alteration", ALTERED)
def test_a_crop_of_another_picture_of_the_same_card_is_a_copy(photographed, alteration):
    portrait, crop = photographed
    assert copy_evidence(portrait, seen(ALTERED[alteration](crop))).is_copy


def test_the_photograph_that_a_card_was_made_with_is_a_copy():
    for name in NAMES:
        picture = photograph(name, 1)
        portrait = enlarged(picture[30:230, 45:200], 330)
        assert evidence(card(portrait, shot=3), enlarged(picture, 600)).is_copy


@pytest.mark.thorough
@pytest.mark.slow
def test_drawn_people_s_selfies_are_no_copies_of_their_portraits():
    for number, face in enumerate(people()):
        portrait = np.array(draw_portrait(face))
        selfie = draw_selfie(face, 1 + number)
        assert not evidence(portrait, selfie).is_copy
        assert not evidence(card(portrait, shot=number), selfie).is_copy


def test_a_drawn_person_at_rest_before_the_camera_is_no_copy_of_the_portrait():
    face = people()[2]
    frame = draw_frames(face, [Move.LOOK_STRAIGHT], each=3)[0][0]
    assert not evidence(np.array(draw_portrait(face)), frame).is_copy


def test_two_photographs_of_one_person_are_no_copies_of_each_other():
    for name in NAMES:
        pictures = [photograph(name, number) for number in (1, 2, 3, 4)]
        for place, one in enumerate(pictures):
            for other in pictures[:place]:
                assert not evidence(one, other).is_copy


def test_faces_without_any_detail_are_no_copies():
    drawn = seen(np.array(draw_portrait(people()[0])))
    plain = np.full_like(drawn, 128)
    for one, other in ((plain, plain), (plain, drawn), (drawn, plain)):
        assert not copy_evidence(one, other).is_copy
