"""Simulated courses of a move, as numbers from 0 (at rest) to 1 (its full extent).

A person who is asked to turn the head waits, turns, stays and may come back, at an individual
speed, and trembles. Frames are taken from the prompt on.
"""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from acredita.domain.liveness.challenge import (
    FEWEST_FRAMES,
    MOST_FRAMES,
    Expression,
    Frame,
    Move,
    Prompt,
)

PLAIN = 0.4
"""The share of the extent by which a face must go back and forth to be disordered."""
AT_REST = 0.35
_BLINKS = 2
REST = Expression(yaw=2.0, pitch=-9.0, roll=0.5, eyes=0.3, mouth=0.05, smile=0.55)
_EXTENT = {
    Move.TURN_LEFT: ("yaw", 26.0),
    Move.TURN_RIGHT: ("yaw", -26.0),
    Move.LOOK_UP: ("pitch", 13.0),
    Move.BLINK: ("eyes", -0.24),
    Move.SMILE: ("smile", 0.08),
    Move.OPEN_MOUTH: ("mouth", 0.4),
}
_EXCLUSIVE = ({Move.TURN_LEFT, Move.TURN_RIGHT}, {Move.SMILE, Move.OPEN_MOUTH})
_TREMBLING = {"yaw": 1.2, "pitch": 1.0, "roll": 1.0, "eyes": 0.015, "mouth": 0.015, "smile": 0.006}
"""Standard deviations of a measurement between frames."""


def course(move: Move, rng: Random, count: int) -> list[float]:
    """Return an honest person's extent of the move in each of `count` frames."""
    moments = [place / (count - 1) for place in range(count)]
    if move is Move.LOOK_STRAIGHT:
        return [0.0] * count
    if move is Move.BLINK:
        closed = set(rng.sample(range(1, count), rng.choice([1, 1, 2]) if count > 3 else 1))
        return [float(place in closed) for place in range(count)]
    start, rise = rng.uniform(0.05, 0.4), rng.uniform(0.15, 0.4)
    stay, fall = rng.uniform(0.0, 0.6), rng.uniform(0.15, 0.4)
    top, end = start + rise, start + rise + stay
    way = [
        max(0.0, min((moment - start) / rise, 1.0, 1.0 - (moment - end) / fall))
        for moment in moments
    ]
    if max(way) < 1.0:  # the client always sends the frame of the greatest change
        way[max(range(1, count), key=lambda place: (way[place], -abs(moments[place] - top)))] = 1.0
    return way


def film(prompts: Sequence[Prompt], rng: Random, each: int | None = None) -> list[Frame]:
    """Return an honest answer to a challenge, as it is measured.

    `each`: the frames per prompt. Without it, a random number that the server accepts.
    """
    frames = []
    person, before = rng.uniform(0.85, 1.4), Move.LOOK_STRAIGHT
    for prompt in prompts:
        lingering = rng.choice([0.0, 0.0, 1.0])
        count = each or rng.randint(FEWEST_FRAMES, MOST_FRAMES)
        for reached in course(prompt.move, rng, count):
            # A head turns only one way at a time, and a smiling mouth is closed.
            gone = reached if {before, prompt.move} in _EXCLUSIVE else 0.0
            made = {before: person * lingering * (1 - gone), prompt.move: person * reached}
            frames.append(Frame(prompt.id, 1, face(made, rng), 0.2))
            lingering = max(0.0, lingering - rng.uniform(0.3, 1.0))
        before = prompt.move
    return frames


def face(made: dict[Move, float], rng: Random) -> Expression:
    """Return the measured expression of a face with these extents of moves.

    On a turned head, the other measurements are distorted.
    """
    values = {
        each: getattr(REST, each) + rng.gauss(0, trembling)
        for each, trembling in _TREMBLING.items()
    }
    for move, extent in made.items():
        name, most = _EXTENT.get(move, ("yaw", 0.0))
        values[name] += extent * most
        if name == "yaw":
            values["pitch"] += 2.5 * extent * bool(most)
            values["smile"] *= 1 - 0.03 * extent * bool(most)
            values["eyes"] *= 1 - 0.1 * extent * bool(most)
    return Expression(**values)


def plainly_disordered(move: Move, way: Sequence[float]) -> bool:
    """Return whether a face that makes the move once cannot take this course.

    The course begins past the middle, or goes back and forth. Eyes may blink at any time, and a
    resting face has no order.
    """
    if move is Move.LOOK_STRAIGHT:
        return False
    if move is Move.BLINK:
        closed = [reached > 0.5 for reached in (0.0, *way)]
        return sum(now and not before for before, now in pairwise(closed)) > _BLINKS
    if way[0] > 1 - AT_REST:
        return True
    return any(
        min(max(way[:place]), max(way[place + 1 :])) - way[place] >= PLAIN
        for place in range(1, len(way) - 1)
    )
