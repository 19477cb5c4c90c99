"""The functions for liveness that run in face processes."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from acredita.domain.liveness.challenge import Examination

if TYPE_CHECKING:
    from acredita.engines.liveness.measure_frames import MeasuredFrame

ENGINE_VERSION: Final = "liveness-4 blazeface facemesh iris"
"""Without the embedding's version, which an examination's face has."""


def measure_frames(
    frames: Sequence[tuple[bytes, str]], passive_model: Path | None, threads: int
) -> list["MeasuredFrame | None"]:
    """Measure frames (bytes, MIME type); None for each that is unreadable or has no face. Raise
    ModelRefused."""
    from acredita.engines.liveness import measure_frames as measuring  # noqa: PLC0415

    return measuring.measure_frames(frames, passive_model, threads)


def examine(
    prompts: Sequence[str],
    measured_frames: Sequence["MeasuredFrame | None"],
    selfies: Sequence[tuple[bytes, str]],
    passive_model: Path | None,
) -> Examination:
    """Examine the measured frames of a challenge, with the prompt id of each, in the order in which
    they were taken. Raise ModelRefused."""
    from acredita.engines.liveness import measure_frames as measuring  # noqa: PLC0415

    return measuring.examine(prompts, measured_frames, selfies, passive_model)


def compare_films(
    questions: Sequence[tuple[Sequence[bytes], Sequence[bytes]]],
) -> list[list[float]]:
    """Return for each pair of clip and film the distances of the clip's prints to the nearest of
    the film (`prints.differences`)."""
    from acredita.engines.liveness.frame_prints import differences  # noqa: PLC0415

    return [differences(clip, film) for clip, film in questions]
