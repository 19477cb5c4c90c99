"""A screen's light on drawn faces, measured and judged.

To draw a frame takes a second of the processor. So two of the film are drawn and measured, and what
was measured on all of them is judged; `make thorough` draws the whole film.
"""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from acredita.domain.liveness.light import Glow, Observation, draw_colours, judge
from acredita.engines.face.find import find_faces
from acredita.engines.liveness.reflected_light import measure_glow
from acredita_synthetic.faces.people import face_of
from acredita_synthetic.faces.pictures import draw_lit_frames
from acredita_synthetic.people import make_person

pytestmark = pytest.mark.slow
FACE = face_of(make_person(20))
COLOURS = draw_colours(Random(5))


# What `measure_glow` measures on the frames of the film: linear RGB of the face, of the background.
RECORDED = [
    Glow((0.3180, 0.1233, 0.0737), (0.2054, 0.2209, 0.1941)),
    Glow((0.2871, 0.1377, 0.0742), (0.2027, 0.2208, 0.1927)),
    Glow((0.2860, 0.1221, 0.0729), (0.2043, 0.2226, 0.1954)),
    Glow((0.3102, 0.1338, 0.0645), (0.2052, 0.2233, 0.1932)),
    Glow((0.3152, 0.1222, 0.0736), (0.2062, 0.2229, 0.1954)),
    Glow((0.2815, 0.1340, 0.0644), (0.2034, 0.2226, 0.1927)),
    Glow((0.3133, 0.1362, 0.0659), (0.2060, 0.2243, 0.1939)),
    Glow((0.2862, 0.1366, 0.0739), (0.2043, 0.2236, 0.1945)),
]


def measured(pictures):
    return [measure_glow(picture, find_faces(picture)[0]) for picture in pictures]


def filmed(colours):
    return draw_lit_frames(FACE, colours, strength=0.1)


@pytest.fixture(scope="module")
def lit():
    return filmed(COLOURS[:2])


@pytest.fixture(scope="module")
def unlit():
    return draw_lit_frames(FACE, COLOURS, strength=0)


def tinted(pictures):
    """Each whole picture in its colour."""
    for picture, colour in zip(pictures, COLOURS, strict=True):
        light = 1 + 0.3 * np.array([*bytes.fromhex(colour[1:])][::-1]) / 255
        levels = 255 * ((picture / 255) ** 2.2 * light) ** (1 / 2.2)
        yield np.clip(levels, 0, 255).astype(np.uint8)


def assert_recorded(glows):
    """To a hundredth; a colour of the screen changes what is measured by a tenth."""
    for glow, recorded in zip(glows, RECORDED, strict=False):
        assert (*glow.face, *glow.around) == pytest.approx(
            (*recorded.face, *recorded.around), rel=0.01
        )


def assert_seen(reflection):
    assert reflection.verdict is Observation.SEEN
    assert reflection.agreement > 0.9


def test_the_screens_light_is_seen_on_the_face(lit):
    assert_recorded(measured(lit))
    assert_seen(judge(COLOURS, RECORDED))


@pytest.mark.thorough
def test_the_screens_light_is_seen_on_the_face_of_a_whole_film():
    observed = measured(filmed(COLOURS))
    assert_recorded(observed)
    assert_seen(judge(COLOURS, observed))


@pytest.mark.thorough
def test_a_film_without_it_and_one_that_was_coloured_are_not_taken_for_it(unlit):
    assert judge(COLOURS, measured(unlit)).verdict is Observation.NOT_SEEN
    coloured = judge(COLOURS, measured(tinted(unlit)))
    assert coloured.verdict is Observation.NOT_SEEN
    assert coloured.whole > 0.9


def test_the_light_of_another_challenge_is_told():
    others = [draw_colours(Random(seed)) for seed in range(100, 130)]
    verdicts = [judge(colours, RECORDED).verdict for colours in others]
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
