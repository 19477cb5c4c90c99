"""Whether a film of a challenge was seen before, by what its frames show.

A film that is sent again has every frame of a move again, whatever was done to the pictures. A
person who makes the move once more, in the same chair and the same light, comes near one or the
other former frame by chance, and near all of a move's frames never. Resting frames say nothing:
a face at rest always looks like itself.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Final

from acredita.domain.liveness import Expression, Frame, Move, Prompt, progress, rest_of

NEAR: Final = 0.2
"""Hundredths of a print's side (`engines/liveness/prints.differences`). Of drawn people's clips all
but one frame in four of those sent again lie within 0.19, of honest ones none within 0.22."""
_SAME: Final = 0.1
"""For two moving frames, which come near by chance more often than three: one honest frame in 140
lies within this, and nine copies in ten do, whatever was done to them."""
_ENOUGH: Final = 3
_SPARED: Final = 4
"""One frame of so many need not be near."""
_AMID: Final = 0.5
"""From this share of a move on, a frame is one of it."""
KEPT: Final = 0.3
"""Of a move, likewise, for frames that later ones are compared with: measured twice, a frame is not
as far on both times."""

Clip = Sequence[float]
"""How far each moving frame of one prompt is from the nearest frame of one former film."""


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
    """Whether a clip of the film was in a former film, or several short clips were.

    `formers` has one entry per former film: for each prompt, the distances of its moving frames to
    the nearest frames of that film.
    """
    prompts = {prompt for former in formers for prompt in former}
    clips = {prompt: [each[prompt] for each in formers if prompt in each] for prompt in prompts}
    if any(any(map(_is_taken_over, of)) or _is_of_two(of) for of in clips.values()):
        return True
    return _are_short_clips_taken_over(formers, clips.values())


def _are_short_clips_taken_over(
    formers: Sequence[Mapping[str, Clip]], clips: Collection[Sequence[Clip]]
) -> bool:
    """Whether the clips that are too short to be judged alone repeat former ones together.

    Two challenges share two of their four moves at least. A film of single clips therefore repeats
    two or more, which may stem from different former films.
    """
    if any(
        _is_taken_over([value for clip in former.values() if len(clip) < _ENOUGH for value in clip])
        for former in formers
    ):
        return True
    nearest = [min(of, key=max) for of in clips if 0 < len(of[0]) < _ENOUGH]
    return sum(len(clip) for clip in nearest if max(clip) <= _SAME) >= _ENOUGH - 1


def _is_taken_over(clip: Clip) -> bool:
    if len(clip) < _ENOUGH:
        return len(clip) == _ENOUGH - 1 and max(clip) <= _SAME
    return _far(clip) <= len(clip) // _SPARED


def _is_of_two(clips: Sequence[Clip]) -> bool:
    """Whether the frames of two former films were mixed."""
    return any(
        len(one) >= _SPARED and _is_taken_over([min(pair) for pair in zip(one, other, strict=True)])
        for one, other in combinations(clips, 2)
    )


def _far(clip: Clip) -> int:
    return sum(value > NEAR for value in clip)
