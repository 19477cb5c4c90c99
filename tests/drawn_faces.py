"""Faces that were drawn once in a run, for all of its processes.

Four people have faces, and to draw one takes up to a second of the processor. A picture is a function
of the face, its expression and how it is photographed, so the processes of a run share what each of
them drew. `drawn_anew` is for tests of the drawing itself.
"""

import hashlib
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acredita_synthetic.faces import pictures

# The folder of the run.
FOLDER = "TESTS_DRAWN_FACES"
_draw = pictures.render


def install() -> None:
    pictures.render = _drawn_once


@contextmanager
def drawn_anew() -> Iterator[None]:
    """Draw each picture, whatever was drawn before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "render", _draw)
        for kept in (pictures.draw_portrait, pictures._still):
            kept.cache_clear()
        yield


def _drawn_once(*what: Any) -> pictures.Picture:
    key = hashlib.sha256(pickle.dumps(what)).hexdigest()
    file = Path(os.environ[FOLDER]) / f"{key}.npy"
    try:
        return np.load(file)  # type: ignore[no-any-return]
    except FileNotFoundError:
        picture = _draw(*what)
    # Whole or not at all: another process may look for it now.
    unfinished = file.with_suffix(f".{os.getpid()}")
    with unfinished.open("wb") as target:
        np.save(target, picture)
    unfinished.rename(file)
    return picture
