"""Ears, neck and shoulders."""

from typing import Final

import cv2
import numpy as np

from acredita_synthetic.faces.fields import UP, Array, bump, ridge, step, unit, vector
from acredita_synthetic.faces.identity import Identity
from acredita_synthetic.faces.surface import NEUTRAL, points_at

_EAR_AZIMUTH: Final = np.radians(97)
_EAR_HEIGHT: Final = -1.3


def model_ear(face: Identity, side: int) -> Array:
    """Return a grid of points. `side`: 1 for the person's left ear, -1 for the right one."""
    radius, angle = np.meshgrid(np.linspace(0, 1, 26), np.linspace(0, 2 * np.pi, 60), indexing="ij")
    root = points_at(face, NEUTRAL, np.array(_EAR_AZIMUTH), np.array(_EAR_HEIGHT))
    centre = root * [side, 1, 1] + [side * 0.25, 0, 0.2]
    turn, sine, cosine = face.shape.ear_turn, np.sin(angle), np.cos(angle)
    outward = unit(vector(side * np.cos(turn), 0, np.sin(turn) + 0.25))
    backward = unit(vector(side * np.sin(turn) * 1.2, 0, -np.cos(turn)))
    height = 3.0 * face.shape.ear * (1 - 0.12 * sine * (angle > np.pi))
    width = 1.75 * face.shape.ear * (1 + 0.22 * sine) * np.where(cosine < 0, 0.45, 1)
    relief = 0.42 * ridge(radius - 0.86, 0.12) * (sine > -0.75)
    relief -= 0.45 * bump(radius * cosine, radius * sine, (0, -0.1), (0.35, 0.38))
    relief += 0.25 * ridge(radius - 0.5, 0.12) * step(-0.3, 0.4, sine)
    relief -= 0.5 * step(0.9, 1, radius)
    return np.asarray(
        centre
        + (radius * sine * height)[..., None] * (UP - [0, 0, 0.15])
        + (radius * cosine * width)[..., None] * backward
        + relief[..., None] * outward
    )


def model_neck(face: Identity) -> Array:
    k = 0.84 if face.woman else 1.08
    return _tube(
        (5.2 * k, 4.6, -6, -1.4),
        (4.9 * k, 4.9, -9.5, -1.8),
        (4.9 * k, 5.2, -12.5, -2.4),
        (5.3 * k, 5.6, -15, -2.9),
        (7.2 * k, 6.2, -17, -3.3),
        (9, 7, -19, -3.5),
    )


def model_shoulders(face: Identity) -> Array:
    k, s = (0.84, 0.93) if face.woman else (1.08, 1.08)
    return _tube(
        (5.6 * k, 6.0, -14.6, -3.2),
        (7.2 * k, 6.8, -15.8, -3.3),
        (11 * s, 7.6, -17.2, -3.5),
        (16 * s, 8.8, -19, -3.6),
        (19.5 * s, 10, -21.5, -3.4),
        (21 * s, 11, -26, -3),
        (21 * s, 12, -34, -2.6),
        (20 * s, 12, -48, -2.6),
    )


def _tube(*sections: tuple[float, float, float, float]) -> Array:
    """Return a grid of points around sections, each of half width, half depth, y and z."""
    along = np.linspace(0, len(sections) - 1, 90)

    def smooth(values: Array) -> Array:
        drawn = np.interp(along, range(len(sections)), values)
        padded = np.pad(drawn, 8, mode="reflect", reflect_type="odd").astype(np.float32)
        return np.asarray(cv2.GaussianBlur(padded[None], (0, 0), 2.5)[0, 8:-8, None])

    width, depth, y, z = (smooth(values) for values in np.array(sections, float).T)
    azimuth = np.linspace(-np.pi, np.pi, 160)[None]
    sine, cosine = np.sin(azimuth), np.cos(azimuth)
    radius = ((np.abs(sine) / width) ** 2.3 + (np.abs(cosine) / depth) ** 2.3) ** (-1 / 2.3)
    return np.stack([radius * sine, np.broadcast_to(y, radius.shape), radius * cosine + z], -1)
