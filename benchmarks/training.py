"""How long the labelling queue takes among 200,000 documents of one organization.

    python -m acredita.embedded run -- python -m benchmarks.training [--documents 200000]

One reviewer asks for lists and draws documents, by each strategy and filter, many times, with 2,000
documents skipped and 500 in others' hands. Exits with 1 when a bar is missed.
"""

import argparse
import asyncio
import io
import random
import sys
import time
from collections.abc import Callable, Sequence
from statistics import quantiles
from uuid import UUID

import httpx
from PIL import Image
from sqlalchemy import text

from acredita.resources.training.queue_order import HIT_RATES, Strategy
from acredita.services import open_services
from acredita.settings import Settings
from benchmarks.service import service_of_its_own
from tests.factories.organizations import Member, register, with_new_key
from tests.factories.training import batch_of, make_read_document, multiply

BAR_MS = 50.0
REQUESTS = 100
AT_ONCE = 50_000
SKIPPED, LEASED = 2_000, 500
BUSY = """
    WITH first AS (
        SELECT document_id, row_number() OVER (ORDER BY lowest_confidence) AS place
        FROM training_item WHERE labelled_at IS NULL
    ), leased AS (
        UPDATE training_item AS item
        SET lease_owner = gen_random_uuid(), lease_until = now() + interval '1 hour'
        FROM first WHERE first.document_id = item.document_id AND place <= :leased
    )
    INSERT INTO training_skip (document_id, reviewer_id, organization_id)
    SELECT document_id, :reviewer, :organization FROM first
    WHERE place > :leased AND place <= :leased + :skipped
"""


async def prepare(base: str, settings: Settings, count: int) -> tuple[str, str, str]:
    """A reviewer's token, the id of a batch with one document, and one of the queue."""
    picture = io.BytesIO()
    Image.new("RGB", (64, 40)).save(picture, "PNG")
    async with (
        httpx.AsyncClient(base_url=base, trust_env=False, timeout=60) as client,
        open_services(
            settings.model_copy(update={"database_statement_timeout": 120.0}), purpose="benchmark"
        ) as services,
    ):
        member: Member = await register(client, "Banco Uno")
        reviewer = await with_new_key(member, "REVIEWER", rateLimit=1000)
        document_id = await make_read_document(services, member, picture.getvalue())
        batch_id = await batch_of(services, document_id)
        for start in range(0, count, AT_ONCE):
            await multiply(services, document_id, min(AT_ONCE, count - start))
        async with services.database.transaction() as session:
            await session.execute(
                text(BUSY),
                {
                    "leased": LEASED,
                    "skipped": SKIPPED,
                    "reviewer": UUID(reviewer.registration["id"]),
                    "organization": UUID(member.organization_id),
                },
            )
        async with services.database.reading() as connection:
            await connection.execute(text("VACUUM ANALYZE"))
    return reviewer.token, batch_id, document_id


def kinds(batch_id: str) -> dict[str, Callable[[random.Random], str]]:
    asked: dict[str, Callable[[random.Random], str]] = {}
    for strategy in Strategy:
        asked[f"{strategy}"] = lambda _, s=strategy: f"strategy={s}"
        # The rarest of each: one document in a hundred, and the worst for the order of confidence.
        for query in ("docType=UNKNOWN", "metamapStatus=rejected", "docType=UNKNOWN&hitRate=high"):
            asked[f"{strategy} {query}"] = lambda _, s=strategy, q=query: f"strategy={s}&{q}"
    asked["uncertain, a band"] = lambda chance: f"hitRate={chance.choice([*HIT_RATES])}"
    asked["a batch of one"] = lambda _: f"batchId={batch_id}"
    asked["a batch of one, none of it"] = lambda _: f"batchId={batch_id}&docType=PASSPORT"
    return asked


def measure(base: str, token: str, batch_id: str, requests: int) -> bool:
    row = "{:<46} {:>8} {:>8} {:>8}".format
    print(row("", "p50 ms", "p95 ms", "max ms"))
    kept = True
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=base, headers=headers, trust_env=False, timeout=30) as client:
        after = ""
        for path, limit in (("queue", "&limit=200"), ("next", "")):
            for name, ask in kinds(batch_id).items():
                chance, times = random.Random(name), []
                for _ in range(requests):
                    # A draw behind the one before, so that each is of another document.
                    query = ask(chance) + limit + (after if path == "next" else "")
                    started = time.perf_counter()
                    answer = client.get(f"/v1/training/{path}?{query}")
                    times.append((time.perf_counter() - started) * 1000)
                    if answer.status_code != 200:
                        sys.exit(f"{path}?{query}: {answer.text}")
                    if path == "next" and (document := answer.json()["document"]):
                        after = f"&after={document['id']}"
                hundredths = quantiles(times, n=100)
                p50, p95, most = hundredths[49], hundredths[94], max(times)
                print(row(f"{path} {name}", f"{p50:.1f}", f"{p95:.1f}", f"{most:.1f}"), flush=True)
                if p95 > BAR_MS:
                    print(f"{path} {name}: misses its bar of {BAR_MS:.0f} ms")
                    kept = False
    return kept


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training", description=__doc__)
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--requests", type=int, default=REQUESTS, help="of each kind")
    arguments = parser.parse_args(given)
    count = arguments.documents
    with service_of_its_own() as server:
        base = server.address
        started = time.perf_counter()
        token, batch_id, _ = asyncio.run(prepare(base, Settings(), count))
        print(f"{count} documents, filled in {time.perf_counter() - started:.0f} s", flush=True)
        return 0 if measure(base, token, batch_id, arguments.requests) else 1


if __name__ == "__main__":
    sys.exit(main())
