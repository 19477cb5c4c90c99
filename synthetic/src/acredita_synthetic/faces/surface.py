"""The head as a surface: a point for each azimuth, height and expression.

Features are placed by `across` and `height`. `across` is nine times the sine of the azimuth, which
is about the x of a point. `height` is the y of a point before jaw and mouth move it.
"""

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from acredita_synthetic.faces.fields import Array, blend, bump, ridge, step, vector
from acredita_synthetic.faces.identity import Identity, Shape

HALF_WIDTH: Final = 9.0
_ROUNDNESS: Final = 2.2
_EYEBALL: Final = 1.36
_LOWEST: Final = -14.6
# Cross-sections from the neck up: half width, depth to the front, depth to the back.
_SECTION_HEIGHTS: Final = (-14.6, -13, -12.2, -11.4, -10, -8.5, -7, -4.5, -2, 0, 2.5, 4)
_SECTIONS: Final = (
    (3.0, 3.8, 4.4, 4.85, 5.25, 5.6, 5.95, 6.55, 6.95, 7.05, 7.2, 7.3),
    (2.0, 5.0, 7.2, 8.75, 9.3, 9.2, 9.3, 9.15, 8.95, 8.95, 9.2, 9.15),
    (2.0, 3.0, 3.6, 4.2, 4.8, 5.4, 6.0, 7.0, 8.2, 9.0, 9.6, 9.8),
)
_SMOOTH_HEIGHTS: Final = np.linspace(_LOWEST, 12.5, 700)


def _smoothed(section: tuple[float, ...]) -> Array:
    drawn = np.interp(_SMOOTH_HEIGHTS, _SECTION_HEIGHTS, section).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(drawn[None], (0, 0), 11)[0])


_WIDTHS, _FRONTS, _BACKS = (_smoothed(section) for section in _SECTIONS)


@dataclass(frozen=True, slots=True)
class Expression:
    """The expression, each from 0 to 1; `gaze` in degrees to the viewer's right and up."""

    smile: float = 0.0
    open_mouth: float = 0.0
    blink: float = 0.0
    brows: float = 0.0
    gaze: tuple[float, float] = (0.0, 0.0)


NEUTRAL: Final = Expression()


@dataclass(frozen=True, slots=True)
class Head:
    """The surface on a grid. `points`: shape (heights, azimuths, 3)."""

    azimuths: Array
    heights: Array
    points: Array


def model_head(face: Identity, expression: Expression) -> Head:
    """Return the head on a grid that is denser on the face."""
    t = np.linspace(-1, 1, 281)
    azimuths = np.pi * np.sign(t) * (0.33 * np.abs(t) + 0.67 * np.abs(t) ** 3.2)
    to_crown = np.sin(np.linspace(0, np.pi / 2, 50))
    heights = np.concatenate(
        [
            np.linspace(_LOWEST, -12, 10, endpoint=False),
            np.linspace(-12, 3, 160, endpoint=False),
            3 + (face.shape.crown - 3.002) * to_crown,
        ]
    )
    return Head(azimuths, heights, points_at(face, expression, azimuths[None], heights[:, None]))


def points_at(face: Identity, expression: Expression, azimuth: Array, height: Array) -> Array:
    """Return the points for azimuths and heights, which are broadcast."""
    shape, sine, cosine = face.shape, np.sin(azimuth), np.cos(azimuth)
    across = HALF_WIDTH * sine
    front = step(-0.05, 0.45, cosine)
    x, y, z = _skull(shape, azimuth, height)
    relief = _relief(face, across, height) + _mimic_relief(face, expression, across, height)
    side, aside, mouth = np.sign(across), np.abs(across), shape.mouth_y
    smile = expression.smile
    pulled = 0.75 * smile * bump(aside, height, (2.6, mouth + 0.1), (1.2, 1.0))
    x = x + front * (0.35 * sine * relief + side * pulled)
    y = y + front * (
        0.55 * smile * bump(aside, height, (2.9, mouth + 0.1), (1.2, 1.1))
        + 0.28 * smile * bump(aside, height, (3.6, -3.6), (1.5, 1.4))
        + 0.35 * expression.brows * bump(aside, height, (2.8, 1.9), (2.4, 0.8))
    )
    dropped = front * _jaw_drop(face, expression, across, height)
    shift = _dents(face, across, height) * front[..., None]
    x = x + shift[..., 0]
    y = y - dropped + shift[..., 1]
    z = z + front * relief * (0.6 + 0.4 * cosine) - 0.25 * dropped + shift[..., 2]
    for eye in (-1, 1):
        z = _over_the_eyeball(eye_centre(face, eye), x, y, z, facing=cosine > 0)
    return np.stack([x, y, z], -1)


def mouth_line(shape: Shape, across: Array) -> Array:
    """Return the height at which the lips meet."""
    curve = shape.mouth_curve * (across / 2.4) ** 2
    return np.asarray(shape.mouth_y + curve - 0.07 * ridge(across, 0.5))


