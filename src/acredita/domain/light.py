"""The light of a challenge: colours that the screen shows, and whether the face gives them back.

A screen before a face lights the face and hardly what lies behind it. So the face's colour is taken
relative to the background's: the camera's white balance and exposure change both alike, and so does
whoever colours a whole recorded picture. Who colours the face alone, in a film made to order, is
not told; nothing is claimed of real attacks (`docs/recognition.md` has what was measured).
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
"""WCAG 2.2, success criterion 2.3.1, allows three flashes a second; this is less than two changes,
and none of the colours is a saturated red."""
COLOURS: Final = ("#ffff00", "#00ff00", "#00ffff", "#0000ff", "#ff00ff")
"""The full colours but red: five of six equal steps around the circle of hues."""
MILLISECONDS: Final = LENGTH * EACH_MILLISECONDS

_FEWEST: Final = 6
"""Of the frames: colours of fewer than these prove nothing."""
_SEEN: Final = 0.80
"""Correlation with what was shown. Of 20,000 pairs of sequences one in 240 agrees as far."""
_LEAST_GAIN: Final = 0.008
"""Logarithm of the face's colour against the background's, for a full colour against its lack."""
_LEAST_APART: Final = 0.3
"""Of what the face gives back, so much must be its own: the rest is on the background as well. It
is 0.05 at most in a picture that is coloured as a whole, 0.9 before a wall a metre away."""
_CONTRARY: Final = 0.45
"""A face that follows no more than this, and another sequence plainly, shows another film."""
_PLAIN, _PLAIN_GAIN = 0.93, 0.04
_STRENGTHS: Final = (0.6, 0.8, 1.0, 1.25, 1.6)
_SWEEPS: Final = 2
_VARIETY: Final = 4

Rgb = tuple[float, float, float]


class Option(StrEnum):
    """Of the step: whether colours are shown, and whether they must be seen."""

    OFF = "off"
    SIGNAL = "signal"
    REQUIRED = "required"


class Verdict(StrEnum):
    SEEN = "seen"
    NOT_SEEN = "not_seen"
    DIFFERENT = "different"
    NOT_SHOWN = "not_shown"


@dataclass(frozen=True, slots=True)
class Glow:
    """Mean linear red, green, blue (0 to 1) of the face's skin and of what lies behind the person;
    `around` is None where nothing bright enough is to be seen there."""

    face: Rgb
    around: Rgb | None


@dataclass(frozen=True, slots=True)
class Reflection:
    """What the face gave back. `agreement` is the correlation with the colours shown, -1 to 1,
    `gain` how strongly; `whole` is the agreement of the face alone, without its background: high
    where the whole picture changed its colour. None where too little was to be seen."""

    verdict: Verdict
    agreement: float | None = None
    gain: float | None = None
    whole: float | None = None


NOT_SHOWN: Final = Reflection(Verdict.NOT_SHOWN)
NOT_SEEN: Final = Reflection(Verdict.NOT_SEEN)


def draw_colours(rng: Random) -> list[str]:
    """LENGTH colours of chance, none twice in a row, at least four different ones: 78,120 ways."""
    while True:
        colours = [rng.choice(COLOURS)]
        while len(colours) < LENGTH:
            colours.append(rng.choice([each for each in COLOURS if each != colours[-1]]))
        if len(set(colours)) >= _VARIETY:
            return colours


def judge(colours: Sequence[str], glows: Sequence[Glow | None]) -> Reflection:
    """`glows` are those of one frame a colour, in their order; None where no face was found."""
    seen = [
        (at, colour, glow)
        for at, (colour, glow) in enumerate(zip(colours, glows, strict=True))
        if glow is not None
    ]
    if len(seen) < _FEWEST:
        return NOT_SEEN
    moments = [at for at, _, _ in seen]
    shown = _flattened([_hue(colour) for _, colour, _ in seen], moments)
    face = _flattened([_ratios(glow.face) for _, _, glow in seen], moments)
    whole, gain_of_all = _agreement(shown, face)
    behind = [glow.around for _, _, glow in seen if glow.around is not None]
    if len(behind) < len(seen):
        return Reflection(Verdict.NOT_SEEN, whole=round(whole, 3))
    around = _flattened([_ratios(each) for each in behind], moments)
    apart = [own - other for own, other in zip(face, around, strict=True)]
    agreement, gain = _agreement(shown, apart)
    verdict = Verdict.NOT_SEEN
    if agreement >= _SEEN and gain >= max(_LEAST_GAIN, _LEAST_APART * gain_of_all):
        verdict = Verdict.SEEN
    elif agreement <= _CONTRARY and _follows_another(apart, moments):
        verdict = Verdict.DIFFERENT
    return Reflection(verdict, round(agreement, 3), round(gain, 4), round(whole, 3))


def _hue(colour: str) -> tuple[float, float]:
    red, green, blue = (part / 255 for part in bytes.fromhex(colour[1:]))
    return red - green, blue - green


def _ratios(colour: Rgb) -> tuple[float, float]:
    """Logarithms of red and blue over green: brightness does not matter, nor what skin swallows."""
    red, green, blue = (math.log(max(part, 1e-4)) for part in colour)
    return red - green, blue - green


def _flattened(pairs: Sequence[tuple[float, float]], moments: Sequence[int]) -> list[float]:
    """Both of the pairs' courses without their mean and their drift, one after the other."""
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
    """Correlation, and the slope of what was given back over what was shown."""
    across = sum(one * other for one, other in zip(shown, given, strict=True))
    power = sum(one * one for one in shown)
    answer = math.sqrt(power * sum(other * other for other in given))
    return (across / answer if answer else 0.0), (across / power if power else 0.0)


def _follows_another(apart: Sequence[float], moments: Sequence[int]) -> bool:
    """Whether some sequence of the colours, whatever it be, is followed plainly."""
    given = list(zip(apart[: len(moments)], apart[len(moments) :], strict=True))
    size = math.sqrt(sum(value * value for value in apart) / len(moments))
    hues = [_hue(colour) for colour in COLOURS]
    middle = [sum(part) / len(hues) for part in zip(*hues, strict=True)]
    best = (0.0, 0.0)
    for scale in (size * share for share in _STRENGTHS):
        # By where each hue would lie, at this strength: the hue.
        places = {(scale * (hue[0] - middle[0]), scale * (hue[1] - middle[1])): hue for hue in hues}
        followed = [places[min(places, key=partial(math.dist, pair))] for pair in given]
        # Mean and drift are gone from what was measured: colour after colour, whichever fits best.
        for at in [*range(len(followed))] * _SWEEPS:
            ways = [[*followed[:at], hue, *followed[at + 1 :]] for hue in hues]
            followed = max(ways, key=lambda way: _agreement(_flattened(way, moments), apart))
        best = max(best, _agreement(_flattened(followed, moments), apart))
    return best[0] >= _PLAIN and best[1] >= _PLAIN_GAIN
