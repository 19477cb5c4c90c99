"""Public sets of labelled pairs of names: precision, recall and F1 at the default threshold.

The repository contains none of them: `--pairs` or ACREDITA_NAME_PAIRS names the files, separated by
the system's path separator. A file is CSV with the columns of nomenklatura's
`contrib/name_bench/cases.csv`: `schema`, `name1` (the question), `name2` (the listed name) and
`is_match` (`true` or `false`).

The listed names are indexed together with OFAC's list, so that words are as frequent as on a real
list, and only they can match. Run as `python -m benchmarks.screening_public FILE` to also print the
pairs that are judged wrongly.
"""

import argparse
import csv
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from acredita.engines.screening import (
    DEFAULT_THRESHOLD,
    EmptyName,
    Entry,
    ListedName,
    ScreeningIndex,
    build_index,
)
from acredita.engines.screening.entries import EntityType
from benchmarks.screening_data import data_folder, ofac

LIST = "pairs"
TYPES: Mapping[str, EntityType] = {
    "Person": "person",
    "Company": "company",
    "Organization": "company",
    "Vessel": "vessel",
    "LegalEntity": "other",
}
F1_BARS = {"all": 0.83, "Person": 0.845}

Bar = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class NamePair:
    """`schema`: a key of TYPES. `same`: the label."""

    schema: str
    asked: str
    listed: str
    same: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """`score`: of the listed name, 0-1; 0 below the threshold that was asked for."""

    pair: NamePair
    score: float

    @property
    def found(self) -> bool:
        return self.score >= DEFAULT_THRESHOLD


def pair_files(given: str | None) -> list[Path]:
    """The files that `given` or ACREDITA_NAME_PAIRS names. Raise SystemExit if one is absent."""
    written = given or os.environ.get("ACREDITA_NAME_PAIRS", "")
    files = [Path(each) for each in written.split(os.pathsep) if each]
    if absent := [str(file) for file in files if not file.is_file()]:
        raise SystemExit(f"no such file of name pairs: {', '.join(absent)}")
    return files


def read_pairs(file: Path) -> list[NamePair]:
    with file.open(encoding="utf-8", newline="") as opened:
        return [
            NamePair(row["schema"], row["name1"], row["name2"], row["is_match"] == "true")
            for row in csv.DictReader(opened)
        ]


def index_of(entries: Sequence[Entry], pairs: Iterable[NamePair]) -> ScreeningIndex:
    """An index of `entries` and of the pairs' listed names, whose entry ids are their keys."""
    listed = {_key(pair): pair for pair in pairs}
    own = (
        Entry(key, LIST, TYPES[pair.schema], (ListedName(pair.listed),))
        for key, pair in listed.items()
    )
    return build_index([*entries, *own])


def _key(pair: NamePair) -> str:
    return f"{pair.schema}:{pair.listed}"


def judge(
    index: ScreeningIndex, pairs: Iterable[NamePair], threshold: float = DEFAULT_THRESHOLD
) -> list[Judged]:
    return [Judged(pair, _score(index, pair, threshold)) for pair in pairs]


def _score(index: ScreeningIndex, pair: NamePair, threshold: float) -> float:
    try:
        answer = index.screen(
            pair.asked,
            threshold=threshold,
            lists=frozenset([LIST]),
            entity_type=TYPES[pair.schema],
            limit=1000,
        )
    except EmptyName:
        return 0.0
    return next((each.score for each in answer.matches if each.entry_id == _key(pair)), 0.0)


def measured(judged: Iterable[Judged]) -> tuple[float, str]:
    """(F1, the line that says it with precision, recall and counts)."""
    judged = list(judged)
    hits = sum(each.found and each.pair.same for each in judged)
    found = sum(each.found for each in judged)
    same = sum(each.pair.same for each in judged)
    f1 = 2 * hits / (found + same) if found + same else 0.0
    precision, recall = hits / found if found else 0.0, hits / same if same else 0.0
    return f1, (
        f"F1 {f1:.3f}, precision {precision:.3f}, recall {recall:.3f} "
        f"({same} of {len(judged)} the same, {found - hits} false hits, {same - hits} missed)"
    )


def public_pairs(entries: Sequence[Entry], files: Sequence[Path]) -> Iterator[str | Bar]:
    """F1 of each file, over all pairs and per schema. Without a file: says so."""
    if not files:
        yield "SKIPPED: no public name pairs (--pairs or ACREDITA_NAME_PAIRS)"
    for file in files:
        pairs = read_pairs(file)
        judged = judge(index_of(entries, pairs), pairs)
        yield from _lines(file, judged)


def _lines(file: Path, judged: Sequence[Judged]) -> Iterator[str | Bar]:
    for kind in ("all", *dict.fromkeys(each.pair.schema for each in judged)):
        f1, line = measured(each for each in judged if kind in ("all", each.pair.schema))
        text = f"pairs of {file.name}, {kind}: {line}"
        if kind in F1_BARS:
            yield f"{text} (bar {F1_BARS[kind]})", f1 >= F1_BARS[kind]
        else:
            yield text


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", nargs="?", help="files of pairs")
    files = pair_files(parser.parse_args(arguments).pairs)
    entries = ofac(data_folder())
    for file in files:
        pairs = read_pairs(file)
        judged = judge(index_of(entries, pairs), pairs, threshold=0.5)
        for each in sorted(judged, key=lambda each: -each.score):
            if each.found != each.pair.same:
                wrong = "false" if each.found else "missed"
                pair = each.pair
                print(f"{wrong} {each.score:.3f} {pair.schema}: {pair.asked} | {pair.listed}")
        for line in _lines(file, judged):
            print(line if isinstance(line, str) else line[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
