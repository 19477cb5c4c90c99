"""Differences between two films of one person in the same place and light.

A natural posture returns to within about two degrees. A film that is sent again has the same
values; a second honest film has others.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from acredita.domain.liveness.challenge import Move
from acredita_synthetic.faces.fields import Array
from acredita_synthetic.faces.light import Camera, Pose
from acredita_synthetic.faces.surface import Expression

_POSTURE: Final = (1.7, 1.7, 1.0)
"""Yaw, pitch and roll, in degrees: how far one film's posture lies from the mean of all."""
_SWAY: Final = 0.5
"""Degrees, from frame to frame."""
_PLACE: Final = 6.0
"""Pixels."""
_DISTANCE: Final = 0.03
_GAZE: Final = 1.5


@dataclass(frozen=True, slots=True)
class Take:
    """`place`: pixels to the right and down. `size`: the head's, as a share of its usual size."""

    pose: Pose
    place: tuple[float, float]
    size: float
    brows: float
    smile: float
    rng: np.random.Generator

    @classmethod
    def of(cls, seed: int, sitting: int, number: int) -> "Take":
        rng = np.random.default_rng([seed, 80, sitting, number])
        yaw, pitch, roll = (float(rng.normal(0, each)) for each in _POSTURE)
        right, down = (float(each) for each in rng.normal(0, _PLACE, 2))
        return cls(
            Pose(yaw, pitch, roll),
            (right, down),
            size=1 + float(rng.normal(0, _DISTANCE)),
            brows=0.1 + abs(float(rng.normal(0, 0.05))),
            smile=abs(float(rng.normal(0, 0.04))),
            rng=rng,
        )

    def extents(self, move: Move, count: int) -> Array:
        """Return the extent of the move in each of `count` frames. It begins and ends at rest."""
        if move is Move.LOOK_STRAIGHT:
            return np.zeros(count)
        amplitude = self.rng.uniform(0.85, 1.0)
        haste, flatness = self.rng.uniform(0.8, 1.25), self.rng.uniform(1.0, 1.8)
        way = np.linspace(0, 1, count) ** haste
        return np.asarray(amplitude * np.sin(np.pi * way) ** flatness)

    def posed(self, pose: Pose) -> Pose:
        yaw, pitch, roll = (float(each) for each in self.rng.normal(0, _SWAY, 3))
        own = self.pose
        return Pose(pose.yaw + own.yaw + yaw, pose.pitch + own.pitch + pitch, own.roll + roll)

    def expressed(self, expression: Expression) -> Expression:
        sideways, up = (float(each) for each in self.rng.normal(0, _GAZE, 2))
        return replace(
            expression,
            smile=min(1.0, expression.smile + self.smile),
            brows=self.brows,
            gaze=(sideways, up),
        )

    def filmed(self, camera: Camera) -> Camera:
        return replace(camera, fill=camera.fill * self.size)
