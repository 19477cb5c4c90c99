"""Whether two faces are the same photograph, by how well their details match.

Two photographs of one person differ in pose, expression and light. A copy of a photograph, even if
compressed, turned, scaled, mirrored or photographed again, shows the same plane in another
perspective, which a homography of eight numbers reverses. It is fitted to the displacements of the
face's parts. Then the correlation of the parts and of their shading is measured, and the remaining
displacement. A homography cannot reverse a moved lip, a turned head or another light.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.domain.tampering.copied_selfies import CopyEvidence
from acredita.engines.text import Image

_SIDE: Final = 150
_FINE, _COARSE = (2.5, 7.5), (4.0, 12.0)
"""Details between two widths (sigma, pixels): the finer to lay parts on each other by, the coarser
to compare them by, because print, noise and moiré are finer still."""
_SHADING, _FACE = (6.0, 18.0), slice(15, 135)
"""Light and shadow: details that are wider still, over the whole face."""
_AROUND: Final = 1.5
"""Of the greater width: over so much of the face the details' strength is evened out, so that light
and contrast do not count."""
_PART, _STEP, _FIRST, _LAST = 48, 18, 12, 138
"""25 parts of the face that overlap, in pixels."""
_REACHES: Final = (6, 3)
"""How far a part is looked for, in pixels: the points of two meshes lie differently by some."""
_REST: Final = 1
_LEAST_DETAIL: Final = 0.1
_UNLIKE: Final = 0.45
"""Correlation of parts laid on each other once, under which no copy lies."""
_METHOD: Final = cv2.TM_CCOEFF_NORMED
_LEAST_WEIGHT: Final = 0.05
_LOST: Final = float(max(_REACHES))
"""The drift of what was not followed further."""

_Map = NDArray[np.float32]
_Numbers = NDArray[np.float64]
_CORNERS: Final = [
    (x, y)
    for y in range(_FIRST, _LAST - _PART + 1, _STEP)
    for x in range(_FIRST, _LAST - _PART + 1, _STEP)
]
_X, _Y = (np.array(_CORNERS, np.float64).T + (_PART - _SIDE) / 2) / _SIDE
_ONE, _NONE = np.ones_like(_X), np.zeros_like(_X)
_MOVES: Final = np.concatenate(
    [
        np.column_stack([_X, _Y, _ONE, _NONE, _NONE, _NONE, _X * _X, _X * _Y]),
        np.column_stack([_NONE, _NONE, _NONE, _X, _Y, _ONE, _X * _Y, _Y * _Y]),
    ]
)
"""How far each of the eight numbers of a plane's view moves each part, right and then down. Places
are shares of the face's side, from its middle."""
_TO_SHARES: Final = np.array([[1 / _SIDE, 0, -0.5], [0, 1 / _SIDE, -0.5], [0, 0, 1]])
_TO_PIXELS: Final = np.array([[_SIDE, 0, _SIDE / 2], [0, _SIDE, _SIDE / 2], [0, 0, 1]])


def copy_evidence(portrait: Image, selfie: Image) -> CopyEvidence:
    """Return the evidence that the selfie is the portrait's photograph, possibly mirrored.

    Both are aligned faces (`face.embedding.chip`): RGB, uint8, of shape (150, 150, 3).
    """
    one, other = (
        cv2.cvtColor(each, cv2.COLOR_RGB2GRAY).astype(np.float32) for each in (portrait, selfie)
    )
    mirrored = np.ascontiguousarray(other[:, ::-1])
    straight, turned = (_laid_on(one, each) for each in (other, mirrored))
    return max(
        CopyEvidence(*straight),
        CopyEvidence(*turned, mirrored=True),
        key=lambda each: each.likeness,
    )


