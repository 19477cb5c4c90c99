"""Looks for seeds with which the face engine tells the synthetic people of `faces.people` apart.

Run as `python -m tools.find_faces --seed 1 --minutes 20`; three seconds a try. Changes the seeds of
one person at a time, mostly of those who are most alike, and keeps what makes that person less like
the others. Prints the seeds each time that the two people who are most alike are less so.
"""

import argparse
import time
from collections.abc import Sequence
from itertools import combinations

import cv2
import numpy as np

from acredita.engines.face.embedding import distance, embed
from acredita.engines.face.find import SURE_PRESENCE, find_faces
from acredita.engines.face.network import Embedding
from acredita_synthetic.faces.people import SEEDS, person_of
from acredita_synthetic.faces.pictures import draw_portrait, draw_selfie

_SHARPNESS = 18.0
"""How much more the nearest other person counts than the farther ones."""
Seeds = tuple[int, ...]
Pictures = list[Embedding]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=20)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(arguments.seed)
    until = time.monotonic() + 60 * arguments.minutes
    people = list(SEEDS)
    faces = [described for seeds in people if (described := describe(seeds)) is not None]
    if len(faces) < len(people):
        raise SystemExit("the engine finds no face in one of the portraits")
    least = 0.0
    while time.monotonic() < until:
        costs = np.array([cost(face, faces) for face in faces])
        place = int(rng.choice(len(people), p=costs / costs.sum()))
        tried = changed(people[place], rng)
        face = describe(tried)
        if face is None or cost(face, [*faces[:place], *faces[place + 1 :]]) >= costs[place]:
            continue
        people[place], faces[place] = tried, face
        if (reached := nearest(faces)) > least:
            least = reached
            print(f"{least:.3f} apart at least: {people}", flush=True)


def describe(seeds: Seeds) -> Pictures | None:
    """The portrait's embedding and those of two selfies. Nothing if the engine does not find one
    face in each."""
    face = person_of(seeds)
    described = []
    for picture in map(np.array, (draw_portrait(face), draw_selfie(face, 1), draw_selfie(face, 2))):
        found = find_faces(picture)
        if len(found) != 1 or found[0].presence < SURE_PRESENCE:
            return None
        described.append(embed(picture, found[0]))
    return described


def changed(seeds: Seeds, rng: np.random.Generator) -> Seeds:
    """With one more seed, or one of them replaced or left out. The first one stays."""
    new, chance = int(rng.integers(1_000_000)), rng.random()
    place = int(rng.integers(1, len(seeds))) if len(seeds) > 1 else len(seeds)
    if chance < 0.75 or place == len(seeds):
        return (*seeds, new)
    return (*seeds[:place], *((new,) if chance < 0.9 else ()), *seeds[place + 1 :])


def cost(face: Pictures, others: Sequence[Pictures]) -> float:
    gaps = np.array([gap(face, each) for each in others if each is not face])
    return float(np.exp(-_SHARPNESS * gaps).sum())


def nearest(faces: Sequence[Pictures]) -> float:
    return min(gap(*pair) for pair in combinations(faces, 2))


def gap(one: Pictures, other: Pictures) -> float:
    return min(distance(mine, theirs) for mine in one for theirs in other)


if __name__ == "__main__":
    main()
