"""Attack a service on this machine, and verify honest people with it.

    python -m benchmarks.attack [--seed 1 --seed 2 ...] [--small] [--json FILE] [--baseline FILE]

It starts an API, a worker, PostgreSQL and Redis, with the real engines and sandbox registries, and
calls them over HTTP. It exits with 1 if an attack is approved, or if an honest case is not approved
that the baseline (the JSON of an earlier run with the same seeds in the same month) approved.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
from rich.console import Console
from rich.progress import Progress

from acredita.embedded.ports import free_port
from acredita.embedded.stack import running_stack
from acredita.settings import Settings
from benchmarks.attack import report
from benchmarks.attack.cases import Case
from benchmarks.attack.pictures import DAY
from benchmarks.attack.runner import Ended, run
from benchmarks.attack.seed_cases import cases_of

SEEDS = (1, 2, 3)
FAST = "100000"
SETTINGS = {
    "ACREDITA_ORG_RATE_LIMIT": FAST,
    "ACREDITA_ORG_RATE_BURST": FAST,
    "ACREDITA_IP_RATE_LIMIT": FAST,
    "ACREDITA_IP_RATE_BURST": FAST,
    # One verification keeps one processor busy. The bench counts finished verifications.
    "ACREDITA_ENGINE_PROCESSES": str(os.cpu_count() or 1),
    "ACREDITA_ENGINE_THREADS": "1",
}


@contextmanager
def service() -> Iterator[str]:
    """Yield the address of a service that stops at the end of the block."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="acredita-attack-")))
        running = stack.enter_context(
            running_stack(
                Settings(_env_file=None, data_dir=folder),
                folder,
                port=free_port(),
                durable=False,
                output=stack.enter_context((folder / "log").open("w")),
                extra=SETTINGS,
            )
        )
        yield running.base_url


async def course(base_url: str, seed: int, asked: argparse.Namespace) -> list[Ended]:
    cases = cases_of(seed, small=asked.small)
    if asked.only:
        cases = [case for case in cases if any(text in _called(case) for text in asked.only)]
    async with httpx.AsyncClient(base_url=base_url, trust_env=False, timeout=120) as client:
        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task(f"seed {seed}", total=len(cases))
            return await run(
                client,
                cases,
                name=f"Seed {seed}",
                at_once=asked.at_once,
                on_end=lambda _: progress.advance(task),
            )


def _called(case: Case) -> str:
    return f"{case.species}: {case.name}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, action="append", help="default: 1, 2 and 3")
    parser.add_argument("--small", action="store_true", help="a few cases of each kind")
    parser.add_argument("--only", action="append", help="cases whose kind and name contain this")
    parser.add_argument("--at-once", type=int, default=4, help="verifications side by side")
    parser.add_argument("--json", type=Path, help="write every case with its end")
    parser.add_argument("--baseline", type=Path, help="JSON of a former run")
    asked = parser.parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else 160)
    results = {}
    for seed in asked.seed or SEEDS:
        began = time.monotonic()
        # A new service for each seed, without data of another.
        with service() as base_url:
            results[seed] = asyncio.run(course(base_url, seed, asked))
        minutes = (time.monotonic() - began) / 60
        console.print(f"seed {seed}: {len(results[seed])} cases in {minutes:.1f} minutes")
        if asked.json:
            report.write(results, asked.json, day=DAY.isoformat(), small=asked.small)
    report.show(results, console)
    missed = report.failures(results, asked.baseline)
    for sentence in missed:
        console.print(sentence, style="bold red", highlight=False)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
