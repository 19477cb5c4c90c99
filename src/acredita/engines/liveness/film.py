"""Take frames from a film that a person recorded of their face.

The film is untrusted: this runs in a process with limits (engines/documents/inspection).
OpenCV's wheel brings FFmpeg as shared libraries (LGPL-2.1).
"""

import io
from typing import Any, Final

from acredita.engines.documents.accepted_types import CannotOpen, is_film

MOST_FRAMES: Final = 24
FEWEST_FRAMES: Final = 5
# Of a longer film, only the beginning is read: a minute at 30 frames a second.
MOST_READ: Final = 1800
MOST_PIXELS: Final = 4096 * 2304
SIDE: Final = 1280
QUALITY: Final = 90


def frames_of_film(content: bytes, _: str) -> list[bytes]:
    """Return evenly spaced frames of a film (MP4, MOV, WebM) as JPEG.

    At least FEWEST_FRAMES, at most MOST_FRAMES. Their longer side has at most SIDE pixels. Raise
    CannotOpen.
    """
    import cv2  # noqa: PLC0415

    # The bytes decide: FFmpeg would also open playlists, which name other files.
    if not is_film(content):
        raise CannotOpen("UNSUPPORTED_FILE_TYPE")
    # OpenCV's types do not know that any binary stream is an IStreamReader.
    source: Any = io.BytesIO(content)
    film = cv2.VideoCapture(source, cv2.CAP_FFMPEG, [cv2.CAP_PROP_N_THREADS, 1])
    if not film.isOpened():
        raise CannotOpen("BROKEN_FILE")
    width, height = film.get(cv2.CAP_PROP_FRAME_WIDTH), film.get(cv2.CAP_PROP_FRAME_HEIGHT)
    if width * height > MOST_PIXELS:
        raise CannotOpen("TOO_MANY_PIXELS")
    kept: list[bytes] = []
    # The number of frames in the header may be wrong, so the distance grows with what was read.
    distance = 1
    for place in range(MOST_READ):
        if not film.grab():
            break
        if place % distance:
            continue
        if len(kept) == MOST_FRAMES:
            kept, distance = kept[::2], distance * 2
            if place % distance:
                continue
        decoded, frame = film.retrieve()
        if not decoded:
            raise CannotOpen("BROKEN_FILE")
        scale = min(1.0, SIDE / max(frame.shape[:2]))
        if scale < 1:
            frame = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        kept.append(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes())
    if len(kept) < FEWEST_FRAMES:
        raise CannotOpen("BROKEN_FILE")
    return kept
