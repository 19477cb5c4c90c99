"""Pictures of synthetic faces: portraits for documents, selfies, the frames of a challenge."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from acredita.domain.liveness.challenge import FEWEST_FRAMES, Move
from acredita_synthetic.faces.fields import Array, noise, vector
from acredita_synthetic.faces.film_variations import Take
from acredita_synthetic.faces.identity import Identity, cloth_colour
from acredita_synthetic.faces.light import STRAIGHT, Camera, Light, Pose
from acredita_synthetic.faces.render import Picture, Shot, develop, render
from acredita_synthetic.faces.surface import NEUTRAL, Expression

_PORTRAIT: Final = (330, 430)
_SELFIE: Final = (400, 500)
_FRAME: Final = (320, 400)
_GRAIN: Final = 0.008
_LABEL: Final = "SYNTHETIC"
_TURN, _RAISE = 26.0, 13.0
# Of who is asked to open the mouth. At 1, which is how far one laughs, the narrowest mouth measures
# 0.7 of what the liveness check takes for a move.
_OPENED: Final = 1.3
_REACHES_THE_WALL: Final = 0.075
"""The share of a screen's light at a wall 160 centimetres away, with the face at 40."""
_TREMBLE: Final = 1.5
"""Pixels that a hand-held camera moves by between frames."""


@lru_cache(maxsize=32)
def draw_portrait(face: Identity) -> Picture:
    """Return a document portrait: frontal, flat light, pale. uint8 of shape (430, 330, 3), BGR."""
    shot = Shot(
        Camera(_PORTRAIT, distance=150, fill=0.74, middle=0.5),
        Light.of((-0.2, 0.35, 1), strength=0.75, ambient=0.6, fill=0.35),
        _plain_wall(_PORTRAIT, vector(0.72, 0.73, 0.74)),
        cloth=vector(0.08, 0.09, 0.12),
    )
    picture = develop(render(face, NEUTRAL, shot), blur=0, grain=_GRAIN, seed=face.seed)
    printed = (0.4 * picture + 0.6 * picture.mean(2, keepdims=True)) * 0.86 + 24
    portrait: Picture = np.clip(printed, 0, 255).astype(np.uint8)
    portrait.flags.writeable = False
    return portrait


def draw_selfie(face: Identity, number: int) -> Picture:
    """Return a selfie. Pose, light, place and clothes vary by number. uint8 (500, 400, 3), BGR."""
    rng = np.random.default_rng([face.seed, 77, number])
    expression = Expression(
        smile=float(rng.choice([0, 0.2, 0.4, 0.6])),
        brows=rng.uniform(0, 0.5),
        gaze=(rng.normal(0, 3), rng.normal(0, 2)),
    )
    pose = Pose(rng.uniform(-12, 12), rng.uniform(-6, 6), rng.uniform(-6, 6))
    shot = replace(_sitting(_SELFIE, rng), pose=pose)
    blur, grain = rng.uniform(0, 0.5), rng.uniform(0.004, 0.012)
    picture = develop(render(face, expression, shot), blur=blur, grain=grain, seed=number)
    return _labelled(picture)


def draw_frames(
    face: Identity,
    moves: Sequence[Move],
    *,
    sitting: int = 1,
    each: int = FEWEST_FRAMES,
    take: int = 0,
) -> list[list[Picture]]:
    """Return the frames of a challenge in one place and light. uint8 of shape (400, 320, 3), BGR.

    `each`: the frames per move. A move starts and ends at rest, with its peak in the middle. Frames
    differ by the trembling of the hand and the noise of the sensor. Take 0 has the defined moves;
    another number is another film of the same place and light (`film_variations`).
    """
    if take:
        return _another_take(face, moves, Take.of(face.seed, sitting, take), sitting, each)
    rng = np.random.default_rng([face.seed, 78, sitting, *map(list(Move).index, moves)])
    extents = np.sin(np.linspace(0, np.pi, each)) ** 1.5
    return [
        [_frame(face, move, round(float(extent), 3), sitting, rng) for extent in extents]
        for move in moves
    ]


def draw_peak(face: Identity, move: Move, *, take: int, sitting: int = 1) -> Picture:
    """Return one frame amid a move, of a film of that take. uint8 of shape (400, 320, 3), BGR."""
    own = Take.of(face.seed, sitting, take)
    shot = _sitting(_FRAME, np.random.default_rng([face.seed, 79, sitting]))
    shot = replace(shot, camera=own.filmed(shot.camera))
    _, extent, _ = own.extents(move, FEWEST_FRAMES)
    return _filmed(face, move, float(extent), own, shot)


def draw_lit_frames(
    face: Identity, colours: Sequence[str], *, strength: float, sitting: int = 1, take: int = 1
) -> list[Picture]:
    """Return frames of a resting face before a screen that shows `colours` (`#rrggbb`) in turn.

    `strength`: the light of a full colour on the face, relative to the room's light of about 1.
    The background gets little of it. uint8 of shape (400, 320, 3), BGR.
    """
    own = Take.of(face.seed, sitting, take)
    shot = _sitting(_FRAME, np.random.default_rng([face.seed, 79, sitting]))
    shot = replace(shot, camera=own.filmed(shot.camera))
    frames = []
    for colour in colours:
        red, green, blue = (strength * part / 255 for part in bytes.fromhex(colour[1:]))
        lit = replace(
            shot,
            light=replace(shot.light, glow=(red, green, blue)),
            room=shot.room * (1 + _REACHES_THE_WALL * vector(red, green, blue)),
            pose=own.posed(STRAIGHT),
        )
        still = render(face, own.expressed(Expression()), lit)
        frames.append(_taken(still, own.place, own.rng))
    return frames


