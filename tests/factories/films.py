"""Films as a phone records them, without sound."""

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

CODECS = {"mp4": "mp4v", "webm": "VP80"}


def make_film(folder: Path, frames: Iterable[NDArray[np.uint8]], ending: str = "mp4") -> bytes:
    """`frames`: BGR, of one size. `ending`: of CODECS."""
    path = folder / f"film.{ending}"
    writer = None
    for frame in frames:
        if writer is None:
            size = (frame.shape[1], frame.shape[0])
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*CODECS[ending]), 15.0, size)
            assert writer.isOpened()
        writer.write(frame)
    assert writer is not None
    writer.release()
    return path.read_bytes()


def shades(count: int, *, width: int = 320, height: int = 240) -> Iterable[NDArray[np.uint8]]:
    """Frames from black to white, so that each one tells its place."""
    for place in range(count):
        yield np.full((height, width, 3), round(255 * place / max(count - 1, 1)), np.uint8)
