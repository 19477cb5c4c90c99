"""Whether a face gave back the colours that a screen showed, from what was measured."""

import math
from itertools import pairwise
from random import Random

import pytest

from acredita.domain.liveness import light
from acredita.domain.liveness.light import COLOURS, LENGTH, Glow, Observation, draw_colours, judge

SKIN, WALL = (0.30, 0.18, 0.12), (0.40, 0.42, 0.45)


def parts(colour):
    return [part / 255 for part in bytes.fromhex(colour[1:])]


def filmed(colours, rng, *, strength=0.1, behind=0.06, gains=(0.0, 0.0, 0.0), noise=0.004):
    """As a camera sees skin and wall in the screen's light; `gains` is how its white balance
    drifts over the film."""
    glows = []
    for at, colour in enumerate(colours):
        drift = [math.exp(gain * at / LENGTH) for gain in gains]

        def seen(albedo, share, colour=colour, drift=drift):
            return tuple(
                own * (1 + share * strength * part) * by * math.exp(rng.gauss(0, noise))
                for own, part, by in zip(albedo, parts(colour), drift, strict=True)
            )

        glows.append(Glow(seen(SKIN, 1), seen(WALL, behind)))
    return glows


def verdicts(count, film):
    return [film(draw_colours(Random(seed)), Random(1000 + seed)).verdict for seed in range(count)]


def test_sequences_vary_and_never_flash():
    drawn = [draw_colours(Random(seed)) for seed in range(300)]
    assert len({tuple(colours) for colours in drawn}) > 290
    for colours in drawn:
        assert len(colours) == LENGTH
        assert len(set(colours)) >= 4
        assert all(one != other for one, other in pairwise(colours))
    # WCAG 2.2, 2.3.1: no more than three flashes a second, and no saturated red.
    assert 1000 / light.EACH_MILLISECONDS < 3
    for colour in COLOURS:
        red, green, blue = parts(colour)
        assert red / (red + green + blue) < 0.8


@pytest.mark.parametrize("strength", [0.05, 0.1, 0.4])
def test_colours_that_the_face_gives_back_are_seen(strength):
    seen = verdicts(
        50, lambda colours, rng: judge(colours, filmed(colours, rng, strength=strength))
    )
    assert set(seen) == {Observation.SEEN}


def test_a_drifting_white_balance_changes_nothing():
    gains = (0.3, 0.0, -0.3)
    seen = verdicts(50, lambda colours, rng: judge(colours, filmed(colours, rng, gains=gains)))
    assert set(seen) == {Observation.SEEN}


films = pytest.mark.parametrize("films", [50, pytest.param(200, marks=pytest.mark.thorough)])


@films
def test_a_recorded_film_gives_nothing_back(films):
    seen = verdicts(films, lambda colours, rng: judge(colours, filmed(colours, rng, strength=0)))
    assert set(seen) == {Observation.NOT_SEEN}


@films
def test_a_film_of_another_sequence_is_told(films):
    def other(colours, rng):
        return judge(colours, filmed(draw_colours(rng), rng, strength=0.3))

    seen = verdicts(films, other)
    assert seen.count(Observation.SEEN) <= films // 100
    assert seen.count(Observation.DIFFERENT) > films // 2


def test_a_picture_that_is_coloured_as_a_whole_is_not_taken_for_a_face():
    reflections = []
    for seed in range(50):
        colours, rng = draw_colours(Random(seed)), Random(seed)
        reflections.append(judge(colours, filmed(colours, rng, behind=1.0)))
    assert {reflection.verdict for reflection in reflections} == {Observation.NOT_SEEN}
    assert min(reflection.whole for reflection in reflections) > 0.9


def test_without_a_background_or_with_too_few_frames_nothing_is_proven():
    colours, rng = draw_colours(Random(1)), Random(1)
    glows = filmed(colours, rng)
    assert judge(colours, [*glows[:5], None, None, None]).verdict is Observation.NOT_SEEN
    assert judge(colours, [Glow(glow.face, None) for glow in glows]).verdict is Observation.NOT_SEEN
    assert judge(colours, [*glows[:6], None, None]).verdict is Observation.SEEN
    assert judge(colours, [Glow((0, 0, 0), (0, 0, 0))] * LENGTH).verdict is Observation.NOT_SEEN
