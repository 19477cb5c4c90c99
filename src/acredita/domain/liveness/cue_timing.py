"""The moments of a challenge's moves: whether the face keeps still until the cue for each move.

The server draws how long the face must keep still before a move. A film that was made for other
moments and is played to the camera shows the move too early. The client states which frames it took
before the cue, so an attacker's own client may send any frames as these. An attacker who starts a
clip at the cue is not detected. `docs/compliance/recognition.md` has the measurements.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random
from typing import Final

from acredita.domain.liveness.challenge import (
    BEGINNING,
    RESEMBLING_MOVES,
    Expression,
    Frame,
    Move,
    Prompt,
    count_held_frames,
    progress,
    resting_expression,
)
from acredita.domain.liveness.light import Observation

VERSION: Final = "moments-1"
STILLS: Final = (0, 400, 800, 1200)
"""The possible times in milliseconds for which the face must keep still before a cue."""
MOST_FRAMES: Final = 2
"""Frames of one prompt that are taken before its cue."""

_HIDDEN_BY: Final[Mapping[Move, tuple[Move, ...]]] = {
    **RESEMBLING_MOVES,
    # A laugh that has not ended opens the mouth.
    Move.OPEN_MOUTH: (Move.SMILE,),
}


@dataclass(frozen=True, slots=True)
class Moments:
    """`ahead` has by prompt id the share of the move that was made before its cue: 0 at rest, 1
    where it begins to count."""

    verdict: Observation
    ahead: Mapping[str, float] = field(default_factory=dict)


def draw_stills(prompts: Sequence[Prompt], rng: Random) -> list[Prompt]:
    """Return the prompts with a random `still` for each move; the resting prompt keeps 0.

    At least one move other than a blink gets more than 0. People blink unasked, so the moment of a
    blink proves nothing.
    """
    rest, *moves = prompts
    while True:
        drawn = [replace(prompt, still=rng.choice(STILLS)) for prompt in moves]
        if any(prompt.still and prompt.move is not Move.BLINK for prompt in drawn):
            return [rest, *drawn]


def before_cue(prompt_id: str) -> str:
    """Return the prompt id of the frames that are taken before the cue of a prompt."""
    return f"{prompt_id}s"


def judge(prompts: Sequence[Prompt], frames: Sequence[Frame]) -> Moments:
    """Judge the moments of all moves. `frames` are in the order in which they were taken, including
    those with the prompt ids of `before_cue`.

    SEEN: no move began before its cue, and each was made after it. DIFFERENT: a frame before the
    cue clearly shows the move. NOT_SEEN: the frames do not show either. NOT_SHOWN: there are no
    frames from before a cue.
    """
    seen: dict[str, list[Expression]] = {}
    for frame in frames:
        expressions = seen.setdefault(frame.prompt, [])
        if frame.expression is not None:
            expressions.append(frame.expression)
    if not any(before_cue(prompt.id) in seen for prompt in prompts):
        return Moments(Observation.NOT_SHOWN)
    rest = resting_expression(seen.get(prompts[0].id, []))
    if rest is None:
        return Moments(Observation.NOT_SEEN)
    verdicts, ahead = set(), {}
    for former, prompt in pairwise(prompts):
        if not prompt.still or prompt.move is Move.BLINK:
            continue
        still = seen.get(before_cue(prompt.id), [])
        if not still:
            verdicts.add(Observation.NOT_SEEN)
            continue
        held = 0
        if former.move in _HIDDEN_BY.get(prompt.move, ()):
            held = count_held_frames(former.move, seen.get(former.id, []), still, rest)
        early = _most(prompt.move, still[held:], rest)
        verdicts.add(_verdict(early, _most(prompt.move, seen.get(prompt.id, []), rest)))
        ahead[prompt.id] = round(early, 3)
    for verdict in (Observation.DIFFERENT, Observation.NOT_SEEN):
        if verdict in verdicts:
            return Moments(verdict, ahead)
    return Moments(Observation.SEEN, ahead)


def _most(move: Move, expressions: Sequence[Expression], rest: Expression) -> float:
    return max((progress(move, each, rest) for each in expressions), default=0.0)


def _verdict(early: float, extent: float) -> Observation:
    """Judge one prompt by the share of its move before the cue (`early`) and after it."""
    if extent >= 1 and early <= BEGINNING * extent:
        return Observation.SEEN
    return Observation.DIFFERENT if early >= 1 else Observation.NOT_SEEN
