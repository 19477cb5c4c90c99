"""Draw pictures in other processes before any is read.

So the measured memory and time are those of the reader alone.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2

from acredita_synthetic.capture import Capture, Difficulty
from acredita_synthetic.specimens import Specimen

Order = Callable[[], Specimen]
"""Draws one picture. It is sent to another process, so it is a `partial` of a function."""


def drawn(orders: Sequence[Order]) -> Iterator[Specimen]:
    """Draw all pictures, then yield them in this order, one at a time from the disk."""
    with TemporaryDirectory(prefix="acredita-drawn-") as name:
        folder = Path(name)
        with ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), _use_one_thread) as pool:
            list(pool.map(_keep, repeat(folder), range(len(orders)), orders, chunksize=2))
        for number in range(len(orders)):
            known = json.loads(_file(folder, number, "json").read_text(encoding="utf-8"))
            picture = _file(folder, number, "picture").read_bytes()
            yield Specimen(picture, known["mimeType"], known["truth"])


def _use_one_thread() -> None:
    # To send cv2's function itself, pickle would search all modules for it.
    cv2.setNumThreads(1)


def _keep(folder: Path, number: int, order: Order) -> None:
    specimen = order()
    _file(folder, number, "picture").write_bytes(specimen.image_bytes)
    known = json.dumps({"mimeType": specimen.mime_type, "truth": specimen.truth})
    _file(folder, number, "json").write_text(known, encoding="utf-8")


def _file(folder: Path, number: int, suffix: str) -> Path:
    return folder / f"{number:05}.{suffix}"


def pictured(taken: Capture, **truth: object) -> Specimen:
    """Encode a capture as the JPEG that a client sends, with its ground truth."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, taken.jpeg_quality]
    return Specimen(cv2.imencode(".jpg", taken.pixels, quality)[1].tobytes(), "image/jpeg", truth)


def turns_of(number: int) -> int:
    """Return the quarter turns of a picture: one in five is not upright."""
    return 1 + number // 5 % 3 if number % 5 == 4 else 0


def difficulty_of(number: int, among: Sequence[Difficulty] = tuple(Difficulty)) -> Difficulty:
    return among[number % len(among)]
