"""What a face process is asked to do. The engine is imported in those processes alone."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from acredita.domain.documents import Box, PageKind, Portrait, Signal
from acredita.domain.faces import Comparison

EMBEDDING_VERSION: Final = "dlib-resnet-v1-views-2"
"""Embeddings of different versions cannot be compared."""
ENGINE_VERSION: Final = "face-3 blazeface facemesh dlib-resnet-v1"


def warm_up(threads: int, folder: Path | None) -> None:
    """Load the models, from `folder` where it is named; the pool's initializer."""
    from acredita.engines.face import models  # noqa: PLC0415

    models.warm_up(threads, folder)


def compare_faces(portraits: Sequence[tuple[bytes, str]], selfie: tuple[bytes, str]) -> Comparison:
    """The first of `portraits` (bytes, MIME type) that shows a face, against `selfie`."""
    from acredita.engines.face.compare import compare  # noqa: PLC0415

    return compare(portraits, selfie)


def compare_with_portrait(page: bytes, portrait: Portrait, selfie: tuple[bytes, str]) -> Comparison:
    """A portrait that was read on a flat page (JPEG), against a selfie (bytes, MIME type)."""
    from acredita.engines.face import compare  # noqa: PLC0415

    return compare.compare_with_portrait(page, portrait, selfie)


def read_portrait(
    picture: bytes, kind: PageKind, fields: Box
) -> tuple[Portrait | None, tuple[Signal, ...]]:
    """The portrait of a flat page (JPEG), and what its small repetition says about it."""
    from acredita.engines.face import portrait  # noqa: PLC0415

    return portrait.read_portrait(picture, kind, fields)
