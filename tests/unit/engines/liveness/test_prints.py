"""By what a frame is known again: drawn faces, and whatever is done to their pictures."""

import math

import cv2
import numpy as np
import pytest

from acredita.domain.liveness.challenge import PRINT_BYTES, Move
from acredita.domain.liveness.repeated_recordings import NEAR
from acredita.engines.face.embedding import embed
from acredita.engines.face.find import find_faces
from acredita.engines.liveness.frame_prints import BANDS, compute_codes, compute_print, differences
from acredita_synthetic.faces.people import face_of, people
from acredita_synthetic.faces.pictures import draw_frames
from acredita_synthetic.people import make_person

pytestmark = pytest.mark.slow
FACE = face_of(make_person(20))
STRANGER = next(face for face in people() if face.woman != FACE.woman)


def encoded(picture, quality=88):
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return cv2.imdecode(jpeg, cv2.IMREAD_COLOR)


def turned(picture, angle):
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1)
    return cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)


def noisy(picture):
    return picture + np.random.default_rng(7).normal(0, 12, picture.shape)


CHANGES = {
    "encoded again": lambda picture: encoded(picture, 40),
    "cropped": lambda picture: encoded(picture[25:-12, 15:-20]),
    "smaller": lambda picture: encoded(cv2.resize(picture, None, fx=0.7, fy=0.7)),
    "larger": lambda picture: encoded(cv2.resize(picture, None, fx=1.6, fy=1.6)),
    "wider": lambda picture: encoded(cv2.resize(picture, None, fx=1.05, fy=1)),
    "darker": lambda picture: encoded(picture * 0.6),
    "lighter": lambda picture: encoded(255 * (picture / 255) ** 0.7),
    "mirrored": lambda picture: encoded(picture[:, ::-1]),
    "noisy": lambda picture: encoded(noisy(picture)),
    "blurred": lambda picture: encoded(cv2.GaussianBlur(picture, (0, 0), 1.3)),
    "turned": lambda picture: encoded(turned(picture, 6)),
}


def known(picture):
    (face,) = find_faces(picture)
    return compute_print(picture, face), compute_codes(embed(picture, face))


@pytest.fixture(scope="module")
def peak():
    """A face that smiles and one that turns, at their moves' peaks."""
    smile, turn = draw_frames(FACE, [Move.SMILE, Move.TURN_LEFT])
    return [smile[1], turn[1]]


@pytest.fixture(scope="module")
def former(peak):
    return [known(encoded(picture)) for picture in peak]


@pytest.mark.parametrize("change", CHANGES)
def test_a_frame_is_known_whatever_was_done_to_it(peak, former, change):
    for picture, (_, own) in zip(peak, former, strict=True):
        levels, codes = known(CHANGES[change](picture))
        (apart,) = differences([levels], [each for each, _ in former])
        assert apart <= NEAR
        shared = [band for band in range(BANDS) if own[band][0] in codes[band]]
        assert shared, "no code leads to it"


@pytest.mark.thorough
def test_another_take_of_a_move_is_another_film(peak):
    first, second = (
        [known(picture)[0] for picture in draw_frames(FACE, [Move.SMILE], take=take, each=5)[0]]
        for take in (1, 2)
    )
    assert max(differences(second[1:4], first)) > NEAR
    assert max(differences(first, first)) < 0.01


def test_a_stranger_is_neither_near_nor_found(former):
    levels, codes = known(draw_frames(STRANGER, [Move.SMILE])[0][1])
    assert min(differences([levels], [each for each, _ in former])) > 1
    for _, own in former:
        assert not [band for band in range(BANDS) if own[band][0] in codes[band]]


def test_prints_are_small_and_nothing_is_like_no_film():
    assert PRINT_BYTES == 4096
    blank = bytes(PRINT_BYTES)
    assert differences([blank], []) == [math.inf]
    assert differences([], [blank]) == []
    assert differences([blank], [blank]) == [math.inf]
