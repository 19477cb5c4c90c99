"""A screen's light on drawn faces, measured and judged."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from acredita.domain.liveness.light import Observation, draw_colours, judge
from acredita.engines.face.find import find_faces
from acredita.engines.liveness.reflected_light import measure_glow
from acredita_synthetic.faces.people import face_of
from acredita_synthetic.faces.pictures import draw_lit_frames
from acredita_synthetic.people import make_person

pytestmark = pytest.mark.slow
FACE = face_of(make_person(20))
COLOURS = draw_colours(Random(5))


def measured(pictures):
    return [measure_glow(picture, find_faces(picture)[0]) for picture in pictures]


@pytest.fixture(scope="module")
def lit():
    return draw_lit_frames(FACE, COLOURS, strength=0.1)


@pytest.fixture(scope="module")
def observed(lit):
    return measured(lit)


@pytest.fixture(scope="module")
def unlit():
    return draw_lit_frames(FACE, COLOURS, strength=0)


def tinted(pictures):
    """Each whole picture in its colour."""
    for picture, colour in zip(pictures, COLOURS, strict=True):
        light = 1 + 0.3 * np.array([*bytes.fromhex(colour[1:])][::-1]) / 255
        levels = 255 * ((picture / 255) ** 2.2 * light) ** (1 / 2.2)
        yield np.clip(levels, 0, 255).astype(np.uint8)


def test_the_screens_light_is_seen_on_the_face(observed):
    reflection = judge(COLOURS, observed)
    assert reflection.verdict is Observation.SEEN
    assert reflection.agreement > 0.9


@pytest.mark.thorough
def test_a_film_without_it_and_one_that_was_coloured_are_not_taken_for_it(unlit):
    assert judge(COLOURS, measured(unlit)).verdict is Observation.NOT_SEEN
    coloured = judge(COLOURS, measured(tinted(unlit)))
    assert coloured.verdict is Observation.NOT_SEEN
    assert coloured.whole > 0.9


def test_the_light_of_another_challenge_is_told(observed):
    others = [draw_colours(Random(seed)) for seed in range(100, 130)]
    verdicts = [judge(colours, observed).verdict for colours in others]
    assert Observation.SEEN not in verdicts
    assert verdicts.count(Observation.DIFFERENT) > 15


def test_a_face_that_fills_the_picture_has_no_background(lit):
    face = find_faces(lit[0])[0]
    left, top, right, bottom = (int(edge) for edge in face.box)
    near = np.ascontiguousarray(lit[0][top:bottom, left:right])
    shifted = replace(face, points=face.points - np.array([left, top, 0], np.float32))
    glow = measure_glow(near, shifted)
    assert glow is not None
    assert glow.around is None
    assert measure_glow(np.zeros_like(near), shifted) is None
