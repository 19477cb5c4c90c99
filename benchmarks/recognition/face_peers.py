"""Compare face matching with face_recognition, on the same pictures.

The sets are public photographs: unchanged, degraded to portraits of cards in several sizes, and in
drawn voter cards of every difficulty. For each set: pictures without a detected face, the equal
error rate, and the share of same-person pairs recognized at 0.1 % false matches.
"""

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from acredita.engines.face.embedding import distance
from acredita.engines.face.find import Image
from acredita.engines.face.models import warm_up
from acredita.engines.face.network import Embedding
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.specimens import make_specimen
from benchmarks.recognition.drawing import difficulty_of
from benchmarks.recognition.faces import (
    Apart,
    Pairs,
    as_card_portrait,
    compared,
    embedded,
    embedded_all,
    labelled_faces,
    pairs_across,
    pairs_within,
    photograph,
    run_alone,
)
from benchmarks.recognition.report import Part, Stopwatch, ahead, peak_memory, run_program, table

_TIMED_PAIRS = 12
_FALSE = 0.001
_CLEAN = "as they are"
_THEIR_FACES = """
import json, sys, face_recognition as f
found = [f.face_encodings(f.load_image_file(path)) for path in sys.argv[1:]]
print(json.dumps([list(each[0]) if each else None for each in found]))
"""
_THEIR_PAIRS = """
import json, sys, time, face_recognition as f
seconds = []
for one, other in zip(sys.argv[1::2], sys.argv[2::2]):
    started = time.process_time()
    a, b = (f.face_encodings(f.load_image_file(path)) for path in (one, other))
    f.face_distance(a[:1], b[0])
    seconds.append(time.process_time() - started)
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps([sorted(seconds)[len(seconds) // 2], int(peak.split()[1]) / 1024]))
"""
Found = dict[Path, Embedding | None]


@dataclass(frozen=True, slots=True)
class Result:
    lost: int
    pairs: Pairs

    def recognized(self) -> float:
        """Return the share of same-person pairs that match at a false-match rate of `_FALSE`."""
        strangers = sorted(self.pairs.other)
        limit = strangers[int(_FALSE * len(strangers))]
        return sum(each < limit for each in self.pairs.same) / len(self.pairs.same)


def measure(part: Part, python: Path) -> None:
    """Add the comparison to `part`. `python` is the interpreter of the peers' environment."""
    people = labelled_faces()
    if not people:
        part.lines.append("skipped: face_recognition needs the photographs")
        return
    warm_up()
    with TemporaryDirectory(prefix="acredita-faces-") as name:
        sets = _written(list(people), Path(name))
        theirs = {
            kind: _by_photograph(people, run_program(python, _THEIR_FACES, list(map(str, files))))
            for kind, files in sets.items()
        }
        ours = {
            kind: dict(zip(people, embedded_all(files).values(), strict=True))
            for kind, files in sets.items()
        }
    rows = [
        ("faces of the same pictures", "", "no face", "equal error", "recognized at 0.1 % false")
    ]
    for kind in sets:
        results = {}
        for who, found in (("acredita", ours), ("face_recognition", theirs)):
            apart = distance if who == "acredita" else _their_distance
            results[who] = _result(people, found[_CLEAN], found[kind], apart, same=kind == _CLEAN)
            rows.append((kind, who, *_cells(results[who], len(people))))
        _bars(part, kind, *results.values())
    part.lines += table(rows)
    _times(part, python, list(people))


def _bars(part: Part, kind: str, ours: Result, theirs: Result) -> None:
    name = f"{kind}, face_recognition"
    ahead(part, f"no face, {name}", ours.lost, theirs.lost, less=True)
    errors = (each.pairs.equal_error() for each in (ours, theirs))
    ahead(part, f"equal error rate, {name}", *errors, less=True)
    ahead(part, f"recognized at 0.1 % false, {name}", ours.recognized(), theirs.recognized())


def _cells(result: Result, pictures: int) -> tuple[str, str, str]:
    return (
        f"{result.lost}/{pictures}",
        f"{result.pairs.equal_error():.2%}",
        f"{result.recognized():.1%} of {len(result.pairs.same)}",
    )


def _their_distance(one: Embedding, other: Embedding) -> float:
    return float(np.linalg.norm(one - other))


def _result(
    people: dict[Path, str], clean: Found, other: Found, apart: Apart, *, same: bool
) -> Result:
    if same:
        pairs = pairs_within(people, clean, apart)
    else:
        pairs = pairs_across(people, clean, other, apart)
    return Result(sum(each is None for each in other.values()), pairs)


def _written(paths: list[Path], folder: Path) -> dict[str, list[Path]]:
    """Write the pictures of each set as files, in the order of the photographs."""
    makers: Mapping[str, Callable[[int, Image], Image]] = {
        _CLEAN: lambda _number, picture: picture,
        "portrait, 150 pixels": lambda _number, picture: as_card_portrait(picture),
        "portrait, 110 pixels": lambda _number, picture: as_card_portrait(picture, 110),
        "portrait, 80 pixels": lambda _number, picture: as_card_portrait(picture, 80),
        "on a drawn card": _on_card,
    }
    sets = {}
    for kind, make in makers.items():
        sets[kind] = [folder / f"{kind} {number}.png" for number in range(len(paths))]
        for number, (path, file) in enumerate(zip(paths, sets[kind], strict=True)):
            cv2.imwrite(str(file), make(number, photograph(path)))
    return sets


def _on_card(number: int, picture: Image) -> Image:
    """Draw a card with the photograph as its pale portrait. Difficulties take turns."""
    width = picture.shape[1]
    side = round(0.78 * width)
    upright = picture[:, (width - side) // 2 : (width + side) // 2]
    pale = 0.86 * (0.4 * upright + 0.6 * upright.mean(axis=2, keepdims=True)) + 24
    portrait = np.clip(pale, 0, 255).astype(np.uint8)
    card = make_specimen(
        SpecimenKind.INE_FRONT, 810_000 + number, difficulty_of(number), portrait=portrait
    )
    data = np.frombuffer(card.image_bytes, np.uint8)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _by_photograph(people: dict[Path, str], found: list[list[float] | None]) -> Found:
    return {
        path: None if each is None else np.array(each)
        for path, each in zip(people, found, strict=True)
    }


def _times(part: Part, python: Path, paths: list[Path]) -> None:
    pairs = list(combinations(paths, 2))[:_TIMED_PAIRS]
    ours, our_memory = run_alone(partial(_found_and_compared, pairs))
    service, _ = run_alone(partial(compared, pairs))
    theirs, their_memory = run_program(
        python, _THEIR_PAIRS, [str(path) for pair in pairs for path in pair]
    )
    part.lines += [
        f"a pair found, embedded and compared: acredita {ours:.3f} s of CPU, {our_memory:.0f} MB",
        f"the same: face_recognition {theirs:.3f} s of CPU, {their_memory:.0f} MB",
        f"as the service does it (turns pictures, searches for a second portrait): {service}",
    ]
    ahead(part, "CPU seconds of a pair, face_recognition", ours, theirs, less=True)


def _found_and_compared(pairs: list[tuple[Path, Path]]) -> tuple[float, float]:
    """Return the CPU seconds of a pair and the memory, for the same work that the peer does."""
    warm_up()
    watch = Stopwatch()
    for pair in pairs:
        watch.run(partial(_distance, pair))
    return statistics.median(watch.cpu), peak_memory()


def _distance(pair: tuple[Path, Path]) -> float | None:
    one, other = (embedded(photograph(path)) for path in pair)
    return None if one is None or other is None else distance(one, other)
