"""The functions that run in face processes. Only these processes import the engine."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from acredita.domain.documents import Box, PageKind, Portrait, Signal
from acredita.domain.faces import Comparison

EMBEDDING_VERSION: Final = "dlib-resnet-v1-views-2"
"""Embeddings of different versions cannot be compared."""
ENGINE_VERSION: Final = "face-3 blazeface facemesh dlib-resnet-v1"


def warm_up(threads: int, folder: Path | None) -> None:
    """Load the models from `folder` (None: the default); the pool's initializer."""
    from acredita.engines.face import models  # noqa: PLC0415

    models.warm_up(threads, folder)


def compare_faces(portraits: Sequence[tuple[bytes, str]], selfie: tuple[bytes, str]) -> Comparison:
    """Compare the first of `portraits` (bytes, MIME type) that shows a face with `selfie`."""
    from acredita.engines.face.compare import compare  # noqa: PLC0415

    return compare(portraits, selfie)


def compare_with_portrait(page: bytes, portrait: Portrait, selfie: tuple[bytes, str]) -> Comparison:
    """Compare a portrait that was read on a flattened page (JPEG) with a selfie (bytes, MIME
    type)."""
    from acredita.engines.face import compare  # noqa: PLC0415

    return compare.compare_with_portrait(page, portrait, selfie)


def read_portrait(
    picture: bytes, kind: PageKind, fields: Box
) -> tuple[Portrait | None, tuple[Signal, ...]]:
    """Return the portrait of a flattened page (JPEG), and the signal of its small repetition."""
    from acredita.engines.face import portrait  # noqa: PLC0415

    return portrait.read_portrait(picture, kind, fields)
