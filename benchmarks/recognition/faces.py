"""Error rates and time of face comparison, on public photographs.

The photographs are of Labeled Faces in the Wild, clean and with one side degraded to the portrait
of a card, and of a set of labelled pairs of public figures. Nobody was chosen as Mexican.
"""

import csv
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise, permutations
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from acredita.domain.faces import Band, judge
from acredita.engines.face.compare import compare
from acredita.engines.face.embedding import distance, embed
from acredita.engines.face.find import Image, find_faces
from acredita.engines.face.models import warm_up
from acredita.engines.face.network import Embedding
from benchmarks.recognition.face_groups import measure_groups, read_collection
from benchmarks.recognition.report import Part, Result, Scale, Stopwatch, peak_memory, ratio

_PORTRAIT_WIDTH = 150
_MOST_EER = 0.015
_MOST_SECONDS, _MOST_MEMORY = 0.25, 250
_TIMED_PAIRS = 12
Apart = Callable[[Embedding, Embedding], float]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Distances of same-person pairs and of pairs of two people."""

    same: Sequence[float]
    other: Sequence[float]

    def equal_error(self) -> float:
        """Return the error rate at the distance where both kinds of errors are equally frequent."""
        return min(
            max(self.missed(limit), self.mistaken(limit))
            for limit in sorted({*self.same, *self.other})
        )

    def missed(self, limit: float) -> float:
        return sum(distance > limit for distance in self.same) / len(self.same)

    def mistaken(self, limit: float) -> float:
        return sum(distance <= limit for distance in self.other) / len(self.other)

    def bands(self, band: Band) -> tuple[int, int]:
        return (
            sum(judge(distance).band is band for distance in self.same),
            sum(judge(distance).band is band for distance in self.other),
        )


def folder() -> Path:
    return Path(os.environ.get("ACREDITA_TEST_DATA", "../shared/data")) / "images"


def labelled_faces() -> dict[Path, str]:
    """Return each photograph of Labeled Faces in the Wild with the name of its person."""
    return {path: path.parent.name for path in sorted(folder().glob("lfw/*/*.jpg"))}


def as_card_portrait(photograph: Image, across: int = _PORTRAIT_WIDTH) -> Image:
    """Degrade to the photographed portrait of a card: pale grey, under a guilloche, JPEG 55."""
    height, width = photograph.shape[:2]
    size = (across, round(height * across / width))
    small = cv2.resize(photograph, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    grey = small.mean(axis=2, keepdims=True)
    pale = (0.25 * small + 0.75 * grey) * 0.8 + np.array([34, 36, 30], np.float32)
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    waves = np.sin(x / 2.3 + 4 * np.sin(y / 11)) + np.sin(y / 2.9 + 3 * np.sin(x / 13))
    printed = np.clip(pale + 6 * waves[..., None], 0, 255).astype(np.uint8)
    encoded = cv2.imencode(".jpg", printed, [cv2.IMWRITE_JPEG_QUALITY, 55])[1]
    return np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)


def embedded(photograph: Image) -> Embedding | None:
    faces = find_faces(photograph)
    return embed(photograph, faces[0]) if faces else None


def embedded_all(
    paths: Iterable[Path], printed: Callable[[Image], Image] = lambda each: each
) -> dict[Path, Embedding | None]:
    return {path: embedded(printed(photograph(path))) for path in paths}


def photograph(path: Path) -> Image:
    return np.asarray(cv2.imread(str(path)), np.uint8)


def measure(scale: Scale) -> Part:
    part = Part("faces on public photographs")
    collection = read_collection(folder() / "lfw_dev")
    if collection is None:
        part.lines.append(f"skipped: {folder() / 'lfw_dev'} does not exist (ACREDITA_TEST_DATA)")
        return part
    warm_up()
    measure_groups(part, collection, photograph, as_card_portrait)
    if labelled := _labelled_pairs():
        _compare(part, "labelled pairs", labelled, _MOST_EER)
    watch, memory = run_alone(partial(compared, list(pairwise(collection.paths))[:_TIMED_PAIRS]))
    part.lines.append(f"time of a pair: {watch}")
    if scale.quiet:
        part.at_most("pair, median", watch.median, _MOST_SECONDS, " s")
    part.at_most("memory of a process that compares pairs", memory, _MOST_MEMORY, " MB")
    return part


def run_alone(task: Callable[[], Result]) -> Result:
    """Run the task, a `partial` of a function, in a separate process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(task).result()


def compared(pairs: Sequence[tuple[Path, Path]]) -> tuple[Stopwatch, float]:
    """Return the time of each pair and the peak memory of the process in MB.

    The service compares pairs in this way: pictures may be turned, and a document may repeat its
    portrait.
    """
    warm_up()
    watch = Stopwatch()
    for one, other in pairs:
        portrait, selfie = ((path.read_bytes(), "image/jpeg") for path in (one, other))
        watch.run(partial(compare, [portrait], selfie))
    return watch, peak_memory()


def pairs_within(
    people: dict[Path, str],
    found: dict[Path, Embedding | None],
    apart: Apart = distance,
) -> Pairs:
    return _sorted(
        (
            (people[one] == people[other], found[one], found[other])
            for one, other in combinations(people, 2)
        ),
        apart,
    )


def pairs_across(
    people: dict[Path, str],
    clean: dict[Path, Embedding | None],
    cards: dict[Path, Embedding | None],
    apart: Apart = distance,
) -> Pairs:
    return _sorted(
        (
            (people[one] == people[other], clean[one], cards[other])
            for one, other in permutations(people, 2)
        ),
        apart,
    )


def _sorted(
    pairs: Iterator[tuple[bool, Embedding | None, Embedding | None]], apart: Apart = distance
) -> Pairs:
    distances: tuple[list[float], list[float]] = ([], [])
    for is_same, one, other in pairs:
        if one is not None and other is not None:
            distances[0 if is_same else 1].append(apart(one, other))
    return Pairs(*distances)


def _labelled_pairs() -> Pairs | None:
    table = folder() / "faces" / "master.csv"
    if not table.is_file():
        return None
    found = {path.name: embedded(photograph(path)) for path in table.parent.glob("*.jpg")}
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return _sorted(
        (row["Decision"] == "Yes", found[row["file_x"]], found[row["file_y"]]) for row in rows
    )


def _compare(part: Part, name: str, pairs: Pairs, most: float) -> None:
    part.at_most(f"{name}, equal error rate", pairs.equal_error(), most)
    for band in Band:
        same, other = pairs.bands(band)
        part.lines.append(
            f"{name:30} {band.value:10} same {ratio(same, len(pairs.same))}, "
            f"different {ratio(other, len(pairs.other))}"
        )