def eye_centre(face: Identity, side: int) -> Array:
    """Return the eyeball's centre. `side`: 1 for the person's left eye, -1 for the right one."""
    shift = _dents(face, np.array(side * face.shape.eye_x), np.array(0.0))
    return vector(
        side * face.shape.eye_x + shift[0],
        shift[1],
        6.62 + face.shape.eye_depth + 0.6 * shift[2],
    )


def lids(shape: Shape, expression: Expression, outward: Array) -> tuple[Array, Array, Array]:
    """Return the heights of the upper lid's edge, the lower lid's edge, and the open upper lid's
    edge, at the distance `outward` from the middle of the eye."""
    share = np.clip(np.abs((outward + 0.06) / shape.eye_width), 0, 1)
    tilt = shape.eye_tilt * outward
    lower = tilt - shape.eye_height * 0.72 * (1 - share**2.4) * (1 - 0.3 * expression.smile)
    height = shape.eye_height * (1 - 0.12 * expression.smile)
    opened = tilt + height * (1 - share**2.1) ** 0.9 * (1 + 0.06 * outward)
    return blend(opened, lower - 0.06, expression.blink), lower, opened


def _skull(shape: Shape, azimuth: Array, height: Array) -> tuple[Array, Array, Array]:
    sine, cosine = np.sin(azimuth), np.cos(azimuth)
    dome = np.clip(1 - (np.maximum(height - 4, 0) / (shape.crown - 4)) ** 2.15, 0, 1) ** 0.5
    width = np.interp(height, _SMOOTH_HEIGHTS, _WIDTHS) * shape.face_width * dome
    width = width * blend(shape.jaw, 1, step(-9.5, -2.5, height))
    chin = step(-8, -10.5, height)
    front = (np.interp(height, _SMOOTH_HEIGHTS, _FRONTS) + 0.5 * shape.chin * chin) * dome
    back = np.interp(height, _SMOOTH_HEIGHTS, _BACKS) * dome
    depth = np.where(cosine > 0, front, back)
    n = _ROUNDNESS
    radius = ((np.abs(sine) / (width + 1e-6)) ** n + (np.abs(cosine) / (depth + 1e-6)) ** n) ** (
        -1 / n
    )
    y = height + shape.jaw_lift * step(-3.5, -11.2, height) * sine**2
    y = y + 0.35 * np.maximum(-11.7 - height, 0) - shape.chin_length * chin
    return radius * sine, y, radius * cosine


def _relief(face: Identity, x: Array, y: Array) -> Array:
    """Return the height of the resting face above the skull."""
    shape, aside = face.shape, np.abs(x)
    relief = -0.85 * bump(aside, y, (shape.eye_x - 0.1, 0.2), (1.75, 1.15))
    relief -= 0.25 * bump(aside, y, (1.6, 0.5), (0.6, 1.0))
    relief += (shape.brow + 0.12) * bump(aside, y, (2.7, shape.brow_y - 0.1), (2.4, 0.7))
    relief += 0.3 * bump(x, y, (0, 1.7), (1.1, 1.0)) - 0.22 * bump(x, y, (0, 0.3), (1.0, 0.7))
    relief += _nose(shape, x, y) + _mouth(shape, x, y)
    relief += (shape.cheekbone + 0.1) * bump(aside, y, (4.5, -1.9), (1.7, 1.3))
    relief += (shape.cheek - 0.1) * bump(aside, y, (4.1, -5.4), (1.6, 1.9))
    relief += (0.5 * shape.chin + 0.25) * bump(x, y, (0, -10.1), (1.5, 0.95))
    under_eye = ridge(y + 1.25 + 0.1 * (aside - shape.eye_x) ** 2, 0.2)
    relief -= 0.12 * shape.bags * under_eye * ridge(aside - shape.eye_x + 0.2, 1.3)
    temple = bump(aside, y, (7.6, 3.2), (1.6, 2.2))
    return np.asarray(relief - 0.35 * temple * (1 + 0.5 * shape.temple))


def _nose(shape: Shape, x: Array, y: Array) -> Array:
    aside, base, width = np.abs(x), shape.nose_y, shape.nose_width
    bridge, hump = shape.nose_bridge, shape.nose_hump
    profile = np.interp(
        y,
        [base - 0.75, base - 0.25, base + 0.35, -2.2, -0.6, 0.5, 1.7],
        [
            0,
            1.45,
            shape.nose_tip,
            blend(bridge, shape.nose_tip, 0.55) + hump,
            bridge + hump,
            0.62 * bridge,
            0,
        ],
    )
    narrow = shape.nose_bridge_width / 0.78
    widths = np.interp(y, [base, -2.5, 0, 1.5], [0.98 * width, 0.82 * narrow, 0.72 * narrow, 1.0])
    nose = profile * np.exp(-(np.abs(x / widths) ** 2.3))
    nose += shape.nose_ball * bump(x, y, (0, base + 0.25), (0.72 * width, 0.6))
    nose += 0.78 * bump(aside, y, (1.22 * width, base + 0.02), (0.5, 0.52))
    nose -= 0.2 * bump(aside, y, (2.05 * width, base + 0.1), (0.35, 0.6))
    nose -= 0.55 * bump(aside, y, (0.62 * width, base - 0.5), (0.3, 0.22))
    return np.asarray(nose)


