"""Find the document in a photograph and flatten it.

Several segmentations propose outlines: edges, Otsu on each colour channel, and the distance from
the colour of the picture's border. The best outline is large, fills its quadrilateral and has the
proportions of a card or a passport page.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.engines.text import Image

_SEARCH_SIDE: Final = 640
CARD_ASPECT: Final = 85.6 / 54.0
"""ISO/IEC 7810 ID-1."""
PASSPORT_ASPECT: Final = 125.0 / 88.0
"""ISO/IEC 7810 ID-3, the data page of a passport."""
_RIM_CHANGE: Final = 24
_RIM_SHARE: Final = 0.6
_LEAST_LIKENESS: Final = 0.75
_SMALLEST, _LARGEST = 0.10, 0.97
_FLAT_WIDTH: Final = {CARD_ASPECT: (1012, 1600), PASSPORT_ASPECT: (1250, 1800)}

Quad = NDArray[np.float32]
_Mask = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Found:
    """A document's corners (float32 of shape (4, 2), pixels, clockwise from the top left), its
    aspect, and the score of the outline."""

    corners: Quad
    aspect: float
    score: float


def find_document(image: Image) -> Found | None:
    """Return the best outline; None if nothing has four corners and a document's proportions.
    `image` is BGR."""
    height, width = image.shape[:2]
    scale = _SEARCH_SIDE / max(height, width)
    if min(height, width) * scale < 64:
        return None
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    area = small.shape[0] * small.shape[1]
    smooth = cv2.GaussianBlur(small, (0, 0), 1.5).astype(np.float32)
    best: Found | None = None
    for mask in segmentations(small):
        closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
        outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for outline in outlines:
            if cannot_enclose(outline, _SMALLEST * area):
                continue
            hull = cv2.convexHull(outline)
            filled = cv2.contourArea(hull)
            if not _SMALLEST * area < filled < _LARGEST * area:
                continue
            candidate = _candidate(outline, hull, filled, area)
            if candidate.score > (best.score if best else 0.0) and _bordered(
                smooth, candidate.corners
            ):
                best = candidate
    if best is None:
        return None
    return Found(best.corners / np.float32(scale), best.aspect, best.score)


def cannot_enclose(outline: _Mask, area: float) -> bool:
    """Whether an outline has too few points for the area: a circle of as many encloses most, and
    the way to the next point is the diagonal of a pixel at most."""
    return len(outline) ** 2 * 2 < 4 * np.pi * area


def find_second_document(image: Image, found: Found) -> Found | None:
    """Find another document beside `found`, which is painted over with the border's colour. `image`
    is BGR."""
    height, width = image.shape[:2]
    if cv2.contourArea(found.corners) > 0.6 * height * width:
        return None
    scale = _SEARCH_SIDE / max(height, width)
    painted = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    corners = found.corners * np.float32(scale)
    centre = corners.mean(axis=0)
    grown = centre + (corners - centre) * np.float32(1.04)
    rim = np.concatenate([painted[:3].reshape(-1, 3), painted[-3:].reshape(-1, 3)])
    colour = [int(value) for value in np.median(rim, axis=0)]
    cv2.fillConvexPoly(painted, np.round(grown).astype(np.int32), colour)
    other = find_document(painted)
    if other is None:
        return None
    around = grown.astype(np.float32)
    if _holds(around, other.corners) or _holds(other.corners, around):
        return None
    return Found(other.corners / np.float32(scale), other.aspect, other.score)


def _holds(outline: Quad, other: Quad) -> bool:
    """Whether the middle of the other outline lies within the first: one is a part of the other,
    as a portrait is of its card."""
    x, y = (float(value) for value in other.mean(axis=0))
    return cv2.pointPolygonTest(outline, (x, y), measureDist=False) >= 0


def flatten(image: Image, found: Found) -> Image:
    """Return the document in perspective correction, with its long side horizontal, at its own
    resolution within _FLAT_WIDTH. `image` is BGR."""
    corners = found.corners
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    if sides[1] + sides[3] > sides[0] + sides[2]:
        corners = np.roll(corners, -1, axis=0)
    least, most = _FLAT_WIDTH[found.aspect]
    width = int(np.clip(sides.max(), least, most))
    height = int(width / found.aspect)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    transform = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return cv2.warpPerspective(image, transform, (width, height), flags=cv2.INTER_CUBIC)


def segmentations(image: Image) -> Iterator[_Mask]:
    """Yield binary masks (uint8, 0 or 255) that may show the document. `image` is BGR."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    grey = cv2.bilateralFilter(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), 7, 40, 7)
    for low, high in ((20, 60), (40, 120)):
        edges = cv2.Canny(grey, low, high)
        yield cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    for channel in (*cv2.split(lab), grey):
        mask = _otsu(channel)
        yield mask
        yield cv2.bitwise_not(mask)
    rim = np.concatenate([lab[:8].reshape(-1, 3), lab[-8:].reshape(-1, 3)])
    rim = np.concatenate([rim, lab[:, :8].reshape(-1, 3), lab[:, -8:].reshape(-1, 3)])
    usual = np.array([*np.median(rim, axis=0), 0])
    away = cv2.absdiff(lab.astype(np.float32), usual)
    distance = cv2.transform(away, np.ones((1, 3), np.float32))  # their sum; numpy takes 10 ms
    yield _otsu(np.clip(distance, 0, 255).astype(np.uint8))


