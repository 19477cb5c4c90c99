"""The result of a part of the benchmark: lines to print, and bars that are met or missed."""

import json
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from acredita_synthetic.styles import Style

if TYPE_CHECKING:
    from benchmarks.recognition.kinds import Classification

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Bar:
    text: str
    met: bool

    def __str__(self) -> str:
        return f"{'met   ' if self.met else 'MISSED'} {self.text}"


@dataclass
class Part:
    """The result of one part. `memory_mb`: the peak of the process that measured it.

    `pages`: the classification of each good page, for the table over all parts.
    """

    title: str
    lines: list[str] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    memory_mb: float = 0.0
    seconds: float = 0.0
    pages: list["Classification"] = field(default_factory=list)

    def at_least(self, name: str, right: int, total: int, least: float) -> None:
        if total == 0:
            self.lines.append(f"{name}: none in this run")
            return
        said = f"{name} {ratio(right, total)} (bar {least:.0%})"
        self.bars.append(Bar(said, right / total >= least))

    def at_most(self, name: str, value: float, most: float, unit: str = "") -> None:
        said = f"{name} {value:.3g}{unit} (bar {most:g}{unit})"
        self.bars.append(Bar(said, value <= most))


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured. `seed` decides on people and random numbers. `quiet`: the machine does
    nothing else, so the time limits are checked. `style`: how documents are drawn."""

    seed: int
    documents: int
    trials: int
    people: int
    photographs: int
    quiet: bool
    style: Style = Style.CLASSIC

    @property
    def rounds(self) -> int:
        """How often all models and all faults are drawn."""
        return max(1, self.documents // 20)


def run(name: str, scale: Scale) -> Part:
    """Run a part in this process. Its memory is the peak of this process."""
    measure: Callable[[Scale], Part] = import_module(f"benchmarks.recognition.{name}").measure
    started = time.perf_counter()
    part = measure(scale)
    part.seconds = time.perf_counter() - started
    part.memory_mb = peak_memory()
    return part


def ratio(right: int, total: int) -> str:
    return f"{right}/{total} = {right / total:.2%}" if total else "0/0"


def run_program(python: Path, program: str, arguments: Sequence[str]) -> list[Any]:
    """Run a program with another environment's Python. Return the JSON list in its last line."""
    command = [str(python), "-W", "ignore", "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    return list(json.loads(done.stdout.splitlines()[-1]))


def ahead(part: Part, name: str, ours: float, theirs: float, *, less: bool = False) -> None:
    """Add a bar: ours is at least as good as theirs. `less`: the smaller is the better."""
    met = ours <= theirs if less else ours >= theirs
    part.bars.append(Bar(f"{name}: ours {ours:.3g}, theirs {theirs:.3g}", met))


def peak_memory() -> float:
    """Return the peak memory of this process in MB.

    `getrusage` would include the peak of the parent process.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(peak.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@dataclass
class Stopwatch:
    """Wall and CPU seconds of each call, of this process or of its children."""

    whose: int = resource.RUSAGE_SELF
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def run(self, function: Callable[[], Result]) -> Result:
        wall, cpu = time.perf_counter(), self._processor()
        result = function()
        self.wall.append(time.perf_counter() - wall)
        self.cpu.append(self._processor() - cpu)
        return result

    def _processor(self) -> float:
        used = resource.getrusage(self.whose)
        return used.ru_utime + used.ru_stime

    @property
    def median(self) -> float:
        return statistics.median(self.wall)

    def __str__(self) -> str:
        if not self.wall:
            return "nothing was measured"
        late = sorted(self.wall)[int(0.95 * (len(self.wall) - 1))]
        processor = statistics.median(self.cpu)
        return f"wall median {self.median:.2f} s, p95 {late:.2f} s; CPU median {processor:.2f} s"


def table(rows: Iterable[Sequence[object]]) -> list[str]:
    """Align the columns of the rows."""
    written = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*written, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in written
    ]
