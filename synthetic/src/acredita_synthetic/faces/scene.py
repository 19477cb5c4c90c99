"""Head, ears, neck and shoulders as one mesh, and its part that the camera sees."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from acredita_synthetic.faces.body import model_ear, model_neck, model_shoulders
from acredita_synthetic.faces.fields import Array, blend, step, unit
from acredita_synthetic.faces.hair import surface_normals
from acredita_synthetic.faces.identity import Identity
from acredita_synthetic.faces.light import Camera, Pose, turned
from acredita_synthetic.faces.raster import grid_triangles, rasterize
from acredita_synthetic.faces.skin import Spots
from acredita_synthetic.faces.surface import Expression, model_head


class Part(IntEnum):
    HEAD = 0
    NECK = 1
    SHOULDERS = 2
    EAR = 3


@dataclass(frozen=True, slots=True)
class Mesh:
    """`points` and `normals`: (n, 3), in front of the camera. `places`: (n, 2), azimuth and height
    on the head, 0 elsewhere. `triangles`: (m, 3) indices of points. `parts`: one per triangle."""

    points: Array
    normals: Array
    places: Array
    triangles: Array
    parts: Array


@dataclass(frozen=True, slots=True)
class View:
    """Point, normal, place and part of each covered pixel; `pixels` are their indices. `depth`
    covers the whole picture."""

    pixels: Array
    points: Array
    normals: Array
    spots: Spots
    parts: Array
    depth: Array


def build(face: Identity, expression: Expression, pose: Pose) -> Mesh:
    rotation, shoulders = pose.rotation(), pose.of_the_shoulders().rotation()
    head, neck = model_head(face, expression), model_neck(face)
    twist = step(-6, -15, neck[..., 1])[..., None]
    # The columns of these grids run the other way, so their normals point inwards.
    grids = (
        (turned(head.points, rotation), Part.HEAD, 1),
        (blend(turned(neck, rotation), turned(neck, shoulders), twist), Part.NECK, -1),
        (turned(model_shoulders(face), shoulders), Part.SHOULDERS, -1),
        (turned(model_ear(face, -1), rotation), Part.EAR, 1),
        (turned(model_ear(face, 1), rotation), Part.EAR, -1),
    )
    points, normals, triangles, parts = [], [], [], []
    first = 0
    for grid, part, sign in grids:
        rows, columns = grid.shape[:2]
        points.append(grid.reshape(-1, 3))
        normals.append(surface_normals(grid).reshape(-1, 3) * sign)
        triangles.append(grid_triangles(rows, columns, first))
        parts.append(np.full(len(triangles[-1]), part))
        first += rows * columns
    places = np.zeros((first, 2))
    on_head = np.broadcast_arrays(head.azimuths[None], head.heights[:, None])
    places[: on_head[0].size] = np.stack(on_head, -1).reshape(-1, 2)
    return Mesh(
        np.concatenate(points),
        np.concatenate(normals),
        places,
        np.concatenate(triangles),
        np.concatenate(parts),
    )


def look_at(mesh: Mesh, camera: Camera) -> View:
    seen = rasterize(camera.project(mesh.points), mesh.triangles, camera.size)
    corners, weights = mesh.triangles[seen.triangles].T, seen.weights.T[..., None]

    def between(values: Array) -> Array:
        a, b, c = (values[corner] * weight for corner, weight in zip(corners, weights, strict=True))
        return np.asarray(a + b + c)

    points, normals = between(mesh.points), unit(between(mesh.normals))
    azimuth, height = between(mesh.places).T
    parts = mesh.parts[seen.triangles]
    away = ((camera.place - points) * normals).sum(1) < 0
    # Ears are thin: both sides are visible.
    normals = np.where((away & (parts == Part.EAR))[:, None], -normals, normals)
    spots = Spots(azimuth, height, parts == Part.HEAD, parts == Part.EAR)
    return View(seen.pixels, points, normals, spots, parts, seen.depth)
