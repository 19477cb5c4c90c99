"""Names of listed persons as other scripts write them, and ordinary names in these scripts.

`screening_scripts.tsv` was written by hand: the usual spelling of well-known persons. Of each, only
those count that the lists have. A person is found if the written name finds an entry that the Latin
one finds with 0.9 or more.
"""

import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from acredita.engines.screening import EmptyName, Entry, ScreeningIndex, build_index

WRITTEN = Path(__file__).with_name("screening_scripts.tsv")
Bar = tuple[str, bool]
# Nothing reads Japanese names in Chinese characters.
BARS = {
    "Cyrillic": 0.9, "Greek": 0.9, "Hebrew": 0.9, "Arabic": 0.85, "Hangul": 0.95, "kana": 0.85,
    "Thai": 0.8, "Devanagari": 0.9, "Chinese": 0.95, "Chinese, foreign names": 0.9,
    "Chinese, Korean names": 0.9, "Chinese, Japanese names": 0.0,
}  # fmt: skip
MOST_FALSE_HITS = 0.0025
# Given names and surnames, combined. Of these persons only IKEDA, Takashi is listed.
ORDINARY = Path(__file__).with_name("screening_ordinary.tsv")


def scripts(entries: Sequence[Entry]) -> Iterator[Bar]:
    """Recall by script, and hits of ordinary names. `entries`: without original spellings."""
    index = build_index(entries)
    found: dict[str, list[bool]] = defaultdict(list)
    for row in _rows(WRITTEN):
        if meant := _found(index, row["latin"], 0.9):
            found[row["script"]].append(bool(meant & _found(index, row["written"], 0.75)))
    for script, hits in found.items():
        share, bar = sum(hits) / len(hits), BARS[script]
        yield (
            f"written in {script}: {sum(hits)} of {len(hits)} = {share:.1%} (bar {bar:.0%})",
            share >= bar,
        )
    for row in _rows(ORDINARY):
        names = map(" ".join, product(row["given"].split(), row["family"].split()))
        hits = [bool(_found(index, name, 0.75)) for name in names]
        share = sum(hits) / len(hits)
        line = f"ordinary names in {row['script']}: {sum(hits)} hits of {len(hits)} = {share:.2%}"
        yield f"{line} (bar {MOST_FALSE_HITS:.2%})", share <= MOST_FALSE_HITS


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _found(index: ScreeningIndex, name: str, threshold: float) -> set[tuple[str, str]]:
    try:
        matches = index.screen(name, threshold=threshold, limit=500).matches
    except EmptyName:
        return set()
    return {(match.list_id, match.entry_id) for match in matches}
