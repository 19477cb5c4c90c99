"""The active liveness challenge: what a person is asked to do, and whether that was done.

Random moves in a random order, each judged against the person's own resting face. A photograph, or
a film made beforehand, does not know the order; another person's frames are told by the face. Who
feeds a camera with pictures made to order is not told: no claim after ISO/IEC 30107-3 is made.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate, pairwise, takewhile
from random import Random
from statistics import median
from typing import Final

from acredita.domain.light import Glow
from acredita.domain.reasons import LivenessReason

RULES: Final = "liveness-5"
MOVES: Final = 4
PROMPT_MILLISECONDS: Final = 5000
LIGHT_PROMPT: Final = f"p{MOVES + 2}"
"""Under which the frames go that were taken in the screen's light, after all moves."""
# What a challenge may take beyond its prompts: to read them, and to upload.
SPARE_SECONDS: Final = 30
FEWEST_FRAMES, MOST_FRAMES = 3, 12
"""Of one prompt."""

# Degrees and shares against the resting face. A drawn head that is told to turn by 28 degrees is
# measured at 24 to 29, one that raises its chin by 13 at 12; eyes that close fall to 0.2.
_TURNED: Final = 15.0
_RAISED: Final = 7.0
_CLOSED: Final = 0.6
_MOUTH_OPEN: Final = 0.15
_SMILING: Final = 1.08
# A resting face that does not rest is no measure for anything.
_UNREST: Final = 8.0
# A move goes there and stays or comes back. Faces tremble meanwhile, and so do measurements: what
# goes back and forth again by no more than this is no second move.
_TREMBLING: Final = 0.4
_WAVERING: Final = 0.27
"""Of the move's extent."""
# Eyes blink unasked.
_MOST_BLINKS: Final = 2
# What nobody does unasked, amid a smile or blink: it is on a frame of another prompt. Degrees, and
# the mouth's opening; a laugh opens it by 0.25.
_TURNED_ASTRAY: Final = 20.0
_RAISED_ASTRAY: Final = 15.0
_OPENED_ASTRAY: Final = 0.3
# A share of its extent: who still holds the former move so far has not begun with the next. It
# matters where the one is measured as the other: an open mouth is wide, a turned head seems raised.
_HELD: Final = 0.7
# Whoever hears what to do has not done it yet.
BEGINNING: Final = 0.5
# A frame in ten may be lost; a face that is gone for longer is gone.
_LEAST_SEEN: Final = 0.9
# Embeddings' distances (domain.faces): a face turned by 30 degrees lies within 0.45 of itself.
FACE_CHANGED: Final = 0.605
# Between a drawn person's frames are leaps of 0.36, between eight photographs of a real one, who
# laughs, cries, closes her eyes, of 0.43 and 0.53. A foreign frame lies 0.57 away at least.
FACE_LEAPT: Final = 0.55
# Nobody reads a prompt and moves in less: frames that come sooner were made beforehand.
FASTEST_SECONDS_A_PROMPT: Final = 0.5

PRINT_BYTES: Final = 64 * 64


class Move(StrEnum):
    LOOK_STRAIGHT = "look_straight"
    TURN_LEFT = "turn_left"
    TURN_RIGHT = "turn_right"
    LOOK_UP = "look_up"
    BLINK = "blink"
    SMILE = "smile"
    OPEN_MOUTH = "open_mouth"


_TURNS: Final = (Move.TURN_LEFT, Move.TURN_RIGHT)
_OPENING: Final = (Move.OPEN_MOUTH, Move.SMILE)


