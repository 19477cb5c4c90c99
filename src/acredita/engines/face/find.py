"""Find the faces in a picture: BlazeFace's boxes, confirmed by the face mesh."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.engines.face import models

Image = NDArray[np.uint8]
Points = NDArray[np.float32]

_LONGEST_SIDE: Final = 1600
_SMALLEST_SIDE: Final = 16
_DETECTOR_SIDE: Final = 256
_MESH_SIDE: Final = 192
_MESH_MARGIN: Final = 1.5
"""The mesh's crop as a multiple of the detector's box, as in its training."""
_LEAST_SCORE: Final = 0.5
_LEAST_PRESENCE, SURE_PRESENCE = 0.5, 0.9
"""The mesh's certainty: 1.0 on faces, 0.96 on a pale one 35 pixels wide, 0.6 on a blurred one;
0.0003 on a false detection in a crowd, 0.57 on a card's print pattern."""
_OVERLAP: Final = 0.3
_SMALL_SHARE: Final = 0.12
"""If the largest face is below this share of the picture's long side, tiles are searched, too."""
_TILE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Face:
    """A face, in pixels of the picture that was searched.

    `box` is left, top, right, bottom. `points` are the mesh's landmarks, float32 of shape (468, 3):
    x, y, and depth in the scale of x. `score` is the detector's certainty and `presence` the
    mesh's, each 0 to 1.
    """

    box: tuple[float, float, float, float]
    points: Points
    score: float
    presence: float

    @property
    def side(self) -> float:
        """The longer side of the box."""
        return max(self.box[2] - self.box[0], self.box[3] - self.box[1])


@dataclass(frozen=True, slots=True)
class _Candidate:
    score: float
    box: NDArray[np.float32]
    eyes: NDArray[np.float32]

    @property
    def side(self) -> float:
        return float(max(self.box[2:] - self.box[:2]))


def find_faces(image: Image, smallest: float = 0.0) -> list[Face]:
    """Return the faces that detector and mesh agree on, the largest first. `image` is BGR. Faces
    smaller than `smallest` pixels may be missed. Raise ModelsMissing.
    """
    if min(image.shape[:2]) < _SMALLEST_SIDE:
        return []
    scale = min(1.0, _LONGEST_SIDE / max(image.shape[:2]))
    small = image if scale == 1.0 else resized(image, scale)
    candidates = list(_detect(small))
    largest = max((candidate.side for candidate in candidates), default=0.0)
    if largest < _SMALL_SHARE * max(small.shape[:2]) > smallest * scale:
        candidates += _detect_in_tiles(small)
    faces = []
    for candidate in _distinct(candidates):
        points, presence = lay_mesh(small, candidate.box, candidate.eyes)
        if presence >= _LEAST_PRESENCE:
            left, top, right, bottom = (float(edge / scale) for edge in candidate.box)
            points = (points / scale).astype(np.float32)
            faces.append(Face((left, top, right, bottom), points, candidate.score, presence))
    # An unsure face next to a sure one is print: on one card it was larger than the portrait.
    sure = [face for face in faces if face.presence >= SURE_PRESENCE]
    return sorted(sure or faces, key=lambda face: -face.side)


def find_face(image: Image, least_score: float = _LEAST_SCORE) -> Face | None:
    """Return the face with the highest score of one run of the detector, with any `presence`.

    `image` is of shape (height, width, 3), uint8, BGR.
    """
    surest = max(_detect(image), key=lambda candidate: candidate.score, default=None)
    if surest is None or surest.score < least_score:
        return None
    points, presence = lay_mesh(image, surest.box, surest.eyes)
    left, top, right, bottom = (float(edge) for edge in surest.box)
    return Face((left, top, right, bottom), points, surest.score, presence)


