"""The active liveness challenge: the moves that a person must make, and whether they made them.

A challenge has random moves in a random order. Each move is judged against the person's own resting
face. A photograph or a film made beforehand does not show this order. Frames of another person are
detected by the face. Frames that were generated for this challenge and injected into the camera are
not detected, so the service claims no conformance to ISO/IEC 30107-3.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate, pairwise, takewhile
from random import Random
from statistics import median
from typing import Final

from acredita.domain.faces import FaceEmbedding
from acredita.domain.liveness.light import Glow
from acredita.domain.reasons import LivenessReason

RULES: Final = "liveness-5"
MOVES: Final = 4
PROMPT_MILLISECONDS: Final = 5000
LIGHT_PROMPT: Final = f"p{MOVES + 2}"
"""The prompt id of the frames that are taken in the screen's light, after all moves."""
# Time beyond the prompts, for reading them and for the upload.
SPARE_SECONDS: Final = 30
FEWEST_FRAMES, MOST_FRAMES = 3, 12
"""Frames per prompt."""

# Limits of a move, relative to the resting face: degrees for turns, otherwise shares. On drawn
# heads, a turn by 28 degrees measures 24 to 29, a chin raised by 13 measures 12, and closed eyes
# fall to 0.2.
_TURNED: Final = 15.0
_RAISED: Final = 7.0
_CLOSED: Final = 0.6
_MOUTH_OPEN: Final = 0.15
_SMILING: Final = 1.08
# Degrees. A face that moves more than this while it should rest gives no reference.
_MOST_UNREST: Final = 8.0
# A move reaches its extent, then stays or returns. Faces and measurements tremble during a move: a
# reversal up to these limits is not a second move.
_TREMBLING: Final = 0.4
_WAVERING: Final = 0.27
"""A share of the move's extent."""
# People also blink spontaneously.
_MOST_BLINKS: Final = 2
# Nobody turns, looks up or opens the mouth this far without a prompt during another move, so such a
# frame belongs to another prompt. Degrees, and the mouth's opening (a laugh opens it by 0.25).
_TURNED_UNASKED: Final = 20.0
_RAISED_UNASKED: Final = 15.0
_OPENED_UNASKED: Final = 0.3
# A share of the previous move's extent: a face that still holds this share has not begun the next
# move. This matters if the measurements of two moves are similar: an open mouth is wide, and a
# turned head seems raised.
_HELD: Final = 0.7
# A share of a move's extent. Below it, the person has not made the move yet.
BEGINNING: Final = 0.5
# One frame in ten may lack a face.
_LEAST_FACE_SHARE: Final = 0.9
# Distances of embeddings (domain.faces). Of two real women who laugh, cry and close their eyes,
# eight photographs each are within 0.62 of the first one. Of strangers, one pair in two hundred is
# within 0.68.
FACE_CHANGED: Final = 0.68
# In a chain of these photographs, the largest distance is 0.43. Of strangers, one pair in ten
# thousand is within 0.55.
FACE_LEAPT: Final = 0.55
# Nobody reads a prompt and moves faster. Frames that arrive sooner were made beforehand.
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


RESEMBLING_MOVES: Final[Mapping[Move, tuple[Move, ...]]] = {
    Move.SMILE: (Move.OPEN_MOUTH, *_TURNS),
    Move.LOOK_UP: _TURNS,
}
"""For a move, the other moves that change its measurement too."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One requested move. Its cue comes `still` milliseconds after the prompt begins
    (`domain/liveness/cue_timing`)."""

    id: str
    move: Move
    still: int = 0


@dataclass(frozen=True, slots=True)
class Expression:
    """The pose and expression of a face on one frame.

    Angles are in degrees: positive `yaw` turns to the person's left, positive `pitch` looks up.
    `eyes` and `mouth` are openings as shares of their widths. `smile` is the width of the mouth as
    a share of the distance between the eyes.
    """

    yaw: float
    pitch: float
    roll: float
    eyes: float
    mouth: float
    smile: float


