"""The available faces, and the choice of a face for a synthetic person."""

from dataclasses import replace
from functools import cache
from random import Random
from typing import Final

from acredita.domain.identifiers.formatting import Sex
from acredita_synthetic.faces.identity import Identity, invent
from acredita_synthetic.people import Person

# The embeddings of random faces are similar: of twenty, nine pairs in ten pass for one person.
# These were found by adding traits of further seeds as long as that increased the distance to the
# others (tools/find_faces.py). The pictures of two people are at least 0.59 apart, and a match is
# at most 0.58.
SEEDS: Final = (
    (2142, 445610, 684179, 141557, 379376),
    (2150, 979084, 153412, 457172),
    (2154, 842292, 200561, 28093, 724789, 550318),
    (
        2099,
        631749,
        318831,
        23354,
        813722,
        973471,
        772789,
        641328,
        431226,
        589099,
        109296,
        552665,
        474408,
        986424,
    ),
)


@cache
def people() -> tuple[Identity, ...]:
    return tuple(map(person_of, SEEDS))


def person_of(seeds: tuple[int, ...]) -> Identity:
    """Return the clean-shaven person of the seeds: a beard hides the moves of a mouth."""
    return replace(invent(*seeds), beard="none")


def face_of(person: Person) -> Identity:
    """Return a face of the person's sex: one of the two nearest in age."""
    age = person.age_on(person.passport.issued)
    fitting = [
        face
        for face in people()
        if person.sex is Sex.UNSPECIFIED or face.woman == (person.sex is Sex.FEMALE)
    ]
    nearest = sorted(fitting, key=lambda face: abs(face.age - age))[:2]
    return Random(f"face {person.seed}").choice(nearest)
