"""A face as 128 numbers: dlib's residual network on a chip that the mesh's points lay straight."""

from typing import Final

import dlib
import numpy as np
from numpy.typing import NDArray

from acredita.engines.face import models
from acredita.engines.face.find import Face, Image, resized

_CHIP_SIDE: Final = 150
_CHIP_PADDING: Final = 0.25
# The mesh's points where dlib's five are: outer and inner corner of the left eye (the person's, on
# the picture's right), of the right eye, and under the nose.
_FIVE_POINTS: Final = (263, 362, 33, 133, 2)
_WORKING_SIDE: Final = 400
"""A larger face is shrunk first: the network sees 150 pixels, and dlib's sampling would alias."""

Embedding = NDArray[np.float64]


def embed(image: Image, face: Face) -> Embedding:
    return describe(chip(image, face))


def describe(straight: Image) -> Embedding:
    """128 numbers of a chip; two of one person lie within about 0.6 of each other (Euclidean)."""
    picture = straight[None].astype(np.float32)
    (numbers,) = models.graph("embedding").run(["numbers"], {"picture": picture})
    return np.asarray(numbers[0], np.float64)


def chip(image: Image, face: Face) -> Image:
    """The face upright, 150 × 150, RGB."""
    scale = min(1.0, _WORKING_SIDE / face.side)
    left, top, right, bottom = _surroundings(image, face)
    part = image[top:bottom, left:right]
    if scale < 1.0:
        part = resized(part, scale)
    pixels = np.ascontiguousarray(part[:, :, ::-1])
    points = [
        dlib.point(round((float(x) - left) * scale), round((float(y) - top) * scale))
        for x, y, _ in face.points[list(_FIVE_POINTS)]
    ]
    whole = dlib.rectangle(0, 0, pixels.shape[1], pixels.shape[0])
    shape = dlib.full_object_detection(whole, points)
    straight = dlib.get_face_chip(pixels, shape, size=_CHIP_SIDE, padding=_CHIP_PADDING)
    return np.asarray(straight, np.uint8)


def _surroundings(image: Image, face: Face) -> tuple[int, int, int, int]:
    """The box with half its side around it, inside the picture."""
    margin = face.side / 2
    left, top, right, bottom = face.box
    return (
        max(0, int(left - margin)),
        max(0, int(top - margin)),
        min(image.shape[1], int(right + margin) + 1),
        min(image.shape[0], int(bottom + margin) + 1),
    )