def _laid_on(one: _Map, other: _Map) -> tuple[float, float, float]:
    """Return the correlation of the parts, that of the shading, and the parts' displacement."""
    details = _details(one, *_FINE)
    view = np.eye(3)
    drift = 0.0
    for reach in _REACHES:
        alike, offsets = _matched(details, _details(_warped(other, view), *_FINE), reach)
        if alike.mean() < _UNLIKE:
            return float(alike.mean()), 0.0, _LOST
        step, drift = _fitted(alike, offsets)
        view = _after(view, step)
    seen_alike = _warped(other, view)
    alike, _ = _matched(_details(one, *_COARSE), _details(seen_alike, *_COARSE), _REST)
    return float(alike.mean()), _shaded_alike(one, seen_alike), drift


def _shaded_alike(one: _Map, other: _Map) -> float:
    shades = (_between_widths(each, *_SHADING)[_FACE, _FACE].ravel() for each in (one, other))
    first, second = (each - each.mean() for each in shades)
    strength = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / strength if strength > _LEAST_DETAIL * first.size else 0.0


def _details(face: _Map, narrow: float, wide: float) -> _Map:
    fine = _between_widths(face, narrow, wide)
    strength = np.sqrt(cv2.GaussianBlur(fine * fine, (0, 0), wide * _AROUND))
    return np.asarray(fine / (strength + 0.5), np.float32)


def _between_widths(face: _Map, narrow: float, wide: float) -> _Map:
    blurred = (cv2.GaussianBlur(face, (0, 0), sigma) for sigma in (narrow, wide))
    return np.asarray(np.subtract(*blurred), np.float32)


def _warped(face: _Map, view: _Numbers) -> _Map:
    """`view` leads from places in the result to places in `face`."""
    how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    warped = cv2.warpPerspective(
        face, view, (_SIDE, _SIDE), flags=how, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(warped, np.float32)


def _matched(one: _Map, other: _Map, reach: int) -> tuple[_Numbers, _Numbers]:
    """Return each part's best correlation within `reach` pixels, and its offset: right, down."""
    alike = np.zeros(len(_CORNERS))
    offsets = np.zeros((len(_CORNERS), 2))
    for at, (x, y) in enumerate(_CORNERS):
        around = other[y - reach : y + _PART + reach, x - reach : x + _PART + reach]
        part = one[y : y + _PART, x : x + _PART]
        if min(part.std(), around.std()) < _LEAST_DETAIL:
            continue  # what is burnt out correlates with anything
        found = np.asarray(cv2.matchTemplate(around, part, _METHOD), np.float32)
        _, alike[at], _, (right, down) = cv2.minMaxLoc(found)
        offsets[at] = (
            right + _between(found[down], right) - reach,
            down + _between(found[:, right], down) - reach,
        )
    return alike, offsets


def _between(values: _Map, place: int) -> float:
    """How far from the greatest value a parabola through it and its neighbours is highest."""
    if not 0 < place < len(values) - 1:
        return 0.0
    before, at, after = (float(value) for value in values[place - 1 : place + 2])
    bend = before - 2 * at + after
    return 0.5 * (before - after) / bend if bend < 0 else 0.0


def _fitted(alike: _Numbers, offsets: _Numbers) -> tuple[_Numbers, float]:
    """The eight numbers of the plane's view that most parts follow, in pixels, and how far the
    median part lies off it.
    """
    trust = np.clip(alike, _LEAST_WEIGHT, 1) ** 3
    weights = trust
    wanted = offsets.T.reshape(-1)
    for _ in range(3):
        root = np.sqrt(np.tile(weights, 2))
        step = np.linalg.lstsq(_MOVES * root[:, None], wanted * root, rcond=None)[0]
        off = np.hypot(*(wanted - _MOVES @ step).reshape(2, -1))
        weights = trust / (1 + off**2)
    return step, float(np.median(off))


def _after(view: _Numbers, step: _Numbers) -> _Numbers:
    """First the step, then the view (3 × 3, places in pixels)."""
    a, b, c, d, e, f, g, h = step / _SIDE
    moved = np.array([[1 + a, b, c], [d, 1 + e, f], [-g, -h, 1]])
    return np.asarray(view @ _TO_PIXELS @ moved @ _TO_SHARES, np.float64)
