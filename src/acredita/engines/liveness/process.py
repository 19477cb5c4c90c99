"""What a face process is asked to do about liveness."""

from collections.abc import Sequence
from typing import Final

from acredita.domain.liveness import Examination

ENGINE_VERSION: Final = "liveness-1 blazeface facemesh iris dlib-resnet-v1"


def examine_frames(
    frames: Sequence[tuple[str, bytes]], selfie: tuple[bytes, str] | None
) -> Examination:
    """`frames`: each its prompt and a JPEG, in the order in which they were taken."""
    from acredita.engines.liveness.examine import examine  # noqa: PLC0415

    return examine(frames, selfie)
