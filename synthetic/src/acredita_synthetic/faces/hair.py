"""The strands of the scalp, the brows and the beard: their roots and their course.

A strand is a line of points in the frame of the head and begins at its root.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from acredita_synthetic.faces.fields import (
    AHEAD,
    ASIDE,
    UP,
    Array,
    blend,
    bump,
    noise,
    step,
    unit,
    vector,
)
from acredita_synthetic.faces.identity import Identity, Shape
from acredita_synthetic.faces.surface import HALF_WIDTH, NEUTRAL, Head, model_head

_SKULL_POWER: Final = 2.35
_SCALP_STRANDS: Final = 7000
_BROW_STRANDS: Final = 700
_BEARD_STRANDS: Final = 4000
_BEARD_LENGTHS: Final = {"stubble": 0.13, "moustache": 0.75, "goatee": 0.85, "full": 1.0}


@dataclass(frozen=True, slots=True)
class _Style:
    """`clings`: how closely strands follow the skull. `lift`: their height above it. `hangs`: the
    hair is long and falls beside the face."""

    curl: float = 0.05
    gravity: float = 0.02
    clings: float = 1.0
    lift: float = 0.02
    hangs: bool = False


_STYLES: Final = {
    "short": _Style(curl=0.06, clings=0.35, lift=0.06),
    "side": _Style(gravity=0.05, lift=0.09),
    "buzz": _Style(clings=0.2),
    "bald": _Style(clings=0.5),
    "curly": _Style(curl=0.75, clings=0.0, lift=0.16),
    "back": _Style(gravity=0.03, lift=0.08),
    "tied": _Style(),
    "long": _Style(gravity=0.22, lift=0.06, hangs=True),
    "bob": _Style(gravity=0.24, lift=0.09, hangs=True),
    "wavy": _Style(curl=0.55, gravity=0.2, lift=0.11, hangs=True),
}


@dataclass(frozen=True, slots=True)
class Strands:
    """`points`: shape (strands, steps, 3). `brightness`: one factor per strand, around 1."""

    points: Array
    brightness: Array


@dataclass(frozen=True, slots=True)
class _Roots:
    """The points where strands leave the skin, the skin's normals, and the heights on the head."""

    points: Array
    normals: Array
    heights: Array


def above_hairline(face: Identity, azimuth: Array, height: Array) -> Array:
    """Return the distance above the hairline in centimetres; hair grows where it is positive."""
    forehead, temple = face.shape.forehead, face.shape.temple
    nape = (-3.4, -6, -6.5) if _STYLES[face.style].hangs else (-0.5, -3.5, -4.6)
    line = (
        forehead,
        forehead - 0.05 + 0.5 * temple,
        forehead - 0.7 + temple,
        *(4.6, 3.6, 1.6, 0.2, -1.0, 1.6),
        *nape,
    )
    degrees = (0, 18, 32, 45, 58, 68, 78, 88, 100, 112, 130, 180)
    return np.asarray(height - np.interp(np.abs(np.degrees(azimuth)), degrees, line))


def beard_cover(shape: Shape, across: Array, height: Array, kind: str) -> Array:
    """Return the density of a beard of this kind, from 0 to 1."""
    aside, mouth, nose, width = np.abs(across), shape.mouth_y, shape.nose_y, shape.mouth_width
    moustache = step(width + 0.9, width + 0.2, aside) * step(mouth + 0.1, mouth + 0.35, height)
    moustache *= step(nose - 0.35, nose - 0.75, height)
    moustache *= 1 - 0.6 * bump(across, height, (0, mouth + 1.3), (0.3, 0.7))
    chin = step(2.6, 1.7, aside) * step(mouth - 0.75, mouth - 1.15, height)
    edge = np.interp(
        aside, [0, 2.5, 4, 6, 7.5, 8.9], [mouth - 0.8, mouth - 0.6, -7.2, -5.6, -3.0, 0]
    )
    full = np.maximum(np.maximum(step(0.3, -0.5, height - edge), moustache), chin)
    corners = step(width + 0.2, width + 0.6, aside) * step(width + 1.7, width + 0.9, aside)
    corners *= step(mouth + 0.6, mouth, height)
    cover = {
        "stubble": 0.8 * full,
        "moustache": moustache,
        "goatee": np.maximum(np.maximum(moustache, chin), 0.9 * corners),
        "full": full,
    }[kind]
    lips = 0.75 * np.clip(1 - (aside / width) ** 2, 0, 1)
    return np.asarray(cover * step(0, 0.2, np.abs(height - mouth + 0.1) - lips))


