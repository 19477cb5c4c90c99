"""Find seeds for which the face engine distinguishes the people of `faces.people` more clearly.

Run as `python -m tools.find_faces --seed 1 --minutes 20`; a try takes two seconds of CPU time. It
changes the seeds of one person, usually of one who is similar to another. A change is kept if it
makes that person less similar to the others. `--person 2142` changes only the person with this
first seed. The program prints the seeds each time the smallest distance between two people grows.
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

_SELFIES = 4
_SHARPNESS = 18.0
"""How much more the nearest other person counts than the farther ones."""
Seeds = tuple[int, ...]
Pictures = list[Embedding]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--person", type=int, choices=[seeds[0] for seeds in SEEDS])
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(arguments.seed)
    until = time.monotonic() + 60 * arguments.minutes
    people = list(SEEDS)
    faces = [described for seeds in people if (described := describe(seeds)) is not None]
    if len(faces) < len(people):
        raise SystemExit("the engine finds no face in one of the portraits")
    may_change = np.array([arguments.person in (None, seeds[0]) for seeds in people])
    least = nearest(faces)
    print(f"smallest distance {least:.3f}", flush=True)
    while time.monotonic() < until:
        costs = np.array([cost(face, faces) for face in faces])
        weights = costs * may_change
        place = int(rng.choice(len(people), p=weights / weights.sum()))
        tried = changed(people[place], rng)
        face = describe(tried)
        if face is None or cost(face, [*faces[:place], *faces[place + 1 :]]) >= costs[place]:
            continue
        people[place], faces[place] = tried, face
        if (reached := nearest(faces)) > least:
            least = reached
            print(f"smallest distance {least:.3f}: {people}", flush=True)


def describe(seeds: Seeds) -> Pictures | None:
    """Return the embeddings of the portrait and of some selfies.

    Return None if the engine does not find exactly one face in each picture.
    """
    face = person_of(seeds)
    described = []
    selfies = [draw_selfie(face, number) for number in range(1, _SELFIES + 1)]
    for picture in map(np.array, (draw_portrait(face), *selfies)):
        found = find_faces(picture)
        if len(found) != 1 or found[0].presence < SURE_PRESENCE:
            return None
        described.append(embed(picture, found[0]))
    return described


def changed(seeds: Seeds, rng: np.random.Generator) -> Seeds:
    """Add a seed, or replace or remove one. The first seed stays."""
    new, chance = int(rng.integers(1_000_000)), rng.random()
    place = int(rng.integers(1, len(seeds))) if len(seeds) > 1 else len(seeds)
    if chance < 0.75 or place == len(seeds):
        return (*seeds, new)
    return (*seeds[:place], *((new,) if chance < 0.9 else ()), *seeds[place + 1 :])


def cost(face: Pictures, others: Sequence[Pictures]) -> float:
    """Return how much the face resembles the others; lower is better."""
    gaps = np.array([gap(face, each) for each in others if each is not face])
    return float(np.exp(-_SHARPNESS * gaps).sum())


def nearest(faces: Sequence[Pictures]) -> float:
    """Return the smallest distance between pictures of two people."""
    return min(gap(*pair) for pair in combinations(faces, 2))


def gap(one: Pictures, other: Pictures) -> float:
    """Return the smallest distance between a picture of one person and one of the other."""
    return min(distance(a, b) for a in one for b in other)


if __name__ == "__main__":
    main()
