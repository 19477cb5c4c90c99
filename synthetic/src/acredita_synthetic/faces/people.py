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
# others (tools/find_faces.py). Their pictures are 0.59 apart at least, so no two people match.
SEEDS: Final = (
    (2142, 445610, 147167),
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
# A beard hides what the mouth does.
_SHAVEN: Final = (2154,)


@cache
def people() -> tuple[Identity, ...]:
    return tuple(map(person_of, SEEDS))


def person_of(seeds: tuple[int, ...]) -> Identity:
    face = invent(*seeds)
    return replace(face, beard="none") if face.seed in _SHAVEN else face


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
