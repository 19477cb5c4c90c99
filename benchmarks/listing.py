"""Measure lists, searches, the review queue and the overview among a million verifications.

    python -m acredita.embedded run -- python -m benchmarks.listing [--verifications 1000000]

One client sends each kind of request many times with different parameters, and then the searches of
a reviewer in turn: identifiers, whole names, a name as it is typed, one surname as often as people
have it. It exits with 1 if a total is wrong or a bar is missed.
"""

import argparse
import asyncio
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from statistics import quantiles
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

import asyncpg
import httpx
import orjson
from sqlalchemy.engine import make_url

from acredita.domain import search_keys
from acredita.domain.search_identifiers import IdentifierKind
from acredita.domain.verification import VerificationStatus
from acredita.kit.crypto import Signer
from acredita.resources.verifications.search import hash_identifiers
from acredita.settings import Settings
from acredita_synthetic.name_lists import COMMON_SURNAMES
from benchmarks.listing_people import NameHashes, People, PersonsName
from benchmarks.service import service_of_its_own
from tests.factories.organizations import make_workflow, register

BAR_MS = 50.0
# Of what thousands of verifications can have: a common name, a city, one letter.
COMMON_BAR_MS = 100.0
REQUESTS = 200
MOST_HITS = 1000
BATCH = 20_000
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
PLANS = ("oro", "plata", "básico")
CITIES = ("Monterrey", "Guadalajara", "Mérida", "Tuxtla Gutiérrez", "Ciudad de México", "Xalapa")
# Of some eight hundred verifications in a million.
RARE_CITY, RARE_CITY_SHARE = "Villa de Cos", 0.0008
STATUSES = {
    VerificationStatus.APPROVED: 80,
    VerificationStatus.REJECTED: 8,
    VerificationStatus.MANUAL_REVIEW: 6,
    VerificationStatus.EXPIRED: 5.9,
    VerificationStatus.IN_PROGRESS: 0.1,
}


@dataclass(frozen=True, slots=True)
class Row:
    id: UUID
    created_at: datetime
    status: str
    external_id: str
    metadata: dict[str, Any]
    name: PersonsName
    # As documents and confirmed codes give them: hashes alone are stored.
    identifiers: dict[IdentifierKind, str]

    @property
    def text(self) -> str:
        return search_keys.searchable(self.external_id, self.metadata)


def rows(count: int, chance: random.Random) -> Iterator[Row]:
    now = datetime.now(UTC)
    statuses = chance.choices([*STATUSES], [*STATUSES.values()], k=count)
    names = People(chance).names(count)
    for number, (status, name) in enumerate(zip(statuses, names, strict=True)):
        letters = "".join(chance.choices(LETTERS, k=4))
        metadata = {
            "plan": chance.choice(PLANS),
            "sucursal": RARE_CITY if chance.random() < RARE_CITY_SHARE else chance.choice(CITIES),
            "rfc": f"{letters}{chance.randrange(10**6):06}{''.join(chance.choices(LETTERS, k=3))}",
            "folio": chance.randrange(10**8),
        }
        identifiers = {
            IdentifierKind.CURP: f"{letters}{number % 10**6:06}HDF"
            f"{''.join(chance.choices(LETTERS, k=3))}0{number % 10}",
            IdentifierKind.RFC: f"{letters}{number % 10**6:06}AB{number % 10}",
            IdentifierKind.PHONE: f"+5255{number % 10**8:08}",
            IdentifierKind.EMAIL: f"persona-{number}@correo.example",
        }
        created_at = now - timedelta(seconds=chance.random() * 30 * 86400)
        external_id = f"cliente-{number:07}"
        yield Row(uuid4(), created_at, status.value, external_id, metadata, name, identifiers)


