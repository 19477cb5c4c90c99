"""What a face process is asked to do. The engine is imported in those processes alone."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from acredita.domain.documents import Signal
from acredita.domain.faces import Comparison

ENGINE_VERSION: Final = "face-2 blazeface facemesh dlib-resnet-v1"


def warm_up(threads: int, folder: Path | None) -> None:
    """Load the models, from `folder` where it is named; the pool's initializer."""
    from acredita.engines.face import models  # noqa: PLC0415

    models.warm_up(threads, folder)


def compare_faces(portraits: Sequence[tuple[bytes, str]], selfie: tuple[bytes, str]) -> Comparison:
    """The first of `portraits` (bytes, MIME type) that shows a face, against `selfie`."""
    from acredita.engines.face.compare import compare  # noqa: PLC0415

    return compare(portraits, selfie)


def compare_repetition(picture: bytes) -> tuple[Signal, ...]:
    """A page's portrait against its small repetition; `picture` is the page laid flat, as JPEG."""
    from acredita.engines.face.repetition import repetition  # noqa: PLC0415

    return repetition(picture)
