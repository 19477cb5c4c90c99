"""Take frames from a film that a person recorded of their face, and make a film of frames.

The film is untrusted: this runs in a process with limits (engines/documents/inspection).
OpenCV's wheel brings FFmpeg as shared libraries (LGPL-2.1).
"""

import io
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from acredita.engines.documents.accepted_types import CannotOpen, is_film

MOST_FRAMES: Final = 24
FEWEST_FRAMES: Final = 5
# Of a longer film, only the beginning is read: a minute at 30 frames a second.
MOST_READ: Final = 1800
MOST_PIXELS: Final = 4096 * 2304
SIDE: Final = 1280
QUALITY: Final = 90
MADE_SIDE: Final = 480
MADE_FRAMES_A_SECOND: Final = 5.0
# Matroska's element TrackUID with its length.
UID_LENGTH: Final = 8
TRACK_UID: Final = bytes([0x73, 0xC5, 0x80 | UID_LENGTH])


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


def film_of_frames(pictures: Sequence[bytes], _: str) -> bytes:
    """Return a film (WebM, VP8) of pictures (JPEG, at least one) in their order.

    Its longer side has at most MADE_SIDE pixels. The same pictures give the same bytes. Raise
    CannotOpen.
    """
    import cv2  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    decoded = (cv2.imdecode(np.frombuffer(each, np.uint8), cv2.IMREAD_COLOR) for each in pictures)
    frames = [frame for frame in decoded if frame is not None]
    if not frames:
        raise CannotOpen("BROKEN_FILE")
    height, width = frames[0].shape[:2]
    scale = min(1.0, MADE_SIDE / max(height, width))
    # The codec takes even sides.
    size = (max(2, round(width * scale) // 2 * 2), max(2, round(height * scale) // 2 * 2))
    # OpenCV writes to paths alone; what shows a face must not reach the disk.
    with (
        os.fdopen(os.memfd_create("film"), "rb") as memory,
        tempfile.TemporaryDirectory() as folder,
    ):
        path = Path(folder) / "film.webm"
        path.symlink_to(f"/proc/self/fd/{memory.fileno()}")
        codec = cv2.VideoWriter.fourcc(*"VP80")
        writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, codec, MADE_FRAMES_A_SECOND, size)
        if not writer.isOpened():
            raise CannotOpen("UNSUPPORTED_FILE_TYPE")
        for frame in frames:
            writer.write(cv2.resize(frame, size, interpolation=cv2.INTER_AREA))
        writer.release()
        memory.seek(0)
        return _with_constant_uid(memory.read())


def _with_constant_uid(film: bytes) -> bytes:
    """Return a WebM film with a constant number of its track in place of a random one.

    A player asks for parts of a film, and it is made again for each of them.
    """
    place = film.find(TRACK_UID)
    if place < 0:
        return film
    start = place + len(TRACK_UID)
    return film.replace(film[start : start + UID_LENGTH], (1).to_bytes(UID_LENGTH))
