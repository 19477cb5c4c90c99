"""Run as `python -m benchmarks.recognition [--full] [--seed N] [--only faces]`.

Each part runs in a process of its own, so that its memory is its own. Exits with 1 when a bar is
missed. The seed makes the drawn people and all chance; it is printed, and given again it repeats.
"""

import argparse
import os
import resource
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from random import SystemRandom

from benchmarks.recognition.report import Bar, Part, Scale

PARTS: Mapping[str, float] = {
    "documents": 700,
    "zones": 700,
    "faces": 250,
    "liveness": 700,
}
"""The parts in their order, and what their processes may take, in MB."""


def run(name: str, scale: Scale) -> Part:
    measure: Callable[[Scale], Part] = import_module(f"benchmarks.recognition.{name}").measure
    part = measure(scale)
    part.memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return part


def alone(name: str, scale: Scale) -> Part:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(run, name, scale).result()


def scale_of(options: argparse.Namespace) -> Scale:
    seed = options.seed or 1_000_000 + SystemRandom().randrange(1_000_000_000)
    if options.full:
        return Scale(seed, 300, 2000, 5, 40, options.quiet)
    return Scale(seed, 20, 500, 2, 6, options.quiet)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="an hour instead of some minutes")
    parser.add_argument("--seed", type=int, help="of an earlier run")
    parser.add_argument("--only", nargs="+", choices=[*PARTS, "peers"], help="these parts alone")
    parser.add_argument("--peers", metavar="FOLDER", help="compare with others, installed there")
    parser.add_argument("--quiet", action="store_true", help="the machine is: let times count")
    options = parser.parse_args(arguments)
    scale = scale_of(options)
    print(f"seed {scale.seed}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    bars: list[Bar] = []
    for name, memory in PARTS.items():
        if options.only and name not in options.only:
            continue
        part = alone(name, scale)
        part.at_most("peak memory", part.memory_mb, memory, " MB")
        show(part)
        bars += part.bars
    if options.peers:
        part = import_module("benchmarks.recognition.peers").measure(scale, options.peers)
        show(part)
        bars += part.bars
    print(f"load {os.getloadavg()[0]:.1f}; seed {scale.seed}")
    return int(not all(bar.met for bar in bars))


def show(part: Part) -> None:
    print(f"\n{part.title}", *part.lines, *part.bars, sep="\n", flush=True)


if __name__ == "__main__":
    sys.exit(main())
