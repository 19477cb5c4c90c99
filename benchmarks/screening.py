"""How well and how fast names are matched with watchlists.

Run as `python -m benchmarks.screening`. Needs the lists and labelled queries of the test data
(ACREDITA_TEST_DATA). Times are of the CPU, one thread, the memory of words empty at first. Exits
with 1 when a bar is missed.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from acredita.engines.screening import Screening, ScreeningIndex, build_index
from benchmarks.screening_against import against
from benchmarks.screening_data import Labelled, data_folder, labelled, ofac, sat_persons
from benchmarks.screening_public import pair_files, public_pairs
from benchmarks.screening_rival import compare
from benchmarks.screening_scale import cpu_milliseconds, percentiles
from benchmarks.screening_spellings import spellings
from benchmarks.screening_weights import evidence

RECALL_BARS = {"lat": 0.995, "int": 0.985, "org": 0.985}
CATEGORY_BAR = 0.94
FALSE_HITS_BARS = {"neg/mx_common": 0.0025, "SAT persons": 0.0025}
P50_BAR, P99_BAR, RATE_BAR = 0.5, 2.0, 1500
RELOAD_BAR = 1.0
# Names: CPU p99 in milliseconds, megabytes.
SCALE_BARS = {200_000: (10, 600), 1_000_000: (10, 600)}
THRESHOLDS = (0.70, 0.75, 0.80, 0.85)

Bar = tuple[str, bool]


def right(item: Labelled, answer: Screening, threshold: float) -> bool:
    """For a negative: whether anything was hit."""
    matches = (match for match in answer.matches if match.score >= threshold)
    return any(match.entry_id == item.entry or not item.entry for match in matches)


def shares(
    queries: Sequence[Labelled], answers: Sequence[Screening], threshold: float
) -> dict[str, tuple[int, int]]:
    """Hits and queries, of each category and family."""
    counted: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for item, answer in zip(queries, answers, strict=True):
        hit = right(item, answer, threshold)
        for key in {item.family, item.category}:
            counted[key][0] += hit
            counted[key][1] += 1
    return {key: (hits, total) for key, (hits, total) in sorted(counted.items())}


def quality(index: ScreeningIndex, queries: Sequence[Labelled]) -> Iterator[str | Bar]:
    answers = [index.screen(item.query, threshold=THRESHOLDS[0], limit=1000) for item in queries]
    yield f"{len(queries)} labelled queries; recall, or false hits of negatives"
    yield from _by_threshold(queries, answers)
    yield from _tuned_on_and_held_out(queries, answers)
    found = shares(queries, answers, 0.75)
    for key, (hits, total) in found.items():
        share = hits / total
        if "/" in key and not key.startswith("neg"):
            yield f"{key} {share:.1%} of {total} (bar {CATEGORY_BAR:.0%})", share >= CATEGORY_BAR
    for key, least in RECALL_BARS.items():
        share = found[key][0] / found[key][1]
        yield f"recall {key} {share:.2%} of {found[key][1]} (bar {least:.1%})", share >= least
    hits, total = found["neg/mx_common"]
    yield false_hits("neg/mx_common", hits, total)


def _by_threshold(queries: Sequence[Labelled], answers: Sequence[Screening]) -> Iterator[str]:
    for threshold in THRESHOLDS:
        found = _families(shares(queries, answers, threshold))
        cells = "  ".join(f"{key} {hits / total:.2%}" for key, (hits, total) in found.items())
        yield f"  at {threshold:.2f}  {cells}"


def _tuned_on_and_held_out(
    queries: Sequence[Labelled], answers: Sequence[Screening]
) -> Iterator[str]:
    for title, held_out in (("tuned on", False), ("held out", True)):
        part = [place for place, item in enumerate(queries) if item.held_out == held_out]
        found = _families(shares([queries[p] for p in part], [answers[p] for p in part], 0.75))
        cells = "  ".join(f"{key} {hits}/{total}" for key, (hits, total) in found.items())
        yield f"  {title} at 0.75  {cells}"


def _families(found: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """The shares of whole families of queries, and of each category of the negatives."""
    return {key: each for key, each in found.items() if "/" not in key or key.startswith("neg/")}


def false_hits(name: str, hits: int, total: int) -> Bar:
    most = FALSE_HITS_BARS[name]
    return f"hits of {name} {hits}/{total} = {hits / total:.2%} (bar {most:.2%})", (
        hits / total <= most
    )


def real_mexicans(index: ScreeningIndex, names: Sequence[str]) -> Iterator[str | Bar]:
    """Persons of one list held against another; most hits that remain are the same words."""
    answers = [index.screen(name) for name in names]
    hits = [answer for answer in answers if answer.total]
    same = sum(answer.matches[0].score == 1 for answer in hits)
    yield f"{len(names)} persons of SAT 69-B: {len(hits)} hits, {same} of them by the same words"
    yield false_hits("SAT persons", len(hits), len(names))


def speed(index: ScreeningIndex, queries: Sequence[Labelled], folder: Path) -> Iterator[str | Bar]:
    shuffled = [item.query for item in queries]
    random.Random(1).shuffle(shuffled)
    path = folder / "index"
    index.save(path)
    started, cpu = time.perf_counter(), time.process_time()
    opened = ScreeningIndex.open(path)
    yield (
        f"opened in {time.perf_counter() - started:.3f} s, "
        f"{time.process_time() - cpu:.3f} s of CPU; {path.stat().st_size / 1e6:.1f} MB"
    )
    for title in ("cold", "warm"):
        taken = percentiles(cpu_milliseconds(opened, shuffled))
        line = f"{title}: p50 {taken['p50']:.3f} ms, p99 {taken['p99']:.3f} ms"
        line += f", {taken['rate']:.0f}/s"
        if title == "warm":
            yield line
            return
        yield (
            f"{line} (bars {P50_BAR} ms, {P99_BAR} ms, {RATE_BAR}/s)",
            (taken["p50"] <= P50_BAR and taken["p99"] <= P99_BAR and taken["rate"] >= RATE_BAR),
        )


def scale(sizes: Sequence[int], folder: Path, kept: Path | None) -> Iterator[str | Bar]:
    """Each size is built in one process and measured in another. The largest one, also with
    common Mexican names only. Indexes in the folder `kept` are used again.
    """
    populations = [(names, "ofac") for names in sizes]
    for names, population in [*populations, *((max(sizes), "mexicans") for _ in sizes[:1])]:
        path = (kept or folder) / f"{names}-{population}.index"
        built = {} if path.exists() else child("build", str(names), str(path), population)
        found = child("measure", str(path), population)
        p99, memory = SCALE_BARS.get(names, (40, 600))
        yield (
            (
                f"{names:,} names ({population}): CPU p50 {found['p50']:.2f} ms, "
                f"p99 {found['p99']:.2f} ms, {found['rate']:.0f}/s; "
                f"{found['resident']:.0f} MB with the mapped file of "
                f"{found['file']:.0f} MB; built in {built.get('build', 0):.1f} s of CPU, opened in "
                f"{found['open']:.2f} s (bars {p99} ms, {memory} MB)"
            ),
            found["p99"] <= p99 and found["resident"] <= memory,
        )
        if kept is None:
            path.unlink()


def child(*arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.screening_scale", *arguments]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    answer: dict[str, Any] = json.loads(told)
    return answer


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SCALE_BARS))
    parser.add_argument("--keep", type=Path, help="a folder for the indexes of the sizes")
    parser.add_argument("--peer-sample", type=int, default=25, help="queries a category; 0: none")
    parser.add_argument("--peer-python", type=Path, help="of an environment that has the package")
    parser.add_argument("--against", help="a commit whose engine is measured in turn with this one")
    parser.add_argument("--pairs", help="files of public name pairs, see screening_public")
    parser.add_argument("--only-time", action="store_true", help="no accuracy")
    parser.add_argument("--ignore-time", action="store_true", help="on a machine that is not quiet")
    options = parser.parse_args(arguments)
    pairs = pair_files(options.pairs)
    if not (data_folder() / "labelled_queries.tsv").exists():
        print(f"SKIPPED: no lists in {data_folder()} (ACREDITA_TEST_DATA)")
        return 0
    print(f"load before: {os.getloadavg()[0]:.2f}, processors: {os.cpu_count()}")
    entries, queries = ofac(data_folder()), labelled(data_folder())
    started = time.process_time()
    index = build_index(entries)
    reload = time.process_time() - started
    print(f"{index.entries} entries, {index.names} names")
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if not options.only_time:
            tell(quality(index, queries), missed)
            tell(real_mexicans(index, sat_persons(data_folder())), missed)
            tell(spellings(index, entries, data_folder()), missed)
            tell(evidence(data_folder()), missed)
            tell(public_pairs(entries, pairs), missed)
        timed: list[str] = []
        tell(speed(index, queries, folder), timed)
        tell([(f"built in {reload:.2f} s (bar {RELOAD_BAR} s)", reload <= RELOAD_BAR)], timed)
        if options.against:
            tell(against(options.against, folder), timed)
        tell(scale(options.sizes, folder, options.keep), timed)
        missed += [] if options.ignore_time else timed
    if options.peer_sample:
        sample, python = options.peer_sample, options.peer_python
        tell(compare(index, entries, queries, sample, python), missed)
    print(f"load after: {os.getloadavg()[0]:.2f}")
    print("\n".join(f"MISSED {line}" for line in missed) or "every bar is met")
    return int(bool(missed))


def tell(lines: Iterator[str | Bar] | Sequence[Bar], missed: list[str]) -> None:
    """Prints as it comes; bars that are missed are added to `missed`."""
    for line in lines:
        text, met = (line, None) if isinstance(line, str) else line
        print(text if met is None else f"{'met   ' if met else 'MISSED'} {text}", flush=True)
        if met is False:
            missed.append(text)


if __name__ == "__main__":
    sys.exit(main())
