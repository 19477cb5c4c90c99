"""Render a picture of a face: geometry, visibility, light, hair."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita_synthetic.faces.fields import Array
from acredita_synthetic.faces.hair import grow
from acredita_synthetic.faces.identity import Identity
from acredita_synthetic.faces.light import STRAIGHT, Camera, Light, Pose
from acredita_synthetic.faces.scene import Part, build, look_at
from acredita_synthetic.faces.shading import (
    cloth_at,
    key_light_reaching,
    openness,
    shade,
    with_eyes,
)
from acredita_synthetic.faces.skin import paint
from acredita_synthetic.faces.strokes import draw_strands, tone
from acredita_synthetic.faces.surface import Expression

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Shot:
    """Camera, light and scene. `room` is the background: (height, width, 3), linear light."""

    camera: Camera
    light: Light
    room: Array
    cloth: Array
    pose: Pose = STRAIGHT


def render(face: Identity, expression: Expression, shot: Shot) -> Picture:
    """Return the picture in RGB, in the camera's size, without blur and noise (see `develop`)."""
    camera, rotation = shot.camera, shot.pose.rotation()
    mesh = build(face, expression, shot.pose)
    view = look_at(mesh, camera)
    lit = key_light_reaching(mesh, view, shot.light, camera.size)
    painted = paint(face, expression, view.spots)
    painted.colour[view.parts == Part.SHOULDERS] = cloth_at(view, shot.cloth, face)
    shaded = shade(view, painted, shot.light, camera, lit, openness(view, camera))
    shaded = with_eyes(shaded, view, painted, face, expression, shot.light, camera, rotation, lit)
    light = shot.room.reshape(-1, 3).copy()
    light[view.pixels] = shaded
    picture = tone(light.reshape(shot.room.shape)).astype(np.uint8)
    hair = grow(face)
    for strands, colour, of_scalp in (
        (hair.brows, face.brow_colour * 0.8, False),
        (hair.beard, face.hair_colour * 0.85, False),
        (hair.scalp, face.hair_colour, True),
    ):
        if strands is not None:
            draw_strands(
                picture,
                view.depth,
                strands,
                colour,
                camera,
                shot.light,
                rotation,
                of_scalp=of_scalp,
            )
    return picture


def develop(picture: Picture, *, blur: float, grain: float, seed: int) -> Picture:
    """Add the blur of a lens (in pixels) and the noise of a sensor (as a share of white).

    Return uint8, BGR.
    """
    pixels = picture.astype(np.float32)
    if blur:
        pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), blur), np.float32)
    noise = np.random.default_rng(seed).standard_normal(pixels.shape, np.float32)
    pixels += noise * (255 * grain)
    return np.ascontiguousarray(np.clip(pixels, 0, 255).astype(np.uint8)[..., ::-1])
