"""The light of a challenge: colours that the screen shows, and whether the face reflects them.

A screen in front of a face lights the face and hardly the background. So the face's colour is
measured relative to the background's. The camera's white balance and exposure change both equally,
and so does an attacker who colours a whole recorded picture. An attacker who colours the face alone
is not detected. Real attacks were not measured (`docs/compliance/recognition.md` has the
measurements).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from random import Random
from typing import Final

VERSION: Final = "light-1"
LENGTH: Final = 8
EACH_MILLISECONDS: Final = 700
"""WCAG 2.2, success criterion 2.3.1, allows three flashes per second. This gives fewer than two
changes per second, and no colour is a saturated red."""
COLOURS: Final = ("#ffff00", "#00ff00", "#00ffff", "#0000ff", "#ff00ff")
"""The saturated colours except red: five of six equal steps around the hue circle."""
MILLISECONDS: Final = LENGTH * EACH_MILLISECONDS

_FEWEST: Final = 6
"""Frames with a face. Fewer prove nothing."""
_SEEN: Final = 0.80
"""Correlation with the colours shown. Of 20,000 random pairs of sequences, one in 240 reaches
it."""
_LEAST_GAIN: Final = 0.008
"""Change of the logarithm of face colour over background colour, from no light to a full colour."""
_LEAST_APART: Final = 0.3
"""The share of the face's reflection that the background does not have as well. It is at most 0.05
in a picture that is coloured as a whole, and 0.9 in front of a wall a metre away."""
_CONTRARY: Final = 0.45
"""A face with at most this correlation that clearly follows another sequence shows another film."""
_PLAIN, _PLAIN_GAIN = 0.93, 0.04
_STRENGTHS: Final = (0.6, 0.8, 1.0, 1.25, 1.6)
_SWEEPS: Final = 2
_VARIETY: Final = 4

Rgb = tuple[float, float, float]


class Option(StrEnum):
    """An option of the step: whether colours are shown, and whether the face must reflect them."""

    OFF = "off"
    SIGNAL = "signal"
    REQUIRED = "required"


class Observation(StrEnum):
    """The result of a further check of a challenge (light, moments)."""

    SEEN = "seen"
    NOT_SEEN = "not_seen"
    DIFFERENT = "different"
    NOT_SHOWN = "not_shown"


@dataclass(frozen=True, slots=True)
class Glow:
    """Mean linear RGB (0 to 1) of the face's skin and of the background; `around` is None if the
    background is too dark or too bright."""

    face: Rgb
    around: Rgb | None


@dataclass(frozen=True, slots=True)
class Reflection:
    """How the face reflected the colours.

    `agreement` is the correlation with the colours shown, -1 to 1, and `gain` its slope. `whole` is
    the correlation of the face without regard to the background; it is high if the whole picture
    changed its colour. They are None if too little was visible.
    """

    verdict: Observation
    agreement: float | None = None
    gain: float | None = None
    whole: float | None = None


NOT_SHOWN: Final = Reflection(Observation.NOT_SHOWN)
NOT_SEEN: Final = Reflection(Observation.NOT_SEEN)


def draw_colours(rng: Random) -> list[str]:
    """Draw LENGTH colours ("#rrggbb"), none twice in a row, at least four different ones: 78,120
    sequences."""
    while True:
        colours = [rng.choice(COLOURS)]
        while len(colours) < LENGTH:
            colours.append(rng.choice([each for each in COLOURS if each != colours[-1]]))
        if len(set(colours)) >= _VARIETY:
            return colours


def judge(colours: Sequence[str], glows: Sequence[Glow | None]) -> Reflection:
    """Judge the reflection. `glows` has one entry per colour, in order; None for a frame without a
    face. Raise ValueError if the lengths differ."""
    seen = [
        (at, _hue(colour), _ratios(glow.face), glow.around)
        for at, (colour, glow) in enumerate(zip(colours, glows, strict=True))
        if glow is not None
    ]
    if len(seen) < _FEWEST:
        return NOT_SEEN
    moments, hues, faces, backgrounds = zip(*seen, strict=True)
    shown, face = _flattened(hues, moments), _flattened(faces, moments)
    whole, gain_of_all = _agreement(shown, face)
    behind = [_ratios(background) for background in backgrounds if background is not None]
    if len(behind) < len(seen):
        return Reflection(Observation.NOT_SEEN, whole=round(whole, 3))
    around = _flattened(behind, moments)
    apart = [own - other for own, other in zip(face, around, strict=True)]
    agreement, gain = _agreement(shown, apart)
    verdict = Observation.NOT_SEEN
    if agreement >= _SEEN and gain >= max(_LEAST_GAIN, _LEAST_APART * gain_of_all):
        verdict = Observation.SEEN
    elif agreement <= _CONTRARY and _follows_another(apart, moments):
        verdict = Observation.DIFFERENT
    return Reflection(verdict, round(agreement, 3), round(gain, 4), round(whole, 3))


def _hue(colour: str) -> tuple[float, float]:
    red, green, blue = (part / 255 for part in bytes.fromhex(colour[1:]))
    return red - green, blue - green


def _ratios(colour: Rgb) -> tuple[float, float]:
    """Return log(red/green) and log(blue/green), so that brightness and skin tone cancel out."""
    red, green, blue = (math.log(max(part, 1e-4)) for part in colour)
    return red - green, blue - green


def _flattened(pairs: Sequence[tuple[float, float]], moments: Sequence[int]) -> list[float]:
    """Return both series of the pairs without mean and linear drift, one after the other."""
    middle = sum(moments) / len(moments)
    times = [at - middle for at in moments]
    spread = sum(time * time for time in times)
    flat: list[float] = []
    for course in zip(*pairs, strict=True):
        mean = sum(course) / len(course)
        drift = sum(time * value for time, value in zip(times, course, strict=True)) / spread
        flat += [value - mean - drift * time for time, value in zip(times, course, strict=True)]
    return flat


def _agreement(shown: Sequence[float], given: Sequence[float]) -> tuple[float, float]:
    """Return the correlation, and the slope of the reflected over the shown values."""
    across = sum(one * other for one, other in zip(shown, given, strict=True))
    power = sum(one * one for one in shown)
    answer = math.sqrt(power * sum(other * other for other in given))
    return (across / answer if answer else 0.0), (across / power if power else 0.0)


def _follows_another(apart: Sequence[float], moments: Sequence[int]) -> bool:
    """Whether the face clearly follows any sequence of the colours."""
    given = list(zip(apart[: len(moments)], apart[len(moments) :], strict=True))
    size = math.sqrt(sum(value * value for value in apart) / len(moments))
    hues = [_hue(colour) for colour in COLOURS]
    middle = [sum(part) / len(hues) for part in zip(*hues, strict=True)]
    best = (0.0, 0.0)
    for scale in (size * share for share in _STRENGTHS):
        # The hues by their expected positions at this strength.
        places = {(scale * (hue[0] - middle[0]), scale * (hue[1] - middle[1])): hue for hue in hues}
        followed = [places[min(places, key=partial(math.dist, pair))] for pair in given]
        # The measured values lack mean and drift, so the first guess is refined colour by colour.
        for at in [*range(len(followed))] * _SWEEPS:
            ways = [[*followed[:at], hue, *followed[at + 1 :]] for hue in hues]
            followed = max(ways, key=lambda way: _agreement(_flattened(way, moments), apart))
        best = max(best, _agreement(_flattened(followed, moments), apart))
    return best[0] >= _PLAIN and best[1] >= _PLAIN_GAIN
