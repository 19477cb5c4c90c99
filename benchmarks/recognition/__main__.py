"""Run as `python -m benchmarks.recognition [--full] [--seed N] [--only faces]`.

Each part runs in a separate process, so that its memory can be measured. The exit status is 1 if a
bar is missed. The seed decides on the synthetic people and on all random numbers. It is printed,
and `--seed` repeats a run.
"""

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import SystemRandom

from acredita_synthetic.styles import Style
from benchmarks.recognition import kinds, peers
from benchmarks.recognition.report import Part, Scale, run

PARTS: Mapping[str, float] = {
    "documents": 700,
    "licences": 700,
    "certificates": 700,
    "kinds": 700,
    "conditions": 700,
    "tampering": 700,
    "zones": 700,
    "specimens": 700,
    "faces": 250,
    "copies": 900,
    "liveness": 700,
    "moments": 250,
    "films": 700,
}
"""The parts in their order, and the memory limit of their processes in MB."""
STYLED = ("documents", "licences")
"""The parts that draw documents in every style."""


def run_alone(name: str, scale: Scale) -> Part:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(run, name, scale).result()


def scale_of(options: argparse.Namespace) -> Scale:
    seed = options.seed or 1_000_000 + SystemRandom().randrange(1_000_000_000)
    if options.full:
        return Scale(seed, options.documents or 300, 2000, 5, 40, options.quiet, options.style)
    return Scale(seed, options.documents or 20, 500, 2, 6, options.quiet, options.style)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="measure more, for hours")
    parser.add_argument("--documents", type=int, help="of each kind: 20, or 300 with --full")
    parser.add_argument("--seed", type=int, help="seed of an earlier run")
    parser.add_argument("--only", nargs="*", choices=PARTS, help="run only these parts")
    parser.add_argument(
        "--style",
        type=Style,
        choices=Style,
        default=Style.CLASSIC,
        help=f"drawing style of the documents; only {' and '.join(STYLED)} have several",
    )
    parser.add_argument(
        "--peers",
        type=Path,
        metavar="FOLDER",
        help="also compare with peers",
    )
    parser.add_argument("--quiet", action="store_true", help="the machine is: check time limits")
    options = parser.parse_args(arguments)
    parts_drawn = PARTS if options.style is Style.CLASSIC else STYLED
    chosen = parts_drawn if options.only is None else options.only
    if unknown := sorted(set(chosen) - set(parts_drawn)):
        parser.error(f"the style {options.style} does not draw {', '.join(unknown)}")
    scale = scale_of(options)
    load, processors = os.getloadavg()[0], os.cpu_count()
    print(f"seed {scale.seed}; style {scale.style}; load {load:.1f} on {processors} processors")
    parts: list[Part] = []
    for name, memory in PARTS.items():
        if name not in chosen:
            continue
        part = run_alone(name, scale)
        part.at_most("peak memory", part.memory_mb, memory, " MB")
        parts.append(printed(part))
    if pages := [page for part in parts for page in part.pages]:
        parts.append(printed(kinds.summary(pages)))
    if options.peers:
        started = time.perf_counter()
        part = peers.measure(scale, options.peers)
        part.seconds = time.perf_counter() - started
        parts.append(printed(part))
    missed = [(part.title, bar) for part in parts for bar in part.bars if not bar.met]
    print(f"\n{sum(len(part.bars) for part in parts)} bars, {len(missed)} missed")
    print(*(f"{bar} [{title}]" for title, bar in missed), sep="\n")
    print(f"load {os.getloadavg()[0]:.1f}; seed {scale.seed}")
    return int(bool(missed))


def printed(part: Part) -> Part:
    print(f"\n{part.title} ({part.seconds:.0f} s)", *part.lines, *part.bars, sep="\n", flush=True)
    return part


if __name__ == "__main__":
    sys.exit(main())