def _another_take(
    face: Identity, moves: Sequence[Move], take: Take, sitting: int, each: int
) -> list[list[Picture]]:
    shot = _sitting(_FRAME, np.random.default_rng([face.seed, 79, sitting]))
    shot = replace(shot, camera=take.filmed(shot.camera))
    return [
        [_filmed(face, move, float(extent), take, shot) for extent in take.extents(move, each)]
        for move in moves
    ]


def _filmed(face: Identity, move: Move, extent: float, take: Take, shot: Shot) -> Picture:
    pose, expression = _made(move, extent)
    still = render(face, take.expressed(expression), replace(shot, pose=take.posed(pose)))
    return _taken(still, take.place, take.rng)


def _frame(
    face: Identity, move: Move, extent: float, sitting: int, rng: np.random.Generator
) -> Picture:
    still = _still(face, move if extent else Move.LOOK_STRAIGHT, extent, sitting)
    return _taken(still, (0.0, 0.0), rng)


def _taken(still: Picture, place: tuple[float, float], rng: np.random.Generator) -> Picture:
    """Add the trembling of a hand, sensor noise and the specimen label."""
    right, down = rng.normal(0, _TREMBLE, 2) + place
    shift = np.array([[1, 0, right], [0, 1, down]])
    shaken = cv2.warpAffine(still, shift, _FRAME, borderMode=cv2.BORDER_REPLICATE)
    seed = int(rng.integers(2**32))
    return _labelled(develop(np.asarray(shaken, np.uint8), blur=0, grain=_GRAIN, seed=seed))


@lru_cache(maxsize=64)
def _still(face: Identity, move: Move, extent: float, sitting: int) -> Picture:
    pose, expression = _made(move, extent)
    shot = _sitting(_FRAME, np.random.default_rng([face.seed, 79, sitting]))
    return render(face, expression, replace(shot, pose=pose))


def _made(move: Move, extent: float) -> tuple[Pose, Expression]:
    """Return the face during a move; at 1, the move is complete."""
    pose, expression = STRAIGHT, Expression(brows=0.1)
    match move:
        case Move.TURN_LEFT:
            pose = Pose(yaw=_TURN * extent)
        case Move.TURN_RIGHT:
            pose = Pose(yaw=-_TURN * extent)
        case Move.LOOK_UP:
            pose = Pose(pitch=_RAISE * extent)
        case Move.BLINK:
            expression = replace(expression, blink=extent)
        case Move.SMILE:
            expression = replace(expression, smile=extent)
        case Move.OPEN_MOUTH:
            expression = replace(expression, open_mouth=_OPENED * extent)
        case Move.LOOK_STRAIGHT:
            pass
    return pose, expression


def _sitting(size: tuple[int, int], rng: np.random.Generator) -> Shot:
    """Draw a place, its light, and the clothes."""
    azimuth, height = np.radians([rng.uniform(-70, 70), rng.uniform(5, 50)])
    warmth = rng.uniform(-1, 1)
    light = Light.of(
        (float(np.sin(azimuth)), float(np.sin(height)), float(np.cos(azimuth))),
        strength=rng.uniform(0.55, 1.0),
        ambient=rng.uniform(0.35, 0.6),
        fill=rng.uniform(0.15, 0.35),
        tint=(1 + 0.1 * warmth, 1.0, 1 - 0.16 * warmth),
    )
    camera = Camera(size, distance=rng.uniform(45, 70), fill=rng.uniform(0.56, 0.68))
    colour = rng.uniform(0.15, 0.55) * rng.uniform(0.82, 1.15, 3)
    room = _room(size, colour, rng) if rng.random() < 0.7 else _plain_wall(size, colour)
    return Shot(camera, light, room, cloth_colour(rng))


def _plain_wall(size: tuple[int, int], colour: Array) -> Array:
    width, height = size
    y, x = np.mgrid[0:height, 0:width] / height
    falling_off = 1.04 - 0.12 * np.hypot(x - 0.4, y - 0.4)
    plaster = cv2.resize(noise(256, 1, (8, 64)), size)
    return np.asarray(colour * (falling_off + 0.02 * plaster)[..., None])


def _room(size: tuple[int, int], colour: Array, rng: np.random.Generator) -> Array:
    """Return a room with furniture, out of focus."""
    width, height = size
    room = np.empty((height, width, 3), np.float32)
    room[:] = colour
    for _ in range(16):
        x, y = int(rng.uniform(-0.2, 1) * width), int(rng.uniform(-0.2, 1) * height)
        corner = x + int(rng.uniform(0.05, 0.5) * width), y + int(rng.uniform(0.1, 0.7) * height)
        shade = colour * rng.uniform(0.3, 1.7) * rng.uniform(0.85, 1.18, 3)
        cv2.rectangle(room, (x, y), corner, shade.tolist(), -1)
    return np.asarray(cv2.GaussianBlur(room, (0, 0), height / 38), np.float64)


def _labelled(picture: Picture) -> Picture:
    """Label the picture as synthetic."""
    place = (10, picture.shape[0] - 12)
    for ink, thickness in (((0, 0, 0), 3), ((255, 255, 255), 1)):
        cv2.putText(
            picture, _LABEL, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, thickness, cv2.LINE_AA
        )
    return picture
