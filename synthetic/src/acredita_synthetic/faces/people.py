"""The available faces, and the choice of a face for a synthetic person."""

from dataclasses import replace
from functools import cache
from random import Random
from typing import Final

from acredita.domain.identifiers.formatting import Sex
from acredita_synthetic.faces.identity import Identity, invent
from acredita_synthetic.people import Person

# The embeddings of random faces are similar: seven pairs in ten are below the distance of a match.
# These faces were found by adding traits of further seeds as long as that increased the distance to
# the others (tools/find_faces.py). The distances between their pictures are above 0.62.
_SEEDS: Final = (
    (2142, 25423, 445610),
    (2129, 157548, 422893, 807318, 881546),
    (2150, 697819, 979084, 153412),
    (2154, 842292, 200561, 28093),
    (2099, 631749, 318831, 23354, 813722, 236810),
)
# A beard hides what the mouth does.
_SHAVEN: Final = (2154,)


@cache
def people() -> tuple[Identity, ...]:
    faces = (invent(*seeds) for seeds in _SEEDS)
    return tuple(replace(face, beard="none") if face.seed in _SHAVEN else face for face in faces)


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