@dataclass(frozen=True, slots=True)
class Frame:
    """The measurements of one frame; `faces` is the number of faces.

    `distance` is from its face's embedding to that of the first face. `leap` is the longest step on
    the best path between these two embeddings through those of the other frames.
    """

    prompt: str
    faces: int
    expression: Expression | None = None
    distance: float | None = None
    leap: float = 0.0


@dataclass(frozen=True, slots=True)
class Signals:
    """Measures that a picture of a picture may raise; medians over the frames.

    They prove nothing: on three real samples, none separates the two attacks from the living face.
    They are recorded for reviewers and decide nothing.
    """

    moire: float
    sharpness: float
    saturation: float
    border: float


@dataclass(frozen=True, slots=True)
class Passive:
    """The result of the operator's passive model: its lowest probability over the frames."""

    model: str
    probability: float
    threshold: float


@dataclass(frozen=True, slots=True)
class Print:
    """What recognizes a repeated frame (`engines/liveness/frame_prints`).

    `levels` are compared: PRINT_BYTES int8 values. `codes` find candidates: for each band, first
    the frame's own code, then the nearest other codes to search for.
    """

    levels: bytes
    codes: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Examination:
    """The engine's measurements of a challenge.

    `frames` are in the order in which they were taken. `selfie` is the distance from the first face
    to the selfie's face. `embedding` is that of the first face. `prints` and `glows` have one
    entry per frame, None for a frame without a face.
    """

    frames: tuple[Frame, ...]
    selfie: float | None
    signals: Signals | None
    passive: Passive | None = None
    embedding: FaceEmbedding | None = None
    prints: tuple[Print | None, ...] = ()
    glows: tuple[Glow | None, ...] = ()


@dataclass(frozen=True, slots=True)
class LivenessJudgement:
    """`code` is None for a passed challenge. `moves` states by prompt id whether the person made
    the move."""

    code: LivenessReason | None
    moves: Mapping[str, bool] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        return self.code is None


def draw_prompts(rng: Random) -> list[Prompt]:
    """Draw the prompts: the resting face, then MOVES different moves in random order, at least
    one of them a turn of the head."""
    turn = rng.choice([Move.TURN_LEFT, Move.TURN_RIGHT])
    others = [move for move in Move if move not in (Move.LOOK_STRAIGHT, turn)]
    moves = [turn, *rng.sample(others, MOVES - 1)]
    rng.shuffle(moves)
    return [
        Prompt(f"p{place}", move)
        for place, move in enumerate([Move.LOOK_STRAIGHT, *moves], start=1)
    ]


def judge(
    prompts: Sequence[Prompt], frames: Sequence[Frame], *, selfie: float | None
) -> LivenessJudgement:
    """Judge an active challenge.

    `frames` are in the order in which they were taken. `selfie` is the distance from the first
    frame's face to the selfie's face (Euclidean, of embeddings), None without a selfie.
    """
    code = _identity_fault(frames, selfie)
    if code is not None:
        return LivenessJudgement(code)
    by_prompt = {
        prompt.id: [f.expression for f in frames if f.prompt == prompt.id and f.expression]
        for prompt in prompts
    }
    rest = resting_expression(by_prompt[prompts[0].id])
    if rest is None:
        return LivenessJudgement(
            LivenessReason.LIVENESS_MOVE_NOT_SEEN, dict.fromkeys(by_prompt, False)
        )
    progress = _progress_by_prompt(prompts, by_prompt, rest)
    moves = {p.id: _is_followed(p.move, progress[p.id]) for p in prompts}
    if not all(moves.values()):
        return LivenessJudgement(LivenessReason.LIVENESS_MOVE_NOT_SEEN, moves)
    out_of_order = any(_is_out_of_order(p.move, progress[p.id]) for p in prompts)
    formers = (None, *(prompt.move for prompt in prompts))
    if out_of_order or any(
        _makes_another_move(former, prompt.move, by_prompt[prompt.id], rest)
        for former, prompt in zip(formers, prompts, strict=False)
    ):
        return LivenessJudgement(LivenessReason.LIVENESS_FRAMES_DISORDERED, moves)
    return LivenessJudgement(None, moves)


