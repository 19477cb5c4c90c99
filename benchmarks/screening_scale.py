"""Speed and memory of one size of index, measured in a process of its own.

Run as `python -m benchmarks.screening_scale build NAMES PATH POPULATION` and `measure PATH
POPULATION`; each prints one JSON object. POPULATION: `ofac`, the list with more names of its words,
or `mexicans`, persons with common Mexican names only.
"""

import json
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from acredita.engines.screening import ScreeningIndex, build_index
from benchmarks.screening_data import data_folder, enlarged, labelled, mexicans, ofac

QUERIES = 3000


def build(names: int, path: Path, population: str) -> float:
    """Writes the index; CPU seconds of building and writing."""
    folder = data_folder()
    is_mexican = population == "mexicans"
    entries = list(mexicans(folder, names) if is_mexican else enlarged(ofac(folder), names))
    started = time.process_time()
    build_index(entries).save(path)
    return time.process_time() - started


def cpu_milliseconds(index: ScreeningIndex, queries: Sequence[str]) -> list[float]:
    """Of each query, in turn; what the index remembers of words grows with them."""
    taken = []
    for query in queries:
        started = time.thread_time_ns()
        index.screen(query)
        taken.append((time.thread_time_ns() - started) / 1e6)
    return taken


def percentiles(taken: Sequence[float]) -> dict[str, float]:
    p50, p99 = np.percentile(taken, [50, 99])
    return {"p50": float(p50), "p99": float(p99), "rate": 1000 / float(np.mean(taken))}


def measure(path: Path, population: str) -> dict[str, float]:
    """Starting cold: the index has just been opened. Memory is the process's own and what it
    touched of the mapped file, which all processes share."""
    queries = [
        item.query
        for item in labelled(data_folder())
        if population == "ofac" or item.category == "neg/mx_common" or item.family == "lat"
    ]
    order = np.random.default_rng(1).permutation(len(queries))[:QUERIES]
    before = _resident()
    started, cpu = time.perf_counter(), time.process_time()
    index = ScreeningIndex.open(path)
    opened, cpu = time.perf_counter() - started, time.process_time() - cpu
    taken = cpu_milliseconds(index, [queries[place] for place in order])
    return percentiles(taken) | {
        "names": index.names,
        "open": opened,
        "open_cpu": cpu,
        "file": path.stat().st_size / 1e6,
        "resident": _resident(),
        "grown": _resident() - before,
    }


def _resident() -> float:
    """Megabytes, the most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(arguments: Sequence[str]) -> None:
    if arguments[0] == "measure":
        print(json.dumps(measure(Path(arguments[1]), *arguments[2:] or ["ofac"])))
    else:
        names, path, *population = arguments[1:]
        print(json.dumps({"build": build(int(names), Path(path), *population or ["ofac"])}))


if __name__ == "__main__":
    main(sys.argv[1:])
