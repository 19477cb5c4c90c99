"""The moments of a challenge's moves: whether the face kept still until each was asked for.

The server draws how long the face is to keep still before a move. A film that is played before the
camera, and was made for other moments, shows the move too early. The client says which frames it
took before the cue: who writes a client of their own may send any frames as these, and who starts a
clip at the cue is not detected (`docs/recognition.md` has what was measured).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random
from typing import Final

from acredita.domain.light import Verdict
from acredita.domain.liveness import (
    BEGINNING,
    FEIGNED_BY,
    Expression,
    Frame,
    Move,
    Prompt,
    held_over,
    progress,
    rest_of,
)

VERSION: Final = "moments-1"
STILLS: Final = (0, 400, 800, 1200)
"""Milliseconds for which a face may be asked to keep still before a move is asked for."""
MOST_FRAMES: Final = 2
"""Of one prompt, taken before its cue."""

_HIDDEN_BY: Final[Mapping[Move, tuple[Move, ...]]] = {
    **FEIGNED_BY,
    # A laugh that has not ended opens the mouth.
    Move.OPEN_MOUTH: (Move.SMILE,),
}


@dataclass(frozen=True, slots=True)
class Moments:
    """`ahead` says by prompt how much of the move was made before its cue: 0 at rest, 1 from where
    on it counts."""

    verdict: Verdict
    ahead: Mapping[str, float] = field(default_factory=dict)


def draw_stills(prompts: Sequence[Prompt], rng: Random) -> list[Prompt]:
    """The prompts of a challenge, each but the resting one with a time of chance to keep still.

    It is 0 for all of them never, nor for all but a blink: eyes blink unasked, so nothing can be
    measured of a blink's moment.
    """
    rest, *moves = prompts
    while True:
        drawn = [replace(prompt, still=rng.choice(STILLS)) for prompt in moves]
        if any(prompt.still and prompt.move is not Move.BLINK for prompt in drawn):
            return [rest, *drawn]


def before_cue(prompt_id: str) -> str:
    """Under which the frames go that were taken while the face was asked to keep still."""
    return f"{prompt_id}s"


def judge(prompts: Sequence[Prompt], frames: Sequence[Frame]) -> Moments:
    """`frames` in the order in which they were taken, those of `before_cue` among them.

    SEEN: no move was begun before its cue, and each was made after it. DIFFERENT: a frame before
    the cue plainly shows the move. NOT_SHOWN: there are no frames from before a cue.
    """
    seen: dict[str, list[Expression]] = {}
    for frame in frames:
        expressions = seen.setdefault(frame.prompt, [])
        if frame.expression is not None:
            expressions.append(frame.expression)
    if not any(before_cue(prompt.id) in seen for prompt in prompts):
        return Moments(Verdict.NOT_SHOWN)
    rest = rest_of(seen.get(prompts[0].id, []))
    if rest is None:
        return Moments(Verdict.NOT_SEEN)
    verdicts, ahead = set(), {}
    for former, prompt in pairwise(prompts):
        if not prompt.still or prompt.move is Move.BLINK:
            continue
        still = seen.get(before_cue(prompt.id), [])
        if not still:
            verdicts.add(Verdict.NOT_SEEN)
            continue
        held = 0
        if former.move in _HIDDEN_BY.get(prompt.move, ()):
            held = held_over(former.move, seen.get(former.id, []), still, rest)
        early = _most(prompt.move, still[held:], rest)
        verdicts.add(_verdict(early, _most(prompt.move, seen.get(prompt.id, []), rest)))
        ahead[prompt.id] = round(early, 3)
    for verdict in (Verdict.DIFFERENT, Verdict.NOT_SEEN):
        if verdict in verdicts:
            return Moments(verdict, ahead)
    return Moments(Verdict.SEEN, ahead)


def _most(move: Move, expressions: Sequence[Expression], rest: Expression) -> float:
    return max((progress(move, each, rest) for each in expressions), default=0.0)


def _verdict(early: float, extent: float) -> Verdict:
    """Of one prompt: how much of its move is made before the cue, and after it."""
    if extent >= 1 and early <= BEGINNING * extent:
        return Verdict.SEEN
    return Verdict.DIFFERENT if early >= 1 else Verdict.NOT_SEEN