async def fill(url: str, organization_id: UUID, workflow_id: UUID, count: int) -> list[Row]:
    """Insert the rows. Return a sample of them, to search for."""
    chance = random.Random(1)
    signer = Signer(Settings().secret_key.get_secret_value())
    of_names = NameHashes(signer, organization_id)
    connection = await asyncpg.connect(url)
    await connection.execute("DROP INDEX ix_verification_search_found_by")
    sample: list[Row] = []
    made = rows(count, chance)
    while batch := list(islice(made, BATCH)):
        sample += batch[:: len(batch) // 20]
        await connection.copy_records_to_table(
            "verification",
            columns=[
                "id", "organization_id", "workflow_id", "status", "external_id", "metadata",
                "expires_at", "created_at",
            ],
            records=[
                (
                    row.id, organization_id, workflow_id, row.status, row.external_id,
                    orjson.dumps(row.metadata).decode(), row.created_at, row.created_at,
                )
                for row in batch
            ],
        )  # fmt: skip
        await connection.copy_records_to_table(
            "verification_search",
            columns=[
                "verification_id", "organization_id", "created_at", "text", "grams", "name_words",
                "hashes_covered",
            ],
            records=[
                (
                    row.id,
                    organization_id,
                    row.created_at,
                    row.text,
                    sorted(search_keys.grams(row.text, organization_id)),
                    hashes,
                    len(hashes),
                )
                for row, hashes in zip(
                    batch,
                    (
                        [
                            *of_names.hashes(str(row.name)),
                            *hash_identifiers(signer, organization_id, row.identifiers.items()),
                        ]
                        for row in batch
                    ),
                    strict=True,
                )
            ],
        )  # fmt: skip
        await connection.copy_records_to_table(
            "name_word",
            columns=["organization_id", "token", "created_at", "verification_id", "shared"],
            records=[
                (organization_id, token, row.created_at, row.id, shared)
                for row in batch
                for token, shared in of_names.tokens(str(row.name))
            ],
        )
    await connection.execute("SET maintenance_work_mem = '512MB'")
    await connection.execute(
        "CREATE INDEX ix_verification_search_found_by ON verification_search"
        " USING gin (grams, name_words) WITH (gin_pending_list_limit = 512)"
    )
    await fill_queue(connection)
    await connection.execute("VACUUM ANALYZE")
    await connection.close()
    return sample


async def fill_queue(connection: asyncpg.Connection) -> None:
    """Give the cases of the queue, which triggers have made, reasons, ages and holders."""
    await connection.execute(
        """
        UPDATE verification_review SET
            waiting_since = verification.created_at,
            reasons = ARRAY[
                CASE WHEN draw % 4 = 0 THEN 'FACE_UNCERTAIN' ELSE 'DOCUMENT_EXPIRED' END
            ],
            lease_owner = CASE WHEN draw % 50 = 0 THEN reviewer.id END,
            lease_until = CASE WHEN draw % 50 = 0 THEN now() + interval '1 day' END
        FROM (SELECT id, created_at, abs(hashtext(id::text)) AS draw FROM verification)
                AS verification,
            (SELECT id FROM user_account LIMIT 1) AS reviewer
        WHERE verification.id = verification_id
        """
    )


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
    base: str, token: str, kinds: dict[str, Callable[[random.Random], Asked]], requests: int
) -> bool:
    row = "{:<22} {:>7} {:>7} {:>7} {:>9}".format
    print(row("", "p50 ms", "p95 ms", "max ms", "hits max"))
    kept = True
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=base, headers=headers, trust_env=False, timeout=30) as client:
        for name, ask in kinds.items():
            chance, times, hits, is_common = random.Random(name), [], 0, False
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
            hundredths = quantiles(times, n=100)
            print(
                row(
                    name,
                    f"{hundredths[49]:.1f}",
                    f"{hundredths[94]:.1f}",
                    f"{max(times):.1f}",
                    str(hits),
                )
            )
            bar = COMMON_BAR_MS if is_common else BAR_MS
            if hundredths[94] > bar:
                print(f"{name}: misses its bar of {bar:.0f} ms")
                kept = False
    return kept


def total_of(answer: dict[str, Any]) -> int:
    if "funnel" in answer:
        return int(answer["funnel"]["created"])
    return int(answer["pagination"]["total"] if "pagination" in answer else answer["total"])


async def prepare(
    base: str, database_url: str, count: int
) -> tuple[str, dict[str, Callable[[random.Random], Asked]]]:
    async with httpx.AsyncClient(base_url=base, trust_env=False) as client:
        member = await register(client, "Banco Uno")
        workflow_id = await make_workflow(member)
    url = make_url(database_url).set(drivername="postgresql").render_as_string(hide_password=False)
    sample = await fill(url, UUID(member.organization_id), UUID(workflow_id), count)
    connection = await asyncpg.connect(url)
    counted = await connection.fetch("SELECT status, count(*) FROM verification GROUP BY status")
    await connection.close()
    in_status = Counter(dict(map(tuple, counted)))
    asked = kinds(sample, count, in_status, workflow_id)
    return member.token, asked | {"a reviewer's searches": mix(asked)}


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.listing", description=__doc__)
    parser.add_argument("--verifications", type=int, default=1_000_000)
    parser.add_argument("--requests", type=int, default=REQUESTS, help="of each kind")
    arguments = parser.parse_args(given)
    count = arguments.verifications
    with service_of_its_own() as server:
        base = server.address
        started = time.perf_counter()
        token, asked = asyncio.run(prepare(base, os.environ["ACREDITA_DATABASE_URL"], count))
        print(f"{count} verifications, filled in {time.perf_counter() - started:.0f} s")
        return 0 if measure(base, token, asked, arguments.requests) else 1


if __name__ == "__main__":
    sys.exit(main())
