"""Measure the pose of a head and the openness of eyes and mouth from the mesh's landmarks.

The mesh's own eyes hardly close on a blink. So the lids are measured on the contour that the iris
model finds in a crop of each eye.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.domain.liveness.challenge import Expression
from acredita.engines.face import models
from acredita.engines.face.find import Face, Image, Points

_EYE_SIDE: Final = 64
_EYE_MARGIN: Final = 2.3
"""The crop's side as a multiple of the eye's width, as in the iris model's training."""
# Outer and inner corner. The model knows the right eye only; it gets the left one mirrored.
_RIGHT_EYE: Final = (33, 133)
_LEFT_EYE: Final = (263, 362)
# Points of the contour: the lower lid from corner to corner, and the upper lid between them.
_LOWER_LID: Final = slice(0, 9)
_UPPER_LID: Final = slice(9, 16)
_CONTOUR_POINTS: Final = 71

_FOREHEAD, _CHIN = 10, 152
_LIP_ABOVE, _LIP_BELOW = 13, 14
_MOUTH_INNER: Final = (78, 308)
_MOUTH_CORNERS: Final = (61, 291)


def measure(image: Image, face: Face) -> Expression:
    """Measure the expression of `face` in `image` (BGR). Raise ModelsMissing."""
    points = face.points.astype(np.float64)
    yaw, pitch, roll = _pose(points)
    eye_distance = _distance(points, _RIGHT_EYE[0], _LEFT_EYE[0])
    return Expression(
        yaw=yaw,
        pitch=pitch,
        roll=roll,
        eyes=(
            _openness(image, face.points, _RIGHT_EYE, mirrored=False)
            + _openness(image, face.points, _LEFT_EYE, mirrored=True)
        )
        / 2,
        mouth=_distance(points, _LIP_ABOVE, _LIP_BELOW) / _distance(points, *_MOUTH_INNER),
        smile=_distance(points, *_MOUTH_CORNERS) / eye_distance,
    )


def _distance(points: NDArray[np.float64], one: int, other: int) -> float:
    """Return the distance in three dimensions, which a turn of the head does not change; never
    0."""
    return float(np.linalg.norm(points[one] - points[other])) + 1e-6


def _pose(points: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return yaw, pitch and roll in degrees: positive yaw turns to the person's left, positive
    pitch looks up."""
    across = points[_LEFT_EYE[0]] - points[_RIGHT_EYE[0]]
    across /= np.linalg.norm(across) + 1e-9
    down = points[_CHIN] - points[_FOREHEAD]
    down -= across * (across @ down)
    down /= np.linalg.norm(down) + 1e-9
    ahead = np.cross(across, down)
    yaw = float(np.degrees(np.arctan2(-ahead[0], ahead[2])))
    pitch = float(np.degrees(np.arctan2(ahead[1], np.hypot(ahead[0], ahead[2]))))
    roll = float(np.degrees(np.arctan2(across[1], across[0])))
    return yaw, pitch, roll


def _openness(image: Image, points: Points, corners: tuple[int, int], *, mirrored: bool) -> float:
    """Return the mean distance between the lids as a share of the eye's width."""
    outer, inner = points[corners[0], :2], points[corners[1], :2]
    x, y = (outer + inner) / 2
    side = max(float(np.linalg.norm(outer - inner)) * _EYE_MARGIN, 4.0)
    level = inner - outer if not mirrored else outer - inner
    angle = float(np.degrees(np.arctan2(level[1], level[0])))
    transform = cv2.getRotationMatrix2D((float(x), float(y)), angle, _EYE_SIDE / side)
    transform[:, 2] += np.array([_EYE_SIDE / 2 - x, _EYE_SIDE / 2 - y])
    crop = cv2.warpAffine(image, transform, (_EYE_SIDE, _EYE_SIDE), borderMode=cv2.BORDER_REPLICATE)
    pixels = cv2.cvtColor(crop, cv2.COLOR_BGR2RGB).astype(np.float32)[None] / 255
    if mirrored:
        pixels = np.ascontiguousarray(pixels[:, :, ::-1])
    (answer,) = models.graph("iris").run(["Identity"], {"input_1": pixels})
    contour = answer.reshape(-1, 3)[:_CONTOUR_POINTS, :2]
    lower, upper = contour[_LOWER_LID], contour[_UPPER_LID]
    gaps = np.linalg.norm(upper - lower[1:-1], axis=1)
    width = float(np.linalg.norm(lower[0] - lower[-1])) + 1e-6
    return float(gaps.mean()) / width
