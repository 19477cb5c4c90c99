"""The speed of this engine against that of another commit, in turn, on the same processor.

Each commit builds its own index in a process of its own, and other processes of its own measure it.
The rounds alternate, so that another load on the machine slows both.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from benchmarks.other_commit import ROOT, unpack

ROUNDS = 5
# Of the time of the other commit.
MOST = 1.1

Bar = tuple[str, bool]


def against(commit: str, folder: Path) -> Iterator[str | Bar]:
    """The median of the rounds, of the CPU's milliseconds. Needs the history of the repository."""
    theirs = folder / "other-commit"
    theirs.mkdir()
    sources = {"this": ROOT / "src", commit: unpack(commit, theirs)}
    for name, source in sources.items():
        _child(source, "build", "0", str(folder / f"{name}.index"))
    rounds: dict[str, list[Mapping[str, float]]] = {name: [] for name in sources}
    for number in range(ROUNDS):
        for name in sorted(sources, reverse=bool(number % 2)):
            found = _child(sources[name], "measure", str(folder / f"{name}.index"))
            rounds[name].append(found)
    for key in ("p50", "p99"):
        ours, other = (float(np.median([each[key] for each in rounds[name]])) for name in sources)
        yield (
            f"{key} {ours:.3f} ms, at {commit} {other:.3f} ms: {ours / other:.2f} (bar {MOST})",
            ours <= other * MOST,
        )


def _child(source: Path, *arguments: str) -> Mapping[str, float]:
    """`source`: the folder with the package. The benchmark itself is this commit's."""
    answer: Mapping[str, float] = json.loads(
        subprocess.run(
            [sys.executable, "-m", "benchmarks.screening_scale", *arguments],
            check=True,
            capture_output=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(source)},
        ).stdout
    )
    return answer
