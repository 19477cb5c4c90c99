"""Error rates of face comparison on Labeled Faces in the Wild, for all people and by group.

The photographs, the official pairs and the groups are those of `lfw_dev`. Each photograph is also
degraded to a card's portrait. Pairs share people, so the intervals are narrower than the truth.
"""

import csv
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from acredita.domain.faces import DEFAULT_ACCEPT, DEFAULT_REJECT, similarity
from acredita.engines.face.embedding import embed
from acredita.engines.face.find import Image, find_faces
from benchmarks.recognition.report import Part, ratio, table

_MOST_ERRORS = {"clean": 0.008, "as printed on a card": 0.016}
_LEAST_TRUE = {"clean": 0.96, "as printed on a card": 0.87}
_MOST_FALSE_IN_GROUP = 0.002
_FALSE_RATES = (0.001, 0.0001)
_BY_ORIGIN = ("black", "east-asian", "latin-american", "other")
_BY_SEX = ("female", "male")
_OFF_CENTRE = 0.2
"""The largest distance of a face from the middle, down plus across, as a share of the side.

If the largest face is farther away, it belongs to another person than the photograph's name.
"""
# Errors of the collection: one person under two names, or two people under one name.
_ALIKE = {
    frozenset(pair.split())
    for pair in (
        "Wang_Yingfan Yingfan_Wang",
        "Wang_Nan Nan_Wang",
        "Choi_Sung-hong Sung_Hong_Choi",
        "Hasan_Wirayuda Hassan_Wirajuda",
        "Ruano_Pascual Virgina_Ruano_Pascal",
        "Talisa_Bratt Talisa_Soto",
        "Bart_Hendricks Ricky_Ray",
        "Carlos_Ruckauf Eduardo_Duhalde",
        "Jamie_Lee_Curtis Lindsay_Lohan",
    )
}
Numbers = NDArray[np.float64]
Faces = dict[str, Numbers]
"""Embeddings by the file name of the photograph."""


@dataclass(frozen=True, slots=True)
class Collection:
    """`pairs`: two file names and whether they show one person. `groups`: names by group."""

    paths: Sequence[Path]
    pairs: Sequence[tuple[str, str, bool]]
    groups: dict[str, set[str]]


def read_collection(folder: Path) -> Collection | None:
    if not (folder / "pairs.tsv").is_file():
        return None
    groups = defaultdict(set)
    for row in _rows(folder / "groups.tsv"):
        groups[row["group"]].add(row["identity"])
        groups[row["sex"]].add(row["identity"])
    pairs = [(r["photograph"], r["other"], r["same"] == "1") for r in _rows(folder / "pairs.tsv")]
    return Collection(sorted(folder.glob("images/*.jpg")), pairs, dict(groups))


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def measure_groups(
    part: Part,
    collection: Collection,
    opened: Callable[[Path], Image],
    printed: Callable[[Image], Image],
) -> None:
    """Add error rates and bars to `part`. `opened` reads a photograph, `printed` degrades it."""
    clean, cards = Faces(), Faces()
    missed = [0, 0]
    for path in collection.paths:
        photograph = opened(path)
        for found, picture in ((clean, photograph), (cards, printed(photograph))):
            faces = find_faces(picture)
            missed[0] += not faces
            if faces and _is_central(picture, faces[0].box):
                found[path.name] = embed(picture, faces[0])
            else:
                missed[1] += bool(faces)
    total = 2 * len(collection.paths)
    part.lines += [
        f"{total} pictures, clean and printed: no face in {ratio(missed[0], total)}",
        f"left out because another person's face is larger: {ratio(missed[1], total)}",
    ]
    for name, other in (("clean", clean), ("as printed on a card", cards)):
        _rates(part, name, collection, clean, other)


def _is_central(picture: Image, box: tuple[float, float, float, float]) -> bool:
    height, width = picture.shape[:2]
    across, down = (box[0] + box[2]) / 2 / width - 0.5, (box[1] + box[3]) / 2 / height - 0.5
    return abs(across) + abs(down) <= _OFF_CENTRE


