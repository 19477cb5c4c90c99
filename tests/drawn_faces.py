"""Faces that are drawn once in a run, for all of its processes.

Four people have faces, and to draw one takes up to a second of the processor. A picture is a
function of the face, its expression and the camera, so the processes share what each of them drew.
"""

import io
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from acredita_synthetic.faces import pictures
from tests import kept_in_run

_draw = pictures.render


def install() -> None:
    pictures.render = _draw_once


@contextmanager
def drawn_again() -> Iterator[None]:
    """Draw each picture, whatever was drawn before: for tests of the drawing itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "render", _draw)
        for kept in (pictures.draw_portrait, pictures._still):
            kept.cache_clear()
        yield


def _draw_once(*what: Any) -> pictures.Picture:
    key = pickle.dumps(what)
    if kept := kept_in_run.find(b"face", key):
        return np.load(io.BytesIO(kept))  # type: ignore[no-any-return]
    picture, file = _draw(*what), io.BytesIO()
    np.save(file, picture)
    kept_in_run.keep(file.getvalue(), b"face", key)
    return picture
