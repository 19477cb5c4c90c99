"""Rectify the area of a line. Apart from `lines`, which processes without OpenCV import."""

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.engines.text.lines import Image


def laid_level(image: Image, quad: NDArray[np.float32], width: int, height: int) -> Image:
    """Rectify the area of `quad` to an image of shape (height, width, 3).

    `quad`: float32 of shape (4, 2), pixels, clockwise from the top left.
    """
    level = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return cv2.warpPerspective(
        image,
        cv2.getPerspectiveTransform(quad.astype(np.float32), level),
        (width, height),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