def _rates(part: Part, name: str, collection: Collection, clean: Faces, other: Faces) -> None:
    same, different = (
        np.array(
            [
                clean[one] @ other[two]
                for one, two, is_same in collection.pairs
                if is_same is wanted and one in clean and two in other
            ]
        )
        for wanted in (True, False)
    )
    error = _equal_error(same, different)
    strangers = np.concatenate(list(_strangers(_of_all(collection), clean, other)))
    part.lines.append(
        f"{name}: {len(same)} pairs of one person, {len(different)} of two, equal error rate "
        f"{error:.2%}; {len(strangers)} pairs of strangers"
    )
    part.at_most(f"{name}, equal error rate", error, _MOST_ERRORS[name])
    for rate in _FALSE_RATES:
        limit = float(np.quantile(strangers, 1 - rate))
        true = int((same >= limit).sum())
        said = f"{name}, recognized at {rate:.2%} false matches"
        part.lines.append(f"{said} (cosine {limit:.3f}): {_share(true, len(same))}")
        if rate == _FALSE_RATES[-1]:
            part.at_least(said, true, len(same), _LEAST_TRUE[name])
    _groups(part, name, collection, clean, other)


def _groups(part: Part, name: str, collection: Collection, clean: Faces, other: Faces) -> None:
    accept, reject = (cosine_of(each) for each in (DEFAULT_ACCEPT, DEFAULT_REJECT))
    rows: list[tuple[str, ...]] = [
        (name, "strangers accepted", "not rejected", "same person not accepted", "rejected")
    ]
    everyone = {"all": _of_all(collection)}
    groups = everyone | {each: collection.groups[each] for each in (*_BY_ORIGIN, *_BY_SEX)}
    for group, people in groups.items():
        strangers = np.concatenate(list(_strangers(people, clean, other)))
        own = np.array(list(_own(people, clean, other)))
        taken = int((strangers >= accept).sum())
        rows.append(
            (
                group,
                _share(taken, len(strangers)),
                _share(int((strangers >= reject).sum()), len(strangers)),
                _share(int((own < accept).sum()), len(own)),
                _share(int((own < reject).sum()), len(own)),
            )
        )
        said = f"{name}, strangers accepted, {group}"
        part.at_most(said, taken / len(strangers), _MOST_FALSE_IN_GROUP)
    part.lines += table(rows)


def _of_all(collection: Collection) -> set[str]:
    """Return all people except those who were added only to enlarge a group."""
    added = set().union(*(collection.groups[each] for each in _BY_ORIGIN[:3]))
    named = {_person(name) for one, two, _ in collection.pairs for name in (one, two)}
    return {_person(path.name) for path in collection.paths} - (added - named)


def _strangers(people: set[str], clean: Faces, other: Faces) -> Iterator[Numbers]:
    """Yield the cosines of every two people, with one photograph each."""
    one, two = _first(people, clean), _first(people, other)
    names = list(two)
    faces = np.array([two[name] for name in names])
    for place, name in enumerate(one):
        # If no side is degraded, each pair counts once.
        kept = [
            (other is not clean or at > place)
            and who != name
            and frozenset((who, name)) not in _ALIKE
            for at, who in enumerate(names)
        ]
        yield faces[kept] @ one[name]


def _first(people: set[str], faces: Faces) -> Faces:
    found: Faces = {}
    for name in sorted(faces):
        if _person(name) in people:
            found.setdefault(_person(name), faces[name])
    return found


def _own(people: set[str], clean: Faces, other: Faces) -> Iterator[float]:
    """Yield the cosines of every two photographs of the same person."""
    by_person = defaultdict(list)
    for name in sorted(clean):
        if _person(name) in people:
            by_person[_person(name)].append(name)
    for names in by_person.values():
        for one, two in combinations(names, 2):
            if two in other:
                yield float(clean[one] @ other[two])


def _person(name: str) -> str:
    return name.rsplit("_", 1)[0]


def _equal_error(same: Numbers, different: Numbers) -> float:
    limits = np.unique(np.concatenate([same, different]))
    return float(min(max((same < t).mean(), (different >= t).mean()) for t in limits))


def cosine_of(wanted: float) -> float:
    """Return the smallest cosine of the built-in network that has this similarity."""
    low, high = -1.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if similarity(1 - middle) >= wanted else (middle, high)
    return high


def _share(count: int, total: int) -> str:
    low, high = interval(count, total)
    return f"{count}/{total} = {count / max(total, 1):.2%} ({low:.2%} to {high:.2%})"


def interval(count: int, total: int, deviations: float = 1.96) -> tuple[float, float]:
    """Return Wilson's interval of a share; 1.96 deviations are a confidence of 95 %."""
    if total == 0:
        return 0.0, 1.0
    share, weight = count / total, deviations**2 / total
    middle = (share + weight / 2) / (1 + weight)
    half = deviations * sqrt(share * (1 - share) / total + weight / (4 * total)) / (1 + weight)
    return max(0.0, middle - half), min(1.0, middle + half)
