"""Whether a film of a challenge was seen before, by what its frames show.

A film that is sent again has every frame of a move again, whatever was done to the pictures. A
person who makes the move once more, in the same chair and the same light, comes near one or the
other former frame by chance, and near all of a move's frames never. Resting frames say nothing:
a face at rest always looks like itself.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from acredita.domain.liveness import Expression, Frame, Move, Prompt, progress, rest_of

NEAR: Final = 0.998
"""Correlation of two prints (`engines/liveness/prints`); `docs/recognition.md` says what passes."""
_SAME: Final = 0.999
"""For a clip of two moving frames, which chance brings near more often than three."""
_ENOUGH: Final = 3
_SPARED: Final = 4
"""One frame of so many need not be near."""
_AMID: Final = 0.5
"""From this share of a move on, a frame is one of it."""
KEPT: Final = 0.3
"""Of a move, likewise, for frames that later ones are compared with: measured twice, a frame is not
as far on both times."""

Clip = Sequence[float]
"""How near each moving frame of one prompt comes to the nearest frame of one former film."""


def moving(
    prompts: Sequence[Prompt], frames: Sequence[Frame], least: float = _AMID
) -> dict[str, list[int]]:
    """By prompt, the places of the frames on which its move is made, from `least` on; all of a
    prompt's frames where no resting face can be told."""
    rest = rest_of([f.expression for f in frames if f.prompt == prompts[0].id and f.expression])
    return {
        prompt.id: [
            place
            for place, frame in enumerate(frames)
            if frame.prompt == prompt.id and _is_amid(prompt.move, frame.expression, rest, least)
        ]
        for prompt in prompts
        if prompt.move is not Move.LOOK_STRAIGHT
    }


def _is_amid(move: Move, now: Expression | None, rest: Expression | None, least: float) -> bool:
    if now is None or rest is None:
        return now is not None
    return progress(move, now, rest) >= least


def is_repeated(formers: Sequence[Mapping[str, Clip]]) -> bool:
    """`formers`: for each former film, how near each prompt's moving frames come to its frames.

    One prompt's clip that was taken over suffices. Clips too short to be told each count together.
    """
    prompts = {prompt for former in formers for prompt in former}
    for prompt in prompts:
        clips = [former[prompt] for former in formers if prompt in former]
        if any(map(_is_taken_over, clips)) or _is_of_two(clips):
            return True
    return any(
        _is_taken_over([value for clip in former.values() if len(clip) < _ENOUGH for value in clip])
        for former in formers
    )


def _is_taken_over(clip: Clip) -> bool:
    if len(clip) < _ENOUGH:
        return len(clip) == _ENOUGH - 1 and min(clip) >= _SAME
    return _far(clip) <= len(clip) // _SPARED


def _is_of_two(clips: Sequence[Clip]) -> bool:
    """Whether the frames of two former films were mixed."""
    return any(
        len(one) >= _SPARED and _is_taken_over([max(pair) for pair in zip(one, other, strict=True)])
        for one, other in combinations(clips, 2)
    )


def _far(clip: Clip) -> int:
    return sum(value < NEAR for value in clip)
