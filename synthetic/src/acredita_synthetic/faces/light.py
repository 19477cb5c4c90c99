"""The pose, the camera and the light of a picture."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from acredita_synthetic.faces.fields import Array, unit, vector

PIVOT: Final = vector(0, -8, -3)
"""The point that the head rotates around."""
_SPAN: Final = 23.0
"""The reference length of `fill`: about the height of a head."""
DARK: Final = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Light:
    """A key light from the direction `key`, ambient light, and some light from the other side.

    `glow`: the light of a screen next to the camera, linear red, green and blue.
    """

    key: Array
    key_colour: Array
    key_strength: float
    ambient: float
    fill: float
    glow: tuple[float, float, float] = DARK

    @classmethod
    def of(
        cls,
        key: Sequence[float],
        *,
        strength: float,
        ambient: float,
        fill: float,
        tint: Sequence[float] = (1.0, 0.96, 0.9),
    ) -> "Light":
        colour = np.asarray(tint, np.float64) * strength
        return cls(unit(vector(*key)), colour, strength, ambient, fill)

    @property
    def from_far_side(self) -> Array:
        return unit(vector(-self.key[0], 0.1, 0.9))

    def seen_from_head(self, rotation: Array) -> "Light":
        return replace(self, key=self.key @ rotation)


@dataclass(frozen=True, slots=True)
class Pose:
    """Degrees. Positive yaw turns to the person's left, positive pitch looks up, positive roll
    tilts the head to the viewer's left."""

    yaw: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0

    def rotation(self) -> Array:
        cy, cp, cr = np.cos(np.radians([self.yaw, -self.pitch, self.roll]))
        sy, sp, sr = np.sin(np.radians([self.yaw, -self.pitch, self.roll]))
        tilt = np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]])
        turn = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
        nod = np.array([[1, 0, 0], [0, cp, -sp], [0, sp, cp]])
        return np.asarray(tilt @ turn @ nod)

    def of_the_shoulders(self) -> "Pose":
        return Pose(yaw=self.yaw * 0.2, roll=self.roll * 0.15)


STRAIGHT: Final = Pose()


@dataclass(frozen=True, slots=True)
class Camera:
    """`distance` in centimetres; `fill` the head's share of the picture's height, `middle` where
    the point between the eyes lies, as a share of the height from the top."""

    size: tuple[int, int]
    distance: float = 70.0
    fill: float = 0.62
    middle: float = 0.46

    @property
    def place(self) -> Array:
        return vector(0, 0, self.distance + 8)

    @property
    def pixels_per_centimetre(self) -> float:
        """The scale in the plane of the head."""
        return self.fill * self.size[1] / _SPAN

    def project(self, points: Array) -> Array:
        """Return x and y in pixels, and the depth; larger is nearer."""
        width, height = self.size
        focal = self.pixels_per_centimetre * self.distance
        scale = focal / (self.place[2] - points[..., 2])
        return np.stack(
            [
                width / 2 + points[..., 0] * scale,
                height * self.middle - points[..., 1] * scale,
                points[..., 2],
            ],
            -1,
        )


def turned(points: Array, rotation: Array) -> Array:
    return (points - PIVOT) @ rotation.T + PIVOT