FEIGNED_BY: Final[Mapping[Move, tuple[Move, ...]]] = {
    Move.SMILE: (Move.OPEN_MOUTH, *_TURNS),
    Move.LOOK_UP: _TURNS,
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """Its cue, which asks for the move, comes `still` milliseconds after the prompt begins
    (`domain/moments`)."""

    id: str
    move: Move
    still: int = 0


@dataclass(frozen=True, slots=True)
class Expression:
    """A face at one moment. Angles in degrees: positive `yaw` turns to the person's left, positive
    `pitch` looks up. `eyes` and `mouth` are openings as shares of their widths, `smile` the width
    of the mouth as a share of the distance of the eyes."""

    yaw: float
    pitch: float
    roll: float
    eyes: float
    mouth: float
    smile: float


@dataclass(frozen=True, slots=True)
class Frame:
    """What was seen on one frame. `distance` is that of its face to the first frame's; from face to
    face, the way there from the first frame's takes no longer step than `leap`."""

    prompt: str
    faces: int
    expression: Expression | None = None
    distance: float | None = None
    leap: float = 0.0


@dataclass(frozen=True, slots=True)
class Signals:
    """What a picture of a picture may show; medians over the frames.

    None of them proves anything: of three real samples at hand none separates the two attacks from
    the living face. They are recorded for whoever reviews, and pass or fail nobody.
    """

    moire: float
    sharpness: float
    saturation: float
    border: float


@dataclass(frozen=True, slots=True)
class Passive:
    """What a passive model of the operator's said: the lowest probability over the frames."""

    model: str
    probability: float
    threshold: float


@dataclass(frozen=True, slots=True)
class Print:
    """By what a frame's face is known again (`engines/liveness/prints`): `levels` to compare,
    `codes` to look it up by, for each band the frame's own and then others to be looked for."""

    levels: bytes
    codes: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Examination:
    """What the engine saw: `frames` in their order, the first face's distance to the selfie's.

    `embedding` is that face, 128 numbers; `prints` and `glows` are the frames', None without a
    face.
    """

    frames: tuple[Frame, ...]
    selfie: float | None
    signals: Signals | None
    passive: Passive | None = None
    embedding: tuple[float, ...] | None = None
    prints: tuple[Print | None, ...] = ()
    glows: tuple[Glow | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """`code` is None for a challenge passed; `moves` says by prompt what was followed."""

    code: LivenessReason | None
    moves: Mapping[str, bool] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        return self.code is None


def draw_prompts(rng: Random) -> list[Prompt]:
    """The resting face, then different moves in random order, one turn of the head among them."""
    turn = rng.choice([Move.TURN_LEFT, Move.TURN_RIGHT])
    others = [move for move in Move if move not in (Move.LOOK_STRAIGHT, turn)]
    moves = [turn, *rng.sample(others, MOVES - 1)]
    rng.shuffle(moves)
    return [
        Prompt(f"p{place}", move)
        for place, move in enumerate([Move.LOOK_STRAIGHT, *moves], start=1)
    ]


def judge(prompts: Sequence[Prompt], frames: Sequence[Frame], *, selfie: float | None) -> Finding:
    """`frames` in the order in which they were taken; `selfie` the distance of the first frame's
    face to the selfie's, None without a selfie."""
    code = _identity_fault(frames, selfie)
    if code is not None:
        return Finding(code)
    by_prompt = {
        prompt.id: [f.expression for f in frames if f.prompt == prompt.id and f.expression]
        for prompt in prompts
    }
    rest = rest_of(by_prompt[prompts[0].id])
    if rest is None:
        return Finding(LivenessReason.LIVENESS_MOVE_NOT_SEEN, dict.fromkeys(by_prompt, False))
    progress = {p.id: _progress(p.move, by_prompt[p.id], rest) for p in prompts}
    for former, prompt in pairwise(prompts):
        if former.move in FEIGNED_BY.get(prompt.move, ()):
            held = held_over(former.move, by_prompt[former.id], by_prompt[prompt.id], rest)
            way = progress[prompt.id]
            way[:held] = [min(way, default=0.0)] * held
    moves = {p.id: _followed(p.move, progress[p.id]) for p in prompts}
    if not all(moves.values()):
        return Finding(LivenessReason.LIVENESS_MOVE_NOT_SEEN, moves)
    disordered = any(_disordered(p.move, progress[p.id]) for p in prompts)
    formers = (None, *(prompt.move for prompt in prompts))
    if disordered or any(
        _astray(former, prompt.move, by_prompt[prompt.id], rest)
        for former, prompt in zip(formers, prompts, strict=False)
    ):
        return Finding(LivenessReason.LIVENESS_FRAMES_DISORDERED, moves)
    return Finding(None, moves)


def judge_passively(examined: Examination) -> Finding:
    """Pictures without a challenge, by the operator's model alone."""
    if examined.passive is None:
        return Finding(LivenessReason.LIVENESS_NOT_PROVEN)
    code = _identity_fault(examined.frames, examined.selfie)
    if code is None and examined.passive.probability < examined.passive.threshold:
        code = LivenessReason.LIVENESS_SPOOF_SUSPECTED
    return Finding(code)


def _identity_fault(frames: Sequence[Frame], selfie: float | None) -> LivenessReason | None:
    """One face, the same one on all frames and on the selfie."""
    if any(frame.faces > 1 for frame in frames):
        return LivenessReason.LIVENESS_SEVERAL_FACES
    seen = [frame for frame in frames if frame.faces]
    if not seen or not frames[0].faces or len(seen) < _LEAST_SEEN * len(frames):
        return LivenessReason.LIVENESS_FACE_NOT_FOUND
    if any(
        frame.distance is None or frame.distance > FACE_CHANGED or frame.leap > FACE_LEAPT
        for frame in seen
    ):
        return LivenessReason.LIVENESS_FACE_CHANGED
    if selfie is not None and selfie > FACE_CHANGED:
        return LivenessReason.LIVENESS_SELFIE_MISMATCH
    return None


def rest_of(expressions: Sequence[Expression]) -> Expression | None:
    """The resting face; None where the head moves meanwhile."""
    if len(expressions) < FEWEST_FRAMES:
        return None
    names = ("yaw", "pitch", "roll", "eyes", "mouth", "smile")
    middle = Expression(*(median(getattr(e, name) for e in expressions) for name in names))
    unrest = max(max(abs(e.yaw - middle.yaw), abs(e.pitch - middle.pitch)) for e in expressions)
    return middle if unrest <= _UNREST else None


_PROGRESS: Final[Mapping[Move, Callable[[Expression, Expression], float]]] = {
    Move.LOOK_STRAIGHT: lambda *_: 0.0,
    Move.TURN_LEFT: lambda now, rest: (now.yaw - rest.yaw) / _TURNED,
    Move.TURN_RIGHT: lambda now, rest: (rest.yaw - now.yaw) / _TURNED,
    Move.LOOK_UP: lambda now, rest: (now.pitch - rest.pitch) / _RAISED,
    Move.BLINK: lambda now, rest: (1 - now.eyes / max(rest.eyes, 1e-3)) / (1 - _CLOSED),
    Move.SMILE: lambda now, rest: (now.smile / max(rest.smile, 1e-3) - 1) / (_SMILING - 1),
    Move.OPEN_MOUTH: lambda now, rest: (now.mouth - rest.mouth) / _MOUTH_OPEN,
}
"""How much of a move was made: 0 at rest, 1 from where on it counts."""


def progress(move: Move, now: Expression, rest: Expression) -> float:
    """How much of a move was made: 0 at rest, 1 from where on it counts."""
    return _PROGRESS[move](now, rest)


def _progress(move: Move, expressions: Sequence[Expression], rest: Expression) -> list[float]:
    return [_PROGRESS[move](expression, rest) for expression in expressions]


def _followed(move: Move, progress: Sequence[float]) -> bool:
    if len(progress) < FEWEST_FRAMES:
        return False
    # Eyes that are closed, or a head that is turned, from the first frame to the last did not move:
    # that is how a photograph of each pose would look.
    return move is Move.LOOK_STRAIGHT or (
        max(progress) >= 1 and min(progress) <= BEGINNING * max(progress)
    )


def _disordered(move: Move, progress: Sequence[float]) -> bool:
    """Whether no face that makes the move once goes this way: frames in another order.

    It starts from where it was, goes to the move's extent, and stays there or comes back. An order
    that is such a way as well cannot be told.
    """
    if move is Move.LOOK_STRAIGHT:
        return False
    extent = max(progress)
    if move is Move.BLINK:
        closed = [opening > BEGINNING * extent for opening in (0.0, *progress)]
        return sum(now and not before for before, now in pairwise(closed)) > _MOST_BLINKS
    if progress[0] > BEGINNING * extent:
        return True
    return _setback(progress) > max(_TREMBLING, _WAVERING * (extent - min(progress)))


def held_over(
    former: Move, before: Sequence[Expression], now: Sequence[Expression], rest: Expression
) -> int:
    """On how many frames the face still makes the former move when it is asked for the next."""
    enough = _HELD * max(_progress(former, before, rest), default=math.inf)
    return sum(1 for _ in takewhile(lambda made: made >= enough, _progress(former, now, rest)))


def _astray(
    former: Move | None, move: Move, expressions: Sequence[Expression], rest: Expression
) -> bool:
    """Whether the face does what no turn, no raised head, no open mouth was asked for; what the
    move before was may still end."""
    turned = [now.yaw - rest.yaw for now in expressions]
    left = [max(0.0, yaw) for yaw in turned]
    right = [max(0.0, -yaw) for yaw in turned]
    raised = [now.pitch - rest.pitch for now in expressions]
    opened = [now.mouth - rest.mouth for now in expressions]
    # With the moves amid which it may be (people err about the side), and after which it may end.
    ways = (
        (left, _TURNED_ASTRAY, _TURNS, (Move.TURN_LEFT,)),
        (right, _TURNED_ASTRAY, _TURNS, (Move.TURN_RIGHT,)),
        (raised, _RAISED_ASTRAY, (Move.LOOK_UP,), (Move.LOOK_UP,)),
        (opened, _OPENED_ASTRAY, _OPENING, _OPENING),
    )
    return any(
        move not in asked and _rise(way, way[0] if former in ending else 0.0) > most
        for way, most, asked, ending in ways
        if way
    )


def _rise(way: Sequence[float], start: float) -> float:
    """How far the way rises at most above where it was before."""
    least = accumulate(way, min, initial=start)
    return max(now - low for now, low in zip(way, least, strict=False))


def _setback(progress: Sequence[float]) -> float:
    """By how much the way to the extent leads back, or the way back leads there again."""
    backward = list(accumulate(progress, max))
    forward = list(accumulate(reversed(progress), max))[::-1]
    # Wherever the peak is put, what lies before it may only rise and what lies after it only fall.
    return max(
        min(before, after) - now
        for before, now, after in zip(backward, progress, forward, strict=True)
    )