def _progress_by_prompt(
    prompts: Sequence[Prompt], by_prompt: Mapping[str, Sequence[Expression]], rest: Expression
) -> dict[str, list[float]]:
    """The progress of each prompt's move; a former move that is still held counts as none."""
    progress = {p.id: _progress(p.move, by_prompt[p.id], rest) for p in prompts}
    for former, prompt in pairwise(prompts):
        if former.move in RESEMBLING_MOVES.get(prompt.move, ()):
            held_frames = count_held_frames(
                former.move, by_prompt[former.id], by_prompt[prompt.id], rest
            )
            way = progress[prompt.id]
            way[:held_frames] = [min(way, default=0.0)] * held_frames
    return progress


def judge_passively(examined: Examination) -> LivenessJudgement:
    """Judge pictures without a challenge by the operator's passive model."""
    if examined.passive is None:
        return LivenessJudgement(LivenessReason.LIVENESS_NOT_PROVEN)
    code = _identity_fault(examined.frames, examined.selfie)
    if code is None and examined.passive.probability < examined.passive.threshold:
        code = LivenessReason.LIVENESS_SPOOF_SUSPECTED
    return LivenessJudgement(code)


def judge_speech(examined: Examination) -> LivenessJudgement:
    """Judge a film of a person who reads numbers aloud. What the frames show can speak against the
    film. Nothing speaks for it, as nobody hears the numbers."""
    if not examined.frames:
        return LivenessJudgement(LivenessReason.LIVENESS_SPEECH_NOT_JUDGED)
    code = _identity_fault(examined.frames, examined.selfie)
    if code is None and examined.passive is not None:
        code = judge_passively(examined).code
    return LivenessJudgement(code or LivenessReason.LIVENESS_SPEECH_NOT_JUDGED)


def _identity_fault(frames: Sequence[Frame], selfie: float | None) -> LivenessReason | None:
    """Return the code if not all frames and the selfie show the same single face."""
    if any(frame.faces > 1 for frame in frames):
        return LivenessReason.LIVENESS_SEVERAL_FACES
    seen = [frame for frame in frames if frame.faces]
    if not seen or not frames[0].faces or len(seen) < _LEAST_FACE_SHARE * len(frames):
        return LivenessReason.LIVENESS_FACE_NOT_FOUND
    if any(
        frame.distance is None or frame.distance > FACE_CHANGED or frame.leap > FACE_LEAPT
        for frame in seen
    ):
        return LivenessReason.LIVENESS_FACE_CHANGED
    if selfie is not None and selfie > FACE_CHANGED:
        return LivenessReason.LIVENESS_SELFIE_MISMATCH
    return None


def resting_expression(expressions: Sequence[Expression]) -> Expression | None:
    """Return the median of each measure; None with too few frames or if the head moves."""
    if len(expressions) < FEWEST_FRAMES:
        return None
    names = ("yaw", "pitch", "roll", "eyes", "mouth", "smile")
    middle = Expression(*(median(getattr(e, name) for e in expressions) for name in names))
    largest_deviation = max(
        max(abs(e.yaw - middle.yaw), abs(e.pitch - middle.pitch)) for e in expressions
    )
    return middle if largest_deviation <= _MOST_UNREST else None


_PROGRESS: Final[Mapping[Move, Callable[[Expression, Expression], float]]] = {
    Move.LOOK_STRAIGHT: lambda *_: 0.0,
    Move.TURN_LEFT: lambda now, rest: (now.yaw - rest.yaw) / _TURNED,
    Move.TURN_RIGHT: lambda now, rest: (rest.yaw - now.yaw) / _TURNED,
    Move.LOOK_UP: lambda now, rest: (now.pitch - rest.pitch) / _RAISED,
    Move.BLINK: lambda now, rest: (1 - now.eyes / max(rest.eyes, 1e-3)) / (1 - _CLOSED),
    Move.SMILE: lambda now, rest: (now.smile / max(rest.smile, 1e-3) - 1) / (_SMILING - 1),
    Move.OPEN_MOUTH: lambda now, rest: (now.mouth - rest.mouth) / _MOUTH_OPEN,
}
"""The share of a move that is made: 0 at rest, 1 where it begins to count."""


