"""Whether a film of a challenge repeats a former film, by the prints of its frames.

A film that is sent again repeats every frame of a move, however the pictures were processed. A
person who makes the move again in the same chair and light comes near some former frames by chance,
but never near all frames of a move. Resting frames prove nothing: a face at rest always looks the
same.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Final

from acredita.domain.liveness.challenge import (
    Expression,
    Frame,
    Move,
    Prompt,
    progress,
    resting_expression,
)

NEAR: Final = 0.2
"""Hundredths of a print's side (`engines/liveness/frame_prints.differences`).

For drawn people, three in four frames of every repeated clip lie within 0.19, and no honest clip's
lie within 0.22."""
_SAME: Final = 0.1
"""The limit for clips of two moving frames, which come near by chance more often than three. One
honest frame in 140 lies within it, and nine copies in ten, however they were processed."""
_ENOUGH: Final = 3
_SPARED: Final = 4
"""One frame in this many need not be near."""
_AMID: Final = 0.5
"""The share of a move from which on a frame counts as moving."""
KEPT: Final = 0.3
"""The same for stored frames, which later ones are compared with. It is lower because a frame does
not measure the same share twice."""

Clip = Sequence[float]
"""The distances of the moving frames of one prompt to the nearest frames of one former film."""


def moving_frames(
    prompts: Sequence[Prompt], frames: Sequence[Frame], least: float = _AMID
) -> dict[str, list[int]]:
    """Return by prompt id the indices of the frames that make at least the share `least` of its
    move. Without a resting face, these are all frames of the prompt that have a face."""
    rest = resting_expression(
        [f.expression for f in frames if f.prompt == prompts[0].id and f.expression]
    )
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
    """Whether a clip of the film was in a former film, or several short clips were.

    `formers` has one entry per former film: for each prompt, the distances of its moving frames to
    the nearest frames of that film.
    """
    prompts = {prompt for former in formers for prompt in former}
    clips = {prompt: [each[prompt] for each in formers if prompt in each] for prompt in prompts}
    if any(any(map(_is_copied, each)) or _is_mixed_of_two(each) for each in clips.values()):
        return True
    return _are_short_clips_copied(formers, clips.values())


def _are_short_clips_copied(
    formers: Sequence[Mapping[str, Clip]], clips: Collection[Sequence[Clip]]
) -> bool:
    """Whether the clips that are too short to judge alone repeat former ones together.

    Two challenges share at least two of their four moves. So a film that is cut together from
    single clips repeats two or more, possibly of different former films.
    """
    if any(
        _is_copied([value for clip in former.values() if len(clip) < _ENOUGH for value in clip])
        for former in formers
    ):
        return True
    nearest = [min(each, key=max) for each in clips if 0 < len(each[0]) < _ENOUGH]
    return sum(len(clip) for clip in nearest if max(clip) <= _SAME) >= _ENOUGH - 1


def _is_copied(clip: Clip) -> bool:
    if len(clip) < _ENOUGH:
        return len(clip) == _ENOUGH - 1 and max(clip) <= _SAME
    return _count_far(clip) <= len(clip) // _SPARED


def _is_mixed_of_two(clips: Sequence[Clip]) -> bool:
    """Whether the clip mixes frames of two former films."""
    return any(
        len(one) >= _SPARED and _is_copied([min(pair) for pair in zip(one, other, strict=True)])
        for one, other in combinations(clips, 2)
    )


def _count_far(clip: Clip) -> int:
    return sum(value > NEAR for value in clip)
