"""The colour and the gloss of the skin at each point of the head."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from acredita_synthetic.faces.fields import Array, blend, bump, noise, ridge, step, vector
from acredita_synthetic.faces.hair import above_hairline, beard_cover
from acredita_synthetic.faces.identity import Identity
from acredita_synthetic.faces.surface import HALF_WIDTH, Expression, lids, mouth_line

_TEXTURE: Final = 512
_SHADOWS_OF_BEARDS: Final = {
    "none": 0.16,
    "stubble": 0.5,
    "moustache": 0.75,
    "goatee": 0.8,
    "full": 0.85,
}


@dataclass(frozen=True, slots=True)
class Spots:
    """Points of head and ears: azimuth, height, and the part that they belong to."""

    azimuth: Array
    height: Array
    of_head: Array
    of_ear: Array

    @property
    def across(self) -> Array:
        return np.asarray(HALF_WIDTH * np.sin(self.azimuth))


@dataclass(frozen=True, slots=True)
class Paint:
    """The properties of each spot: `colour` (n, 3), linear; the others from 0 to 1.

    `lashes`: the light that lashes and the shadows of lids let through. `opening`: where the
    eyeball is visible. `shade`: the lids' shadow on it. `outward`: the distance from the middle of
    the eye. `grain`: the slope of the pores.
    """

    colour: Array
    gloss: Array
    lips: Array
    scalp: Array
    lashes: Array
    opening: Array
    shade: Array
    outward: Array
    covered: Array
    grain: tuple[Array, Array]


@dataclass(frozen=True, slots=True)
class _Mouth:
    lips: Array
    inside: Array
    colour: Array


@lru_cache(maxsize=16)
def _textures(face: Identity) -> tuple[Array, Array, Array]:
    """Return the textures of mottling, pores and blotches."""
    grids = ((5, 11, 23), (128, 256, 400), (40, 90, 200))
    mottling, pores, blotches = (
        noise(_TEXTURE, face.seed * 7 + number, cells) for number, cells in enumerate(grids)
    )
    return mottling, pores, blotches


def paint(face: Identity, expression: Expression, spots: Spots) -> Paint:
    mottling, pores, blotches = _textures(face)
    blotch = _texture_at(blotches, spots, 19)
    pore = _texture_at(pores, spots, 48)
    colour = _complexion(face, spots, _texture_at(mottling, spots, 19), pore, blotch)
    colour = colour * (1 - 0.14 * _wrinkles(face, spots))[:, None]
    colour = _bearded(face, spots, colour)
    colour = colour * (1 - 0.665 * _nostrils(face, spots))[:, None]
    mouth = _mouth(face, expression, spots, colour, blotch)
    above = above_hairline(face, spots.azimuth, spots.height) + 0.22 * blotch
    scalp = _scalp(face, spots, above)
    colour = blend(mouth.colour, face.hair_colour * 0.45 + 0.002, scalp[:, None])
    gloss = (0.035 + 0.03 * mouth.lips) * (1 - 0.8 * mouth.inside) * (1 - scalp)
    gloss = gloss * (
        1
        + 0.9 * bump(spots.across, spots.height, (0, 4.5), (3, 2.2))
        + 0.9 * bump(spots.across, spots.height, (0, face.shape.nose_y + 0.6), (0.8, 1.2))
    )
    bare = face.style in ("bald", "buzz")
    covered = 1 - 0.3 * step(-1.6, 0.2, above) * spots.of_head * (not bare)
    return _with_eyes(
        face,
        expression,
        spots,
        Paint(
            colour,
            gloss,
            mouth.lips,
            scalp,
            lashes=np.ones_like(gloss),
            opening=np.zeros_like(gloss),
            shade=np.ones_like(gloss),
            outward=np.abs(spots.across) - face.shape.eye_x,
            covered=covered,
            grain=(
                _texture_at(np.roll(pores, 1, 0), spots, 48) - pore,
                _texture_at(np.roll(pores, 1, 1), spots, 48) - pore,
            ),
        ),
    )


def _texture_at(texture: Array, spots: Spots, scale: float) -> Array:
    rows = (spots.azimuth * 8 * scale).astype(int) % _TEXTURE
    columns = (spots.height * scale).astype(int) % _TEXTURE
    return np.asarray(texture[rows, columns], np.float64)


def _complexion(face: Identity, spots: Spots, mottling: Array, pore: Array, blotch: Array) -> Array:
    shape, x, y = face.shape, spots.across, spots.height
    aside = np.abs(x)
    mottled = 0.05 * mottling[:, None] * vector(0.5, 1, 1.2)
    colour = face.skin * (1 + mottled + (0.035 * pore + 0.03 * blotch)[:, None])
    red = 0.55 * bump(x, y, (0, shape.nose_y + 0.3), (1.5, 0.9)) + 0.4 * spots.of_ear
    red += 0.45 * bump(aside, y, (4.2, -3.2), (1.7, 1.5)) + 0.3 * bump(x, y, (0, -10), (1.5, 1))
    colour *= 1 - red[:, None] * vector(-0.02, 0.15, 0.17) * (1 - 0.1 * face.tone)
    shadow = 0.22 * shape.bags * bump(aside, y, (shape.eye_x - 0.4, -0.95), (1.5, 0.5))
    shadow += 0.16 * bump(aside, y, (shape.eye_x, 0.7), (1.6, 0.5))
    colour *= 1 - shadow[:, None] * vector(0.8, 1, 0.9)
    freckles = 0.7 * face.freckles * step(1.1, 2.2, blotch) * bump(aside, y, (2.5, -2.5), (3.5, 2))
    colour *= 1 - np.clip(freckles, 0, 0.5)[:, None] * vector(0.35, 0.6, 0.75)
    for mole_x, mole_y, size in face.moles:
        mole = step(1.3, 0.7, np.hypot(x - mole_x, y - mole_y) / size) * spots.of_head
        colour *= 1 - 0.65 * mole[:, None]
    return np.asarray(colour)


def _wrinkles(face: Identity, spots: Spots) -> Array:
    """Return the wrinkles between the brows, across the forehead and beside the eyes."""
    x, y = spots.across, spots.height
    aside = np.abs(x)
    lines = 0.8 * ridge(aside - 0.55 - 0.06 * (y - 1.7), 0.07) * ridge(y - 1.8, 0.8)
    for number in range(3):
        forehead = ridge(y - 3.6 - 0.95 * number - 0.25 * np.cos(0.5 * x + number), 0.09)
        lines += 1.1 * forehead * step(4.8, 2.5, aside)
        feet = ridge(y + 0.1 - (number - 1) * (0.5 + 0.25 * (aside - 5)), 0.07)
        lines += 0.9 * feet * step(4.75, 5.2, aside) * step(6.6, 5.6, aside)
    return np.asarray(np.clip(lines * face.old * (face.old > 0.05), 0, 1))


def _bearded(face: Identity, spots: Spots, colour: Array) -> Array:
    if face.woman:
        return colour
    kind = "full" if face.beard == "none" else face.beard
    cover = beard_cover(face.shape, spots.across, spots.height, kind)
    cover = cover * spots.of_head * (np.abs(spots.azimuth) < 1.7)
    darkened = 0.55 * colour + 0.25 * face.hair_colour
    shadow = (cover * _SHADOWS_OF_BEARDS[face.beard])[:, None]
    return np.asarray(blend(colour, darkened, shadow))


def _nostrils(face: Identity, spots: Spots) -> Array:
    aside = ridge(np.abs(spots.across) - 0.68 * face.shape.nose_width, 0.3)
    return np.asarray(
        np.clip(2.2 * aside * ridge(spots.height - face.shape.nose_y + 0.56, 0.17), 0, 1)
    )


def _mouth(
    face: Identity, expression: Expression, spots: Spots, colour: Array, blotch: Array
) -> _Mouth:
    shape, x, width = face.shape, spots.across, face.shape.mouth_width
    aside, above = np.abs(x), spots.height - mouth_line(shape, x)
    arc = np.clip(1 - (aside / width) ** 2, 0, 1)
    bow = 1 - 0.22 * ridge(x, 0.28) + 0.05 * ridge(aside - 0.65, 0.4)
    upper = shape.upper_lip * arc**0.75 * bow - 0.05
    lips = step(0.1, -0.06, above - upper) * step(0.1, -0.06, -above - shape.lower_lip * arc**0.7)
    lips = lips * (aside < width) * spots.of_head
    red = blend(vector(0.82, 0.55, 0.55), vector(0.78, 0.36, 0.4), shape.lip_red)
    furrows = 1 + 0.05 * np.sin(22 * x + 2 * blotch)
    made_up = blend(np.ones(3), vector(1, 0.6, 0.7), 0.7 * face.makeup)
    colour = blend(colour, face.skin * red * furrows[:, None] * made_up, 0.85 * lips[:, None])
    seam = ridge(above, 0.075) * step(width + 0.25, width - 0.3, aside) * spots.of_head
    colour = colour * (1 - 0.75 * seam)[:, None]
    inside = step(0.1, 0.05, np.abs(above)) * step(width - 0.1, width - 0.6, aside)
    inside = inside * spots.of_head * step(0.03, 0.15, expression.open_mouth)
    gaps = ridge(np.abs((aside / 0.75) % 1 - 0.5) - 0.5, 0.06)
    teeth = step(-0.02, 0.05, above + 0.03) * (1 - 0.35 * gaps)
    teeth = teeth * step(0.2, 0.6, expression.open_mouth)
    cavity = blend(vector(0.06, 0.015, 0.015), vector(0.62, 0.57, 0.5), teeth[:, None])
    return _Mouth(lips, inside, np.asarray(blend(colour, cavity, inside[:, None])))


def _scalp(face: Identity, spots: Spots, above: Array) -> Array:
    """Return the share of the hair's colour in the skin."""
    scalp = step(-0.35, 0.25, above) * spots.of_head
    if face.style == "bald":
        return np.asarray(0.85 * scalp * step(4.8, 3.6, spots.height))
    return np.asarray(scalp * (0.8 if face.style == "buzz" else 1.0))