def progress(move: Move, now: Expression, rest: Expression) -> float:
    """Return the share of a move that is made: 0 at rest, 1 or more where it counts."""
    return _PROGRESS[move](now, rest)


def _progress(move: Move, expressions: Sequence[Expression], rest: Expression) -> list[float]:
    return [_PROGRESS[move](expression, rest) for expression in expressions]


def _is_followed(move: Move, progress: Sequence[float]) -> bool:
    if len(progress) < FEWEST_FRAMES:
        return False
    # Eyes that are closed, or a head that is turned, on all frames did not move. A photograph of
    # each pose would look like that.
    return move is Move.LOOK_STRAIGHT or (
        max(progress) >= 1 and min(progress) <= BEGINNING * max(progress)
    )


def _is_out_of_order(move: Move, progress: Sequence[float]) -> bool:
    """Whether the frames are not in the order of a face that makes the move once.

    Such a face starts at rest, goes to the move's extent, and stays there or comes back. Shuffled
    frames that happen to follow such a course are not detected.
    """
    if move is Move.LOOK_STRAIGHT:
        return False
    extent = max(progress)
    if move is Move.BLINK:
        closed = [opening > BEGINNING * extent for opening in (0.0, *progress)]
        return sum(now and not before for before, now in pairwise(closed)) > _MOST_BLINKS
    if progress[0] > BEGINNING * extent:
        return True
    return _largest_reversal(progress) > max(_TREMBLING, _WAVERING * (extent - min(progress)))


def count_held_frames(
    former: Move, before: Sequence[Expression], now: Sequence[Expression], rest: Expression
) -> int:
    """Return the number of first frames in `now` on which the face still makes the former move."""
    enough = _HELD * max(_progress(former, before, rest), default=math.inf)
    return sum(1 for _ in takewhile(lambda made: made >= enough, _progress(former, now, rest)))


def _makes_another_move(
    former: Move | None, move: Move, expressions: Sequence[Expression], rest: Expression
) -> bool:
    """Whether the face turns, looks up or opens the mouth although `move` does not request it. The
    former move may still end."""
    turned = [now.yaw - rest.yaw for now in expressions]
    left = [max(0.0, yaw) for yaw in turned]
    right = [max(0.0, -yaw) for yaw in turned]
    raised = [now.pitch - rest.pitch for now in expressions]
    opened = [now.mouth - rest.mouth for now in expressions]
    # Each with the moves that allow it (people mistake the side) and the former moves that may end.
    ways = (
        (left, _TURNED_UNASKED, _TURNS, (Move.TURN_LEFT,)),
        (right, _TURNED_UNASKED, _TURNS, (Move.TURN_RIGHT,)),
        (raised, _RAISED_UNASKED, (Move.LOOK_UP,), (Move.LOOK_UP,)),
        (opened, _OPENED_UNASKED, _OPENING, _OPENING),
    )
    return any(
        move not in asked and _largest_rise(way, way[0] if former in ending else 0.0) > most
        for way, most, asked, ending in ways
        if way
    )


def _largest_rise(way: Sequence[float], start: float) -> float:
    """Return the largest rise of the course above an earlier value."""
    least = accumulate(way, min, initial=start)
    return max(now - low for now, low in zip(way, least, strict=False))


def _largest_reversal(progress: Sequence[float]) -> float:
    """Return the largest fall before the peak, or the largest rise after it."""
    backward = list(accumulate(progress, max))
    forward = list(accumulate(reversed(progress), max))[::-1]
    # For any choice of the peak, values before it may only rise and values after it only fall.
    return max(
        min(before, after) - now
        for before, now, after in zip(backward, progress, forward, strict=True)
    )
