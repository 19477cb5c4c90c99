"""Colours that can be read: what a theme asks for, moved no further than legibility needs.

Contrast as WCAG 2.2 defines it (relative luminance; success criteria 1.4.3 and 1.4.11, level AA).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

TEXT: Final = 4.5
"""Least contrast of text; 3 would do for large text, but one colour serves both."""
SHAPE: Final = 3.0
"""Least contrast of what shows where a control is."""

_HEX: Final = re.compile(r"#[0-9a-fA-F]{6}")
# A little more than asked for: browsers round colours to whole steps, and so do we.
_SPARE: Final = 1.005
_STEPS: Final = 64
# How far a raised part lies from the ground.
_RAISED: Final = 0.05


@dataclass(frozen=True, slots=True)
class Colour:
    """sRGB, each part 0 to 255."""

    red: int
    green: int
    blue: int

    @classmethod
    def parse(cls, text: str) -> "Colour":
        """`#rrggbb`. Raise ValueError."""
        if not _HEX.fullmatch(text):
            raise ValueError("is not a colour such as #0a84ff")
        return cls(*bytes.fromhex(text[1:]))

    def __str__(self) -> str:
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"

    @property
    def luminance(self) -> float:
        red, green, blue = (_linear(part / 255) for part in (self.red, self.green, self.blue))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def mixed(self, other: "Colour", share: float) -> "Colour":
        return Colour(
            round(self.red + (other.red - self.red) * share),
            round(self.green + (other.green - self.green) * share),
            round(self.blue + (other.blue - self.blue) * share),
        )


DARK: Final = "#12161c"
_KEPT_IN_THE_DARK: Final = ("accentColor", "errorColor", "warningColor", "successColor")

BLACK: Final = Colour(0, 0, 0)
WHITE: Final = Colour(255, 255, 255)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast ratio of WCAG 2, from 1 to 21."""
    lighter, darker = sorted((one.luminance, other.luminance), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def best_on(ground: Colour) -> Colour:
    """Return black or white, the one with the higher contrast: at least 4.58."""
    return max((BLACK, WHITE), key=lambda colour: contrast(colour, ground))


def readable(wished: Colour, grounds: Sequence[Colour], least: float) -> Colour:
    """The colour nearest to the wished one, on its way to black or white, that reaches `least`."""
    extreme = best_on(grounds[0])
    for step in range(_STEPS + 1):
        colour = wished.mixed(extreme, step / _STEPS)
        if min(contrast(colour, ground) for ground in grounds) >= least * _SPARE:
            return colour
    return extreme


def palette(theme: Mapping[str, Any]) -> dict[str, Colour]:
    """What the pages paint with, by name, from the colours of a workflow's theme."""

    def wish(name: str, otherwise: str) -> Colour:
        try:
            return Colour.parse(str(theme.get(name)))
        except ValueError:
            return Colour.parse(otherwise)

    ground = wish("backgroundColor", "#ffffff")
    ink = best_on(ground)
    # Away from the ink, so that what can be read on the ground can be read there as well.
    away = WHITE if ink is BLACK else BLACK
    raised = ground.mixed(away, 2 * _RAISED)
    if raised == ground:
        raised = ground.mixed(ink, _RAISED)
    grounds = (ground, raised)
    text = readable(wish("bodyTextColor", str(ink.mixed(ground, 0.12))), grounds, TEXT)
    accent = wish("accentColor", "#1a56db")
    return {
        "ground": ground,
        "paper": ground,
        "raised": raised,
        "text": text,
        "title": readable(wish("titleTextColor", str(text)), grounds, TEXT),
        "subtitle": readable(wish("subtitleColor", str(ink.mixed(ground, 0.35))), grounds, TEXT),
        "accent": accent,
        "on-accent": best_on(accent),
        "link": readable(accent, grounds, TEXT),
        "error": readable(wish("errorColor", "#b42318"), grounds, TEXT),
        "warning": readable(wish("warningColor", "#8a5300"), grounds, TEXT),
        "success": readable(wish("successColor", "#127a3d"), grounds, TEXT),
        "border": readable(wish("borderColor", "#8a93a3"), grounds, SHAPE),
        "line": ground.mixed(ink, 0.14),
    }


def dark_palette(theme: Mapping[str, Any]) -> dict[str, Colour]:
    """The same for people whose device asks for dark pages: the theme's accent and its colours of
    states on a dark ground. A theme that is dark itself keeps all of its colours."""
    given = palette(theme)
    if best_on(given["ground"]) is WHITE:
        return given
    kept = {name: theme[name] for name in _KEPT_IN_THE_DARK if name in theme}
    return palette({**kept, "backgroundColor": DARK})