@dataclass(frozen=True, slots=True)
class Hair:
    scalp: Strands
    brows: Strands
    beard: Strands | None


@lru_cache(maxsize=16)
def grow(face: Identity) -> Hair:
    """Grow all hair on the resting face. A smile or a raised brow does not move it visibly."""
    skin = _Skin(model_head(face, NEUTRAL))
    beard = None if face.beard == "none" else _beard(face, skin)
    return Hair(_scalp(face, skin), _brows(face, skin), beard)


class _Skin:
    """Interpolates points and normals of a head's grid."""

    def __init__(self, head: Head) -> None:
        self._head = head
        self._normals = surface_normals(head.points)

    def roots(self, azimuth: Array, height: Array) -> _Roots:
        columns, rows = (
            np.interp(values, axis, np.arange(len(axis))).astype(np.float32)[None]
            for values, axis in ((azimuth, self._head.azimuths), (height, self._head.heights))
        )

        def sampled(grid: Array) -> Array:
            channels = np.ascontiguousarray(grid, np.float32)
            return np.asarray(cv2.remap(channels, columns, rows, cv2.INTER_LINEAR)[0], np.float64)

        return _Roots(sampled(self._head.points), unit(sampled(self._normals)), height)


def surface_normals(points: Array) -> Array:
    """Return the outward normals of a grid. Rows rise; columns run to the viewer's right."""
    return unit(np.cross(np.gradient(points, axis=1), np.gradient(points, axis=0)))


def _brows(face: Identity, skin: _Skin) -> Strands:
    shape, rng = face.shape, np.random.default_rng([face.seed, 2])
    tried = _BROW_STRANDS * 3
    across, height = rng.uniform(-5.3, 5.3, tried), rng.uniform(0.6, 3.3, tried)
    along = (np.abs(across) - shape.brow_gap) / 3.5
    middle = shape.brow_y - 0.1 + 1.6 * shape.brow_arch * along * (1.35 - along)
    middle += 0.12 * np.sin(3 * along) - 0.18 * along
    thickness = shape.brow_thickness * np.interp(along, [0, 0.15, 0.6, 1], [0.75, 1, 0.75, 0.2])
    grows = (along > 0) & (along < 1) & (rng.random(tried) < shape.brow_density)
    grows &= np.abs(height - middle) < thickness * rng.uniform(0.3, 1.05, tried)
    across, along = across[grows][:_BROW_STRANDS], along[grows][:_BROW_STRANDS, None]
    roots = skin.roots(_azimuth(across), height[grows][:_BROW_STRANDS])
    outward = np.sign(across)[:, None] * ASIDE
    comb = outward * blend(0.55, 1, along) + UP * blend(0.75, -0.45, along) + 0.12 * roots.normals
    length = rng.uniform(0.45, 0.8, (len(across), 1))
    return _short_strands(roots, comb, length, rng)


def _beard(face: Identity, skin: _Skin) -> Strands:
    rng, tried = np.random.default_rng([face.seed, 3]), _BEARD_STRANDS * 4
    across, height = rng.uniform(-8.9, 8.9, tried), rng.uniform(-12.5, 0, tried)
    grows = rng.random(tried) < beard_cover(face.shape, across, height, face.beard)
    across = across[grows][:_BEARD_STRANDS]
    roots = skin.roots(_azimuth(across), height[grows][:_BEARD_STRANDS])
    comb = 0.35 * np.sign(across)[:, None] * ASIDE - UP + 0.45 * roots.normals
    length = _BEARD_LENGTHS[face.beard] * rng.uniform(0.7, 1.2, (len(across), 1))
    return _short_strands(roots, comb, length, rng)


def _azimuth(across: Array) -> Array:
    return np.arcsin(np.clip(across / HALF_WIDTH, -1, 1))