def _mouth(shape: Shape, x: Array, y: Array) -> Array:
    aside, line, width = np.abs(x), shape.mouth_y, shape.mouth_width
    upper = bump(aside, y, (0.55, line + 0.42 * shape.upper_lip / 0.62), (1.1, 0.36))
    lower = bump(x, y, (0, line - 0.5), (1.45, 0.42))
    mouth = 0.5 * bump(x, y, (0, line), (2.7, 1.9))
    mouth += 0.22 * upper * (0.5 + shape.upper_lip) + 0.36 * lower * (0.3 + shape.lower_lip)
    mouth -= 0.26 * ridge(y - mouth_line(shape, x), 0.13) * _within_mouth(shape, aside)
    mouth -= 0.2 * bump(aside, y, (width + 0.1, line), (0.35, 0.35))
    mouth -= 0.3 * bump(x, y, (0, line - 1.5), (1.7, 0.45))
    mouth -= 0.1 * bump(x, y, (0, line + 1.35), (0.26, 0.6))
    return np.asarray(mouth)


def _within_mouth(shape: Shape, aside: Array) -> Array:
    return np.asarray(step(shape.mouth_width + 0.15, shape.mouth_width - 0.5, aside))


def _mimic_relief(face: Identity, expression: Expression, x: Array, y: Array) -> Array:
    """Return the relief of the folds from nose to mouth and of smiling cheeks."""
    shape, aside, smile, line = face.shape, np.abs(x), expression.smile, face.shape.mouth_y
    top = np.array([1.75, shape.nose_y - 0.1])
    down = np.array([shape.mouth_width + 0.75, line - 0.4]) - top
    along = ((aside - top[0]) * down[0] + (y - top[1]) * down[1]) / (down @ down)
    along = np.clip(along, 0, 1)
    away = np.hypot(aside - top[0] - along * down[0], y - top[1] - along * down[1])
    beside = bump(aside, y, (3.5, -5.2), (0.9, 1.1))
    fold = (shape.fold + 0.22 * smile) * (0.7 * beside - 0.75 * ridge(away, 0.22))
    cheeks = 0.38 * bump(aside, y, (3.7, -3.6), (1.4, 1.3))
    cheeks -= 0.42 * bump(aside, y, (2.6, line), (1.2, 0.9))
    cheeks -= 0.12 * bump(x, y, (0, line), (2, 1.2))
    return np.asarray(fold + smile * cheeks)


def _jaw_drop(face: Identity, expression: Expression, x: Array, y: Array) -> Array:
    """Return how far the parts below the mouth's line sink as it opens."""
    line = mouth_line(face.shape, x)
    below = step(line + 0.1, line - 0.1, y)
    reach = blend(0.25, 1, _within_mouth(face.shape, np.abs(x)))
    return np.asarray(1.5 * expression.open_mouth * below * reach * step(-3, -6.8, y))


def _dents(face: Identity, across: Array, height: Array) -> Array:
    """Return the identity's displacements. They are rigid around eyes: lids must fit eyeballs."""
    shift = np.zeros((*np.broadcast(across, height).shape, 3))
    eye = face.shape.eye_x
    near = step(2.6, 1.3, np.hypot(across - eye, height))
    near_other = step(2.6, 1.3, np.hypot(across + eye, height))
    for dent in face.dents:
        size = (dent.size, dent.size)
        at_eye: Any = bump(eye, 0, (dent.x, dent.y), size)
        at_other: Any = bump(eye, 0, (-dent.x, dent.y), size)
        strength = bump(across, height, (dent.x, dent.y), size)
        strength = blend(blend(strength, at_eye, near), at_other, near_other)
        mirrored = bump(across, height, (-dent.x, dent.y), size)
        mirrored = blend(blend(mirrored, at_other, near), at_eye, near_other)
        aside, up, ahead = dent.shift
        shift += strength[..., None] * vector(aside, up, ahead)
        shift += mirrored[..., None] * vector(-aside, up, ahead) * dent.mirrored
    return shift


def _over_the_eyeball(centre: Array, x: Array, y: Array, z: Array, *, facing: Array) -> Array:
    within = _EYEBALL**2 - (x - centre[0]) ** 2 - (y - centre[1]) ** 2
    lid = centre[2] + np.sqrt(np.maximum(within, 0))
    laid = np.maximum(z, lid) + 0.06 * ridge(z - lid, 0.12)
    return np.where((within > 0) & facing, laid, z)
