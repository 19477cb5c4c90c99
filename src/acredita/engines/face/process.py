"""The functions that run in face processes. Only these processes import the engine."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from acredita.domain.documents import Box, PageKind, Portrait, Signal
from acredita.domain.faces import Comparison

ENGINE_VERSION: Final = "face-4 blazeface facemesh"
"""Without the embedding's version, which a comparison names."""


def warm_up(
    threads: int,
    folder: Path | None,
    own_embedding: Path | None,
    device: str = "cpu",
    shared: Path | None = None,
) -> None:
    """Load the models from `folder` (None: the default) and the operator's embedding, if any; the
    pool's initializer. `device`: cpu or cuda. `shared`: see sessions.share_in.

    Raise ModelsMissing, ModelRefused, DeviceMissing.
    """
    from acredita.engines import device as devices  # noqa: PLC0415
    from acredita.engines import sessions  # noqa: PLC0415
    from acredita.engines.face import models, network  # noqa: PLC0415

    devices.choose(devices.Device(device))
    sessions.share_in(shared)
    models.warm_up(threads, folder, own_embedding)
    network.network()


def compare_faces(portraits: Sequence[tuple[bytes, str]], selfie: tuple[bytes, str]) -> Comparison:
    """Compare the first of `portraits` that shows a face with `selfie`.

    Each is the bytes of an image file and its MIME type.
    """
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