def _short_strands(roots: _Roots, comb: Array, length: Array, rng: np.random.Generator) -> Strands:
    direction = unit(comb + rng.normal(0, 0.07, comb.shape))
    along = np.linspace(0, 1, 5)[None, :, None]
    drooping = -0.02 * along**2 * UP
    points = roots.points[:, None] + (direction[:, None] * along + drooping) * length[:, None]
    return Strands(points, rng.normal(1, 0.2, len(comb)))


def _scalp(face: Identity, skin: _Skin) -> Strands:
    style, rng = _STYLES[face.style], np.random.default_rng([face.seed, 4])
    crown, tried = face.shape.crown, _SCALP_STRANDS * 2
    azimuth = rng.uniform(-np.pi, np.pi, tried)
    height = crown - (crown + 7) * rng.beta(1.0, 1.25, tried)
    # At the pole of the grid there is no normal.
    grows = (above_hairline(face, azimuth, height) + rng.normal(0, 0.22, tried) > 0) & (
        height < crown - 0.12
    )
    if face.style == "bald":
        grows &= height < 4.2 + rng.normal(0, 0.3, tried)
    azimuth, height = azimuth[grows][:_SCALP_STRANDS], height[grows][:_SCALP_STRANDS]
    roots = skin.roots(azimuth, height)
    length, comb = _combed(face, roots)
    length = length * rng.uniform(0.75, 1.1, length.shape)
    if not style.hangs:
        length = length * blend(0.35, 1, step(-3, 2, height))[:, None]
    disorder = 0.3 if face.style == "curly" else 0.07
    comb = unit(comb + rng.normal(0, disorder, comb.shape))
    points = _Lie(face, roots, length, comb, rng).points()
    brightness = rng.normal(1, 0.16, len(height))
    # Strands that fell over the crown would stand above it.
    kept = (points[:, :, 1].max(1) < crown + 0.6) | (not style.hangs)
    return Strands(points[kept], brightness[kept])


def _combed(face: Identity, roots: _Roots) -> tuple[Array, Array]:
    """Return the length and the direction of each strand in the style."""
    height, normals = roots.heights[:, None], roots.normals
    top = step(3.5, 9.5, height)
    fringe = step(4.5, 8.5, roots.points[:, 2:])
    parted = np.sign(roots.points[:, :1] - 2.0 * face.parting) * ASIDE
    same = np.zeros_like(height)
    length, comb = np.clip(height + 19, 8, 33), parted * 0.8 * top - 0.5 * UP
    match face.style:
        case "short":
            length = blend(1.3, 3.0, top)
            comb = AHEAD * 0.6 * top - UP * 0.8 * (1 - top) - ASIDE * 0.25 * face.parting
            comb = comb + 0.35 * normals
        case "buzz":
            length, comb = same + 0.5, 0.35 * normals - 0.6 * UP + AHEAD * 0.3 * top
        case "bald":
            length, comb = same + 0.7, 0.2 * normals - UP
        case "side":
            length = blend(1.6, 5.0, top)
            comb = parted * 0.9 * top + 0.15 * AHEAD - UP * 0.9 * (1 - top)
            comb = comb + normals * blend(0.2, 0.45, top)
        case "back":
            length = blend(1.8, 5.5, top)
            comb = 0.3 * normals - 0.9 * AHEAD - UP * 0.35 * (1 - top)
        case "curly":
            length, comb = blend(2.2, 4.5, top), 0.9 * normals + 0.1 * UP
        case "tied":
            length, comb = same + 7.0, 0.15 * UP - AHEAD + 0.02 * normals
        case "bob":
            length = np.clip(height + 11.5, 4, 22) + 1.5 * (1 - top)
            comb = comb - 0.05 * UP - AHEAD * (0.12 + 0.9 * fringe) + 0.12 * normals
        case _:
            comb = comb - AHEAD * (0.18 + 0.9 * fringe) + 0.12 * normals
    return np.asarray(length), np.asarray(comb)