def lay_mesh(
    image: Image, box: NDArray[np.float32], eyes: NDArray[np.float32]
) -> tuple[Points, float]:
    """Return the landmarks, float32 of shape (468, 3), of the face in `box`, and their presence.
    The crop is turned upright by the two `eyes`, of shape (2, 2): the right one, then the left."""
    (right_x, right_y), (left_x, left_y) = eyes
    angle = float(np.degrees(np.arctan2(left_y - right_y, left_x - right_x)))
    x, y = float(box[0] + box[2]) / 2, float(box[1] + box[3]) / 2
    side = float(max(box[2:] - box[:2])) * _MESH_MARGIN
    transform = cv2.getRotationMatrix2D((x, y), angle, _MESH_SIDE / side)
    transform[:, 2] += np.array([_MESH_SIDE / 2 - x, _MESH_SIDE / 2 - y])
    crop = cv2.warpAffine(
        image, transform, (_MESH_SIDE, _MESH_SIDE), borderMode=cv2.BORDER_REPLICATE
    )
    pixels = cv2.cvtColor(crop, cv2.COLOR_BGR2RGB).astype(np.float32)[None] / 255
    mesh, presence = models.graph("facemesh").run(["Identity_2", "Identity_1"], {"input_1": pixels})
    points = mesh.reshape(468, 3)
    back = cv2.invertAffineTransform(transform)
    flat = points[:, :2] @ back[:, :2].T + back[:, 2]
    depth = points[:, 2:] * (side / _MESH_SIDE)
    return np.concatenate([flat, depth], axis=1).astype(np.float32), float(presence.item())


def resized(image: Image, scale: float) -> Image:
    """Return the image (uint8, BGR), scaled by `scale` in both directions."""
    size = max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale))
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=method), np.uint8)


def _detect(image: Image, left: int = 0, top: int = 0) -> Iterator[_Candidate]:
    """Run BlazeFace on a picture, which is a tile of another one with its origin at (left, top)."""
    height, width = image.shape[:2]
    scale = _DETECTOR_SIDE / max(height, width)
    small = resized(image, scale)
    margin_x, margin_y = (
        (_DETECTOR_SIDE - small.shape[1]) // 2,
        (_DETECTOR_SIDE - small.shape[0]) // 2,
    )
    square = np.zeros((_DETECTOR_SIDE, _DETECTOR_SIDE, 3), np.uint8)
    square[margin_y : margin_y + small.shape[0], margin_x : margin_x + small.shape[1]] = small
    pixels = cv2.cvtColor(square, cv2.COLOR_BGR2RGB).astype(np.float32)[None] / 127.5 - 1
    near_scores, far_scores, near, far = models.graph("blazeface").run(
        ["Identity", "Identity_1", "Identity_2", "Identity_3"], {"input": pixels}
    )
    logits = np.concatenate([near_scores[0, :, 0], far_scores[0, :, 0]])
    scores = 1 / (1 + np.exp(-np.clip(logits, -50, 50)))
    boxes = np.concatenate([near[0], far[0]])
    origin = np.array([margin_x, margin_y], np.float32)
    offset = np.array([left, top], np.float32)
    for place in np.flatnonzero(scores > _LEAST_SCORE):
        anchor = _anchors()[place]
        centre, size = boxes[place, :2] + anchor, boxes[place, 2:4]
        corners = np.stack([centre - size / 2, centre + size / 2])
        eyes = boxes[place, 4:8].reshape(2, 2) + anchor
        yield _Candidate(
            float(scores[place]),
            ((corners - origin) / scale + offset).reshape(-1).astype(np.float32),
            ((eyes - origin) / scale + offset).astype(np.float32),
        )


@cache
def _anchors() -> NDArray[np.float32]:
    """Return BlazeFace's anchors: two per cell of 16 pixels, then six per cell of 32."""
    centres: list[tuple[float, float]] = []
    for stride, count in ((16, 2), (32, 6)):
        cells = range(_DETECTOR_SIDE // stride)
        centres += [
            (stride * (x + 0.5), stride * (y + 0.5))
            for y in cells
            for x in cells
            for _ in range(count)
        ]
    return np.array(centres, np.float32)


def _detect_in_tiles(image: Image) -> Iterator[_Candidate]:
    """Find faces that are too small for the whole picture, such as a card's portrait."""
    height, width = image.shape[:2]
    tile = int(max(height, width) * _TILE)
    for top in sorted({0, max(0, (height - tile) // 2), max(0, height - tile)}):
        for left in sorted({0, max(0, (width - tile) // 2), max(0, width - tile)}):
            yield from _detect(image[top : top + tile, left : left + tile], left, top)


def _distinct(candidates: list[_Candidate]) -> list[_Candidate]:
    """Return the surest of each group of overlapping boxes."""
    if not candidates:
        return []
    boxes: list[Any] = [
        [float(c.box[0]), float(c.box[1]), float(c.box[2] - c.box[0]), float(c.box[3] - c.box[1])]
        for c in candidates
    ]
    kept = cv2.dnn.NMSBoxes(boxes, [c.score for c in candidates], _LEAST_SCORE, _OVERLAP)
    return [candidates[place] for place in np.asarray(kept, np.int64).reshape(-1)]
