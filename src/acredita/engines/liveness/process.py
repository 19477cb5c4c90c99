"""The functions for liveness that run in face processes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from acredita.domain.liveness.challenge import Examination

ENGINE_VERSION: Final = "liveness-4 blazeface facemesh iris"
"""Without the embedding's version, which an examination's face has."""


def examine_frames(
    frames: Sequence[tuple[str, bytes, str]],
    selfies: Sequence[tuple[bytes, str]],
    passive_model: Path | None,
    threads: int,
) -> Examination:
    """Measure `frames` (prompt id, bytes, MIME type), in the order in which they were taken. Raise
    ModelRefused."""
    from acredita.engines.liveness.measure_frames import examine  # noqa: PLC0415

    return examine(frames, selfies, passive_model, threads)


def compare_films(
    questions: Sequence[tuple[Sequence[bytes], Sequence[bytes]]],
) -> list[list[float]]:
    """Return for each pair of clip and film the distances of the clip's prints to the nearest of
    the film (`prints.differences`)."""
    from acredita.engines.liveness.frame_prints import differences  # noqa: PLC0415

    return [differences(clip, film) for clip, film in questions]