class _Lie:
    """Lays strands step by step. They leave the skin as combed, slide over the skull, and hang."""

    def __init__(
        self,
        face: Identity,
        roots: _Roots,
        length: Array,
        comb: Array,
        rng: np.random.Generator,
    ) -> None:
        self._style, self._shape = _STYLES[face.style], face.shape
        self._steps = 20 if self._style.hangs else 9
        self._stride = length / (self._steps - 1)
        self._roots, self._comb = roots, comb
        self._skull = vector(7.35 * face.shape.face_width, face.shape.crown + 0.05, 9.55)
        self._centre = vector(0, 0, -0.3)
        self._lift = rng.uniform(0, 1, (len(comb), 1)) * self._style.lift
        self._phase = self._locks(face) + 0.35 * rng.uniform(0, 6.28, (len(comb), 1))

    def _locks(self, face: Identity) -> Array:
        """Return the curl of each strand, which is similar for neighbours."""
        sheet = noise(256, face.seed + 5, (24, 48))
        rows, columns = (
            np.abs(9 * self._roots.points[:, axis] + 100).astype(int) % 256 for axis in (1, 0)
        )
        return np.asarray(3 * sheet[rows, columns][:, None])

    def points(self) -> Array:
        at = self._roots.points + 0.02 * self._roots.normals
        direction, line = self._comb, [self._roots.points]
        style, many = self._style, self._steps > 15
        for number in range(self._steps - 1):
            weight = min(1.0, number / 6) if many else 1.0
            direction = self._along_the_skull(at, unit(direction - UP * style.gravity * weight))
            moved = self._off_the_skull(at + direction * self._stride, number)
            if style.hangs:
                moved = self._off_the_face(moved)
            stiffness = (0.1 if many else 0.3) * (moved[:, 1:2] > 2)
            direction = unit(blend(unit(moved - at), self._comb, stiffness))
            direction = blend(direction, -UP, 0.5 * style.hangs * (moved[:, 1:2] < 1))
            at = moved
            line.append(moved + self._curl(number))
        return np.stack(line, 1)

    def _along_the_skull(self, at: Array, direction: Array) -> Array:
        above = at[:, 1:2] > 0
        outward = (at - self._centre) / self._skull * np.where(above, 1, [1, 0, 1])
        normal = unit(np.sign(outward) * np.abs(outward) ** (_SKULL_POWER - 1) / self._skull)
        away = np.maximum((direction * normal).sum(1, keepdims=True), 0)
        return unit(direction - normal * away * self._style.clings * np.where(above, 1, 0.9))

    def _off_the_skull(self, at: Array, number: int) -> Array:
        above = at[:, 1:2] > 0
        reach = np.abs((at - self._centre) / self._skull * np.where(above, 1, [1, 0, 1]))
        radius = (reach**_SKULL_POWER).sum(1, keepdims=True) ** (1 / _SKULL_POWER)
        grown = (1.008 + self._lift * min(1, (number + 1) / 3)) / (radius + 1e-6)
        widened = np.where(above, grown, grown * [1, 0, 1] + UP)
        pushed = self._centre + (at - self._centre) * widened
        return np.where((grown > 1) & (at[:, 1:2] > -9), pushed, at)

    def _off_the_face(self, at: Array) -> Array:
        """Move hair that hangs off the face, onto the shoulders."""
        lift, forehead = self._lift[:, 0], self._shape.forehead
        x, y, z = at.T
        heights = (-14, -6, 0, 3, forehead - 1, forehead + 0.3)
        free = np.interp(y, heights, (6.2, 7.2, 7.3, 6.9, 4.5, 0))
        free = free * self._shape.face_width * (1 + lift)
        before = (y < forehead + 0.3) & (z > 1.5) & (np.abs(x) < free)
        x = np.where(before, np.where(x < 0, -1, 1) * free, x)
        width, height, depth = self._skull
        left = 1 - np.abs(x / width) ** _SKULL_POWER
        left = left - np.abs(np.maximum(y, 0) / height) ** _SKULL_POWER
        front = self._centre[2] + depth * (1 + lift) * np.clip(left, 0, 1) ** (1 / _SKULL_POWER)
        z = np.minimum(z, np.where(y < 0, 2.5 + 2 * lift, np.maximum(front, 2.5)))
        return np.stack([x, y, z], 1)

    def _curl(self, number: int) -> Array:
        angle = self._phase + number * (1.1 if self._style.curl > 0.3 else 0.5)
        circle = np.concatenate([np.cos(angle), np.zeros_like(angle), np.sin(angle)], 1)
        return np.asarray(circle * self._style.curl * min(1, (number + 1) / 4))