def _with_eyes(face: Identity, expression: Expression, spots: Spots, skin: Paint) -> Paint:
    shape, y, outward = face.shape, spots.height, skin.outward
    before = spots.of_head * (np.cos(spots.azimuth) > 0.3)
    upper, lower, opened = lids(shape, expression, outward)
    from_middle = np.abs(outward + 0.06)
    within = step(shape.eye_width + 0.05, shape.eye_width - 0.1, from_middle) * before
    blink, makeup = expression.blink, face.makeup
    hood = ridge(y - opened - shape.hood * (1 - 0.3 * (outward / 1.5) ** 2), 0.09)
    hood = hood * step(1.75, 1.1, np.abs(outward)) * before * (1 - 0.95 * blink)
    lashes = ridge(y - upper - 0.035 + 0.05 * blink, 0.075 + 0.03 * makeup + 0.05 * blink)
    lashes = lashes * step(shape.eye_width + 0.2, shape.eye_width - 0.15, np.abs(outward))
    lashes = 0.92 * lashes * before + 0.3 * ridge(y - lower + 0.03, 0.05) * within
    shadow = (0.06 + 0.12 * makeup) * step(0, 0.1, y - upper) * step(0.1, 0, y - opened - 0.12)
    return Paint(
        colour=skin.colour * (1 - 0.42 * hood)[:, None],
        gloss=skin.gloss,
        lips=skin.lips,
        scalp=skin.scalp,
        lashes=(1 - 0.85 * lashes) * (1 - shadow * within),
        opening=step(-0.03, 0.03, upper - y) * step(-0.03, 0.03, y - lower) * within,
        shade=(
            blend(0.38, 1, step(0, 0.42, upper - y))
            * blend(0.7, 1, step(0, 0.15, y - lower))
            * blend(0.75, 1, step(1.55, 0.8, np.abs(outward)))
        ),
        outward=outward,
        covered=skin.covered,
        grain=skin.grain,
    )
