"""Documents a minute on two cores: processes of one thread, and one process of two threads.

The former default was one process of two threads. It is measured with the code of today, and with
the code of the commit that had it. The turns alternate, and the best of each layout counts: what
else the machine does only makes a turn slower.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.specimens import make_specimen
from benchmarks.bars import Bar, report
from benchmarks.other_commit import ROOT, unpack

READER = "benchmarks.fleet.layout_reader"
CORES = 2
KINDS = (SpecimenKind.INE_FRONT, SpecimenKind.INE_BACK, SpecimenKind.PASSPORT)
# The last commit before engines used a process for each core.
BEFORE = "f32db763"
LEAST = 1.8
MINUTE = 60.0


@dataclass(slots=True)
class Layout:
    """`sources`: the folder of the package, if it is of another commit."""

    name: str
    processes: int
    threads: int
    sources: Path | None = None
    readers: list[subprocess.Popen[str]] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)

    def start(self, documents: Sequence[Path], running: ExitStack) -> None:
        path = {} if self.sources is None else {"PYTHONPATH": str(self.sources)}
        threads = str(self.threads)
        limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), threads)
        for _ in range(self.processes):
            reader = subprocess.Popen(
                [sys.executable, "-m", READER, threads, *map(str, documents)],
                cwd=ROOT,
                env=os.environ | limits | path,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            running.enter_context(reader)
            running.callback(reader.kill)
            self.readers.append(reader)

    def read(self, documents: int) -> tuple[float, float]:
        """Let each process read so many; documents a minute, and CPU seconds of each."""
        began = time.perf_counter()
        for reader in self.readers:
            assert reader.stdin is not None
            print(documents, file=reader.stdin, flush=True)
        spent = 0.0
        for reader in self.readers:
            assert reader.stdout is not None
            spent += float(reader.stdout.readline())
        number = documents * self.processes
        return number / (time.perf_counter() - began) * MINUTE, spent / number

    def turn(self, documents: int) -> None:
        """Read, and keep the figures."""
        rate, cost = self.read(documents // self.processes)
        self.rates.append(rate)
        self.costs.append(cost)


def layouts(commit: str, folder: Path) -> list[Layout]:
    found = [
        Layout("two processes of one thread", CORES, 1),
        Layout("one process of two threads", 1, CORES),
    ]
    try:
        name = f"one process of two threads at {commit}"
        found.append(Layout(name, 1, CORES, unpack(commit, folder)))
    except (subprocess.CalledProcessError, OSError) as fault:
        print(f"SKIPPED: the former default; the history has no {commit}: {fault}")
    return found


def main(given: Sequence[str] | None = None) -> int:
    return report(bars(given))


def bars(given: Sequence[str] | None = None) -> list[Bar]:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fleet.layouts", description=__doc__)
    parser.add_argument("--documents", type=int, default=12, help="of each layout in a turn")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--against", default=BEFORE, help="commit of the former default")
    arguments = parser.parse_args(given)
    affinity = os.sched_getaffinity(0)
    with ExitStack() as running:
        running.callback(os.sched_setaffinity, 0, affinity)
        # What starts from here has only these cores.
        os.sched_setaffinity(0, sorted(affinity)[:CORES])
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="acredita-bench-")))
        documents = []
        for kind in KINDS:
            documents.append(folder / f"{kind}.jpg")
            documents[-1].write_bytes(make_specimen(kind, 7).image_bytes)
        found = layouts(arguments.against, folder)
        for layout in found:
            layout.start(documents, running)
        for layout in found:
            layout.read(1)
        for number in range(arguments.turns):
            for layout in found[:: -1 if number % 2 else 1]:
                layout.turn(arguments.documents)
    for layout in found:
        rate, cost = max(layout.rates), median(layout.costs)
        print(f"{layout.name}: {rate:.1f} documents a minute, {cost:.2f} s of CPU each")
    ours = found[0].rates
    return [
        Bar.at_least(
            f"documents a minute on two cores, to {layout.name}",
            max(ours) / max(layout.rates),
            LEAST,
        )
        for layout in found[1:]
        if layout.sources is not None
    ]


if __name__ == "__main__":
    sys.exit(main())