def _otsu(channel: _Mask) -> _Mask:
    smooth = cv2.GaussianBlur(channel, (0, 0), 3)
    _, mask = cv2.threshold(smooth, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    return mask


def _candidate(outline: _Mask, hull: _Mask, filled: float, area: float) -> Found:
    corners = _sharpened(outline, _clockwise(_four_corners(hull)))
    quad_area = cv2.contourArea(corners)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    across, down = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    measured = max(across, down) / max(1.0, min(across, down))
    aspect = min((CARD_ASPECT, PASSPORT_ASPECT), key=lambda a: abs(np.log(measured / a)))
    off = abs(float(np.log(measured / aspect)))
    fill = min(filled, quad_area) / max(filled, quad_area, 1.0)
    likeness = float(fill * np.exp(-4 * off))
    likely = likeness > _LEAST_LIKENESS and quad_area > _SMALLEST * area
    return Found(corners, aspect, likeness * (0.5 + quad_area / area) if likely else 0.0)


def _bordered(image: _Mask, corners: Quad) -> bool:
    """Whether colours change across each side, as at a document's edge.

    The hull of a block of print or of half of a pattern has no such sides.
    """
    height, width = image.shape[:2]
    centre = corners.mean(axis=0)
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = (end - start) / max(float(np.linalg.norm(end - start)), 1.0)
        outward = np.array([along[1], -along[0]], np.float32)
        if np.dot(outward, (start + end) / 2 - centre) < 0:
            outward = -outward
        points = start + np.linspace(0.08, 0.92, 40, dtype=np.float32)[:, None] * (end - start)
        inside, outside = points - 4 * outward, points + 4 * outward
        limit = np.array([width - 1, height - 1])
        if np.any(outside < 0) or np.any(outside > limit):
            return False
        rows = [np.clip(np.round(p), 0, limit).astype(int) for p in (inside, outside)]
        change = np.abs(image[rows[0][:, 1], rows[0][:, 0]] - image[rows[1][:, 1], rows[1][:, 0]])
        if float((change.sum(axis=1) > _RIM_CHANGE).mean()) < _RIM_SHARE:
            return False
    return True


def _four_corners(hull: _Mask) -> _Mask:
    length = cv2.arcLength(hull, True)
    for tolerance in (0.015, 0.02, 0.03, 0.05):
        polygon = cv2.approxPolyDP(hull, tolerance * length, True)
        if len(polygon) == 4:
            return polygon
    return cv2.boxPoints(cv2.minAreaRect(hull))


def _sharpened(outline: _Mask, corners: Quad) -> Quad:
    """Return the intersections of the straight parts of the sides: a card's corners are rounded."""
    points = outline.reshape(-1, 2).astype(np.float32)
    lines = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = end - start
        length = max(float(np.linalg.norm(side)), 1.0)
        offset = points - start
        along = offset @ side / length**2
        away = np.abs(offset[:, 0] * side[1] - offset[:, 1] * side[0]) / length
        chosen = points[(along > 0.12) & (along < 0.88) & (away < 0.04 * length)]
        if len(chosen) < 20:
            return corners
        lines.append(cv2.fitLine(chosen, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel())
    met = [_crossing(lines[i - 1], lines[i]) for i in range(4)]
    sharp = np.array(met, np.float32)
    moved = np.linalg.norm(sharp - corners, axis=1).max()
    reach = np.linalg.norm(corners[0] - corners[2])
    return sharp if np.isfinite(moved) and moved < 0.12 * reach else corners


def _crossing(first: _Mask, second: _Mask) -> _Mask:
    """Return the intersection of two lines (direction x, y; point x, y); not finite for
    parallels."""
    across = first[0] * second[1] - first[1] * second[0]
    between = second[2:] - first[2:]
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = (between[0] * second[1] - between[1] * second[0]) / across
        return np.asarray(first[2:] + reach * first[:2], np.float32)


def _clockwise(corners: _Mask) -> Quad:
    quad = np.asarray(corners, np.float32).reshape(4, 2)
    around = quad - quad.mean(axis=0)
    quad = quad[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]
    return np.roll(quad, -int(np.argmin(quad.sum(axis=1))), axis=0)
