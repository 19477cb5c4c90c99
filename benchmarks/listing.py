"""Measure lists, searches, the review queue and the overview among a million verifications.

    python -m acredita.embedded run -- python -m benchmarks.listing [--verifications 1000000]

One client sends each kind of request many times with different parameters, and then the searches of
a reviewer in turn: identifiers, whole names, a name as it is typed, one surname as often as people
have it. CPU is the processor time of a request, of the API and of all processes of PostgreSQL: it
is valid on a busy machine. It exits with 1 if a total is wrong or a bar is missed.
"""

import argparse
import asyncio
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from statistics import quantiles
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import asyncpg
import httpx
import psutil
from sqlalchemy.engine import make_url

from acredita.domain.search_identifiers import IdentifierKind
from acredita.domain.verification import VerificationStatus
from acredita.kit.crypto import Signer
from acredita.settings import Settings
from acredita_synthetic.name_lists import COMMON_SURNAMES
from benchmarks.listing_fill import OLD_PLAN, RARE_CITY, Row, fill
from benchmarks.listing_people import PersonsName
from benchmarks.service import Server, living_cpu_seconds, service_of_its_own
from tests.factories.organizations import make_workflow, register

BAR_MS = 50.0
# Of what thousands of verifications can have: a common name, a city, one letter.
COMMON_BAR_MS = 100.0
REQUESTS = 200
MOST_HITS = 1000
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, and the expected total. None: not counted."""

    query: dict[str, Any]
    total: int | None = None
    path: str = "/v1/verifications"
    # Whether any number of verifications may be hits.
    is_common: bool = False


def kinds(
    sample: list[Row], count: int, in_status: Counter[str], workflow_id: str
) -> dict[str, Callable[[random.Random], Asked]]:
    def part(text: str, length: int, chance: random.Random) -> str:
        start = chance.randrange(len(text) - length + 1)
        return text[start : start + length]

    def a_status(chance: random.Random) -> str:
        return chance.choice([*in_status])

    def of_status(query: dict[str, Any], status: str) -> Asked:
        return Asked(query | {"status": status}, in_status[status])

    def searched(
        of: Callable[[Row, random.Random], str], *, is_common: bool = False
    ) -> Callable[[random.Random], Asked]:
        return lambda chance: Asked(
            {"search": of(chance.choice(sample), chance)}, is_common=is_common
        )

    def named(of: Callable[[PersonsName], str]) -> Callable[[random.Random], Asked]:
        return searched(lambda row, _: of(row.name), is_common=True)

    def in_a_status(of: Callable[[Row], str]) -> Callable[[random.Random], Asked]:
        return lambda chance: Asked(
            {"search": of(chance.choice(sample)), "status": a_status(chance)}, is_common=True
        )

    def identified(kind: IdentifierKind) -> Callable[[random.Random], Asked]:
        return lambda chance: Asked({"search": chance.choice(sample).identifiers[kind]}, 1)

    def queue(**filters: Any) -> Callable[[random.Random], Asked]:
        return lambda _: Asked(filters, path="/v1/reviews")

    waiting = in_status[VerificationStatus.MANUAL_REVIEW]
    year = (datetime.now(UTC) - timedelta(days=364)).date().isoformat()
    return {
        "review queue": lambda _: Asked({}, waiting, "/v1/reviews"),
        "100 of the newest": lambda _: Asked(
            {"sort": "newest", "limit": 100}, waiting, "/v1/reviews"
        ),
        "queue: nobody holds": queue(assignee="none"),
        "queue: mine": queue(assignee="me"),
        "queue: a reason": queue(reason="FACE_UNCERTAIN"),
        "queue: a workflow": lambda _: Asked({"workflowId": workflow_id}, waiting, "/v1/reviews"),
        "queue: a day old": queue(minAgeHours=24),
        "queue: all filters": queue(
            workflowId=workflow_id, reason="FACE_UNCERTAIN", assignee="none", minAgeHours=24
        ),
        "overview, 30 days": lambda _: Asked({}, path="/v1/overview"),
        "overview, a year": lambda _: Asked({"from": year}, count, "/v1/overview"),
        "overview, workflows": lambda _: Asked({"from": year}, count, "/v1/overview/workflows"),
        "overview, a workflow": lambda _: Asked({"workflowId": workflow_id}, path="/v1/overview"),
        "search: CURP": identified(IdentifierKind.CURP),
        "search: RFC": identified(IdentifierKind.RFC),
        "search: phone": identified(IdentifierKind.PHONE),
        "search: e-mail": identified(IdentifierKind.EMAIL),
        "first page": lambda _: Asked({}, count),
        "offset up to 1,000": lambda chance: Asked({"offset": chance.randrange(1001)}, count),
        "in a status": lambda chance: of_status(
            {"offset": chance.randrange(1001)}, a_status(chance)
        ),
        "100 in a status": lambda chance: of_status({"limit": 100}, a_status(chance)),
        "search: 3 letters": searched(lambda row, chance: part(row.metadata["rfc"][:4], 3, chance)),
        "search: external id": searched(lambda row, _: row.external_id),
        "search: its digits": searched(lambda row, _: row.external_id[-6:]),
        "search: 6 digits": searched(lambda row, _: str(row.metadata["folio"])[:6]),
        "search: part of RFC": searched(lambda row, chance: part(row.metadata["rfc"], 6, chance)),
        "search: whole name": searched(lambda row, _: str(row.name)),
        "given name, surname": named(lambda name: f"{name.given.split()[0]} {name.paternal}"),
        "a surname": named(lambda name: name.paternal.lower()),
        "5 letters of a surname": named(lambda name: name.paternal[:5]),
        "4 letters of a surname": named(lambda name: name.paternal[:4]),
        "3 letters of a surname": named(lambda name: name.paternal[:3]),
        "the commonest surname": lambda _: Asked({"search": COMMON_SURNAMES[0]}, is_common=True),
        "the commonest letters": lambda _: Asked({"search": "mar"}, is_common=True),
        "a surname in a status": in_a_status(lambda row: row.name.paternal),
        "letters in a status": in_a_status(lambda row: row.name.paternal[:3]),
        "a city": searched(lambda row, _: row.metadata["sucursal"], is_common=True),
        "a city in a status": in_a_status(lambda row: row.metadata["sucursal"]),
        "an old plan": searched(
            lambda _, chance: part(OLD_PLAN, chance.randrange(4, 9), chance), is_common=True
        ),
        "an old plan in a status": in_a_status(lambda _: OLD_PLAN),
        "one letter": searched(lambda _, chance: chance.choice(LETTERS), is_common=True),
        "two letters": searched(
            lambda _, chance: "".join(chance.choices(LETTERS, k=2)), is_common=True
        ),
        "search: nothing": searched(lambda row, _: row.metadata["plan"] + row.external_id),
        "search: 800 hits": lambda chance: Asked(
            {"search": part(RARE_CITY, chance.randrange(6, 13), chance)}
        ),
        "800 hits in a status": lambda chance: Asked(
            {"search": part(RARE_CITY, chance.randrange(6, 13), chance), "status": a_status(chance)}
        ),
        "search in a status": lambda chance: Asked(
            {"search": chance.choice(sample).metadata["rfc"][:4], "status": a_status(chance)}
        ),
    }


# How often a reviewer searches for what, out of a hundred.
MIX = {
    "search: CURP": 15,
    "search: RFC": 5,
    "search: phone": 10,
    "search: e-mail": 5,
    "search: external id": 20,
    "search: its digits": 5,
    "search: whole name": 15,
    "given name, surname": 10,
    "a surname": 5,
    "5 letters of a surname": 4,
    "4 letters of a surname": 3,
    "3 letters of a surname": 3,
}


def mix(
    kinds: dict[str, Callable[[random.Random], Asked]],
) -> Callable[[random.Random], Asked]:
    def ask(chance: random.Random) -> Asked:
        (name,) = chance.choices([*MIX], [*MIX.values()])
        return replace(kinds[name](chance), is_common=True)

    return ask


def measure(
    server: Server,
    postmaster: psutil.Process,
    token: str,
    kinds: dict[str, Callable[[random.Random], Asked]],
    requests: int,
) -> bool:
    row = "{:<22} {:>7} {:>7} {:>7} {:>9} {:>11} {:>11}".format
    print(row("", "p50 ms", "p95 ms", "p99 ms", "hits max", "CPU API ms", "CPU PG ms"))
    kept = True
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(
        base_url=server.address, headers=headers, trust_env=False, timeout=30
    ) as client:
        for name, ask in kinds.items():
            chance, times, hits, is_common = random.Random(name), [], 0, False
            before = server.cpu_seconds(), living_cpu_seconds(postmaster.children())
            for _ in range(requests):
                asked = ask(chance)
                started = time.perf_counter()
                answer = client.get(f"{asked.path}?{urlencode(asked.query)}")
                spent = (time.perf_counter() - started) * 1000
                if answer.status_code != 200:
                    sys.exit(f"{asked.query}: {answer.text}")
                total = total_of(answer.json())
                if asked.total not in {None, total}:
                    sys.exit(f"{asked.query}: {total} in all, not {asked.total}")
                is_common = asked.is_common
                is_search = asked.total is None and asked.path == "/v1/verifications"
                if is_search and not is_common and total > MOST_HITS:
                    continue
                hits = max(hits, total)
                times.append(spent)
            after = server.cpu_seconds(), living_cpu_seconds(postmaster.children())
            hundredths = quantiles(times, n=100)
            print(
                row(
                    name,
                    f"{hundredths[49]:.1f}",
                    f"{hundredths[94]:.1f}",
                    f"{hundredths[98]:.1f}",
                    str(hits),
                    *(
                        f"{(end - start) / requests * 1000:.1f}"
                        for start, end in zip(before, after, strict=True)
                    ),
                )
            )
            bar = COMMON_BAR_MS if is_common else BAR_MS
            if hundredths[94] > bar:
                print(f"{name}: misses its bar of {bar:.0f} ms")
                kept = False
    return kept


def total_of(answer: dict[str, Any]) -> int:
    if "workflows" in answer:
        return sum(int(each["funnel"]["created"]) for each in answer["workflows"])
    if "funnel" in answer:
        return int(answer["funnel"]["created"])
    return int(answer["pagination"]["total"] if "pagination" in answer else answer["total"])


async def prepare(
    base: str, database_url: str, count: int
) -> tuple[psutil.Process, str, dict[str, Callable[[random.Random], Asked]]]:
    async with httpx.AsyncClient(base_url=base, trust_env=False) as client:
        member = await register(client, "Banco Uno")
        workflow_id = await make_workflow(member)
    url = make_url(database_url).set(drivername="postgresql").render_as_string(hide_password=False)
    signer = Signer(Settings().secret_key.get_secret_value())
    sample = await fill(url, signer, UUID(member.organization_id), UUID(workflow_id), count)
    connection = await asyncpg.connect(url)
    counted = await connection.fetch("SELECT status, count(*) FROM verification GROUP BY status")
    backend = psutil.Process(await connection.fetchval("SELECT pg_backend_pid()"))
    postmaster = backend.parent()
    assert postmaster is not None
    await connection.close()
    in_status = Counter(dict(map(tuple, counted)))
    asked = kinds(sample, count, in_status, workflow_id)
    return postmaster, member.token, asked | {"a reviewer's searches": mix(asked)}


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.listing", description=__doc__)
    parser.add_argument("--verifications", type=int, default=1_000_000)
    parser.add_argument("--requests", type=int, default=REQUESTS, help="of each kind")
    arguments = parser.parse_args(given)
    count = arguments.verifications
    with service_of_its_own() as server:
        started = time.perf_counter()
        postmaster, token, asked = asyncio.run(
            prepare(server.address, os.environ["ACREDITA_DATABASE_URL"], count)
        )
        print(f"{count} verifications, filled in {time.perf_counter() - started:.0f} s")
        kept = measure(server, postmaster, token, asked, arguments.requests)
        load = " ".join(f"{average:.1f}" for average in os.getloadavg())
        print(f"load average {load} on {os.cpu_count()} cores")
        return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
