"""Selfies of synthetic people as files."""

from pathlib import Path
from typing import Final

import cv2

from acredita_synthetic.faces.people import face_of
from acredita_synthetic.faces.pictures import draw_selfie
from acredita_synthetic.people import make_person

SELFIE: Final = "selfie"
"""The kind's name in the command and in files."""
_QUALITY: Final = 90


def write_selfies(folder: Path, count: int, seed: int = 1) -> list[Path]:
    """Write a selfie (JPEG) of the person of each of `count` seeds, whose face the documents of the
    same seed show. Return the paths.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number in range(seed, seed + count):
        picture = draw_selfie(face_of(make_person(number)), 1)
        _, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        file = folder / f"{number:06}-{SELFIE}.jpg"
        file.write_bytes(encoded.tobytes())
        written.append(file)
    return written
