"""What a name costs in batches of 100 by HTTP, on real lists, with records and hits.

    python -m acredita.embedded run -- python -m benchmarks.screening_batch

Needs the lists of the test data (ACREDITA_TEST_DATA). The measure is the CPU time of the API's
process per name, without PostgreSQL's. `customers`: names of a bank's customers; two in a hundred
are on a list. `clean`: common Mexican names. `listed`: every name is on a list.
Exits with 1 when a bar is missed.
"""

import argparse
import asyncio
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from statistics import median

import httpx
from rich.console import Console

from acredita.resources.aml.lists.commands import import_files
from acredita.settings import Settings
from benchmarks.bars import Bar, report
from benchmarks.screening_data import data_folder, labelled
from benchmarks.service import Server, service_of_its_own
from tests.factories.organizations import register

BATCH = 100
LISTED_IN_100 = 2
BAR_MS = 0.4
# Seconds for an answer: the machine may be busy, and only CPU time counts.
WAIT = 600.0
FILES = (
    *("ofac/sdn.csv", "ofac/alt_2025-12.csv", "ofac/add_2025-12.csv"),
    *("ofac/sdn_comments_2025-12.csv", "un/consolidated_2026-02-27.xml"),
    *("ofac/cons_prim.csv", "ofac/cons_alt.csv", "ofac/cons_add.csv", "ofac/cons_comments.csv"),
    *("sat69b/Definitivos_2025-12.csv", "sat69b/Presuntos_2025-12.csv"),
    *("sat69b/Desvirtuados_2025-12.csv", "sat69b/SentenciasFavorables_2025-12.csv"),
)
Names = Callable[[], list[str]]


def kinds(folder: Path) -> dict[str, Names]:
    """Kind of batch → a function that draws its names."""
    chance, queries = random.Random(1), labelled(folder)
    clean = [item.query for item in queries if item.category == "neg/mx_common"]
    listed = [item.query for item in queries if item.entry]

    def drawn(share: int) -> Names:
        return lambda: chance.sample(clean, BATCH - share) + chance.sample(listed, share)

    return {"customers": drawn(LISTED_IN_100), "clean": drawn(0), "listed": drawn(BATCH)}


async def measure(
    server: Server, client: httpx.AsyncClient, token: str, draw: Names, batches: int
) -> tuple[float, float, float]:
    """(CPU ms of a name, median ms of a request, matches of a name)."""
    costs, waits, matches = [], [], 0
    numbers = count()
    for turn in range(batches + 1):
        names = draw()
        queries = [{"fullName": name, "externalId": f"c-{next(numbers)}"} for name in names]
        before, started = server.cpu_seconds(), time.perf_counter()
        answer = await client.post(
            "/v1/aml/screen/batch",
            json={"queries": queries},
            headers={"Authorization": f"Bearer {token}"},
        )
        waited, spent = time.perf_counter() - started, server.cpu_seconds() - before
        answer.raise_for_status()
        if turn:  # The first one warms up.
            costs.append(spent * 1000 / BATCH)
            waits.append(waited * 1000)
            matches += sum(each["totalMatches"] for each in answer.json()["results"])
    return sum(costs) / len(costs), median(waits), matches / (batches * BATCH)


async def run(server: Server, folder: Path, files: Sequence[Path], batches: int) -> list[Bar]:
    console = Console(file=sys.stderr)
    if files:
        terms = dict.fromkeys(("list_id", "format_name", "name"))
        await import_files(Settings(), console, files, force=True, **terms)
    bars = []
    async with httpx.AsyncClient(base_url=server.address, trust_env=False, timeout=WAIT) as client:
        member = await register(client, "Banco Uno")
        for kind, draw in kinds(folder).items():
            cost, waited, matches = await measure(server, client, member.token, draw, batches)
            print(
                f"{kind:<9} {cost:.3f} ms of CPU a name, {waited:.0f} ms a batch of {BATCH}, "
                f"{matches:.2f} matches a name",
                flush=True,
            )
            if kind == "customers":
                bars.append(Bar.at_most("a name of a batch", cost, BAR_MS, " ms"))
    return bars


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batches", type=int, default=30)
    parser.add_argument("--sandbox", action="store_true", help="only the sandbox's list")
    options = parser.parse_args(arguments)
    folder = data_folder()
    if not (folder / "labelled_queries.tsv").exists():
        print(f"SKIPPED: no lists in {folder} (ACREDITA_TEST_DATA)")
        return 0
    files = [] if options.sandbox else [folder / name for name in FILES]
    print(f"load before: {os.getloadavg()[0]:.2f}")
    with service_of_its_own() as server:
        return report(asyncio.run(run(server, folder, files, options.batches)))


if __name__ == "__main__":
    sys.exit(main())
