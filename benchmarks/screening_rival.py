"""The same queries put to nomenklatura's logic-v2, which yente scores with.

It is installed from PyPI into an environment made for it. A whole yente finds its candidates in
Elasticsearch; here they are handed over: ours, and always the right one. Its recall is therefore
what yente's could be at best.
"""

import json
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from acredita.engines.screening import Entry, ScreeningIndex
from benchmarks.screening_data import Labelled

PACKAGE = "nomenklatura==4.17.4"
THRESHOLDS = (0.70, 0.75, 0.80)
CANDIDATES = 30
_SCHEMAS = {
    "person": "Person",
    "company": "Organization",
    "vessel": "Vessel",
    "aircraft": "Airplane",
}
_SCRIPT = Path(__file__).with_name("screening_peer.py")


def compare(
    index: ScreeningIndex,
    entries: Sequence[Entry],
    queries: Sequence[Labelled],
    sample: int,
    python: Path | None,
) -> Iterator[str]:
    """The report's lines, on `sample` queries of each category; one that says why there is none
    where the package cannot be had."""
    chosen = _sample(queries, sample)
    with tempfile.TemporaryDirectory() as folder:
        try:
            answer = _ask(python or _environment(Path(folder)), _question(index, entries, chosen))
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired, OSError) as error:
            told = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
            yield f"SKIPPED: {PACKAGE} could not be installed or run: {told[-1] if told else error}"
            return
    yield f"{PACKAGE} logic-v2, {len(chosen)} queries, {sample} a category"
    for threshold in THRESHOLDS:
        theirs = [max(scores.values(), default=0) >= threshold for scores in answer["scores"]]
        right = [
            scores.get(item.entry, 0) >= threshold if item.entry else hit
            for item, scores, hit in zip(chosen, answer["scores"], theirs, strict=True)
        ]
        yield f"  logic-v2 at {threshold:.2f}  {_shares(chosen, right)}"
    found = [index.screen(item.query) for item in chosen]
    ours = [
        any(match.entry_id == item.entry for match in screening.matches)
        if item.entry
        else screening.total > 0
        for item, screening in zip(chosen, found, strict=True)
    ]
    yield f"  this engine at 0.75 {_shares(chosen, ours)}"
    taken = np.array(answer["seconds"][len(chosen) // 5 :]) * 1000  # its tables are loaded by then
    p50, p99 = np.percentile(taken, [50, 99])
    yield f"  logic-v2, {CANDIDATES} candidates at most: CPU p50 {p50:.1f} ms, p99 {p99:.1f} ms"


def _sample(queries: Sequence[Labelled], sample: int) -> list[Labelled]:
    by_category = defaultdict(list)
    for item in queries:
        by_category[item.category].append(item)
    chance = random.Random(1)
    return [
        item
        for category, items in sorted(by_category.items())
        for item in chance.sample(
            items, min(len(items), sample * (1 + 4 * (category[:3] == "neg")))
        )
    ]


def _shares(chosen: Sequence[Labelled], right: Sequence[bool]) -> str:
    cells = []
    for family in ("lat", "int", "org", "neg"):
        hits = [hit for item, hit in zip(chosen, right, strict=True) if item.family == family]
        name = "false hits" if family == "neg" else family
        cells.append(f"{name} {sum(hits) / max(len(hits), 1):6.1%} of {len(hits)}")
    return "  ".join(cells)


def _question(
    index: ScreeningIndex, entries: Sequence[Entry], chosen: Sequence[Labelled]
) -> dict[str, Any]:
    known = {entry.id: entry for entry in entries}
    queries, needed = [], set()
    for item in chosen:
        near = index.screen(item.query, threshold=0.3, limit=CANDIDATES).matches
        candidates = {match.entry_id for match in near} | ({item.entry} if item.entry else set())
        needed |= candidates
        company = item.family == "org"
        schema = "Organization" if company else "Person"
        queries.append({"name": item.query, "schema": schema, "candidates": sorted(candidates)})
    entities = [
        {
            "id": identifier,
            "schema": _SCHEMAS.get(known[identifier].entity_type, "LegalEntity"),
            "names": [name.text for name in known[identifier].names],
        }
        for identifier in sorted(needed)
    ]
    return {"entities": entities, "queries": queries}


def _environment(folder: Path) -> Path:
    python = folder / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", PACKAGE],
        check=True,
        capture_output=True,
        text=True,
        timeout=900,
    )
    return python


def _ask(python: Path, question: dict[str, Any]) -> dict[str, Any]:
    told = subprocess.run(
        [python, _SCRIPT],
        input=json.dumps(question),
        check=True,
        capture_output=True,
        text=True,
        timeout=3600,
    )
    answer: dict[str, Any] = json.loads(told.stdout)
    return answer
