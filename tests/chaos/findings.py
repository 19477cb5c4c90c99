"""What is left when it is quiet again, held against what was promised."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import orjson

from tests.chaos.customers import Account
from tests.chaos.installation import Installation, plain_url
from tests.chaos.policy_findings import policy_findings
from tests.chaos.promises import Finding

# Seconds in which something must have ended, and in which everything must have: how long a backlog
# takes says how fast the machine is.
STUCK_AFTER = 60.0
QUIET_WITHIN = 300.0
OVERDUE = 5.0
MOST_DUPLICATES = 0.10
ENDED = ("APPROVED", "REJECTED", "MANUAL_REVIEW")

# Recurring jobs are never done; all others are, sooner or later.
UNREST = """
    SELECT (SELECT count(*) FROM verification WHERE id = ANY($1) AND status NOT IN (
                'APPROVED', 'REJECTED', 'MANUAL_REVIEW')) AS open,
           (SELECT count(*) FROM job WHERE state IN ('pending', 'running')
                AND coalesce(once_key, '') NOT LIKE 'recurring:%') AS jobs,
           (SELECT count(*) FROM delivery WHERE state = 'pending') AS deliveries
"""
# A verification that ends begins deliveries, so what is open grows at times while all goes well.
ENDED_SO_FAR = """
    SELECT (SELECT count(*) FROM verification_step WHERE finished_at IS NOT NULL)
         + (SELECT count(*) FROM delivery WHERE state <> 'pending')
"""
VERIFICATIONS = "SELECT id, external_id, status FROM verification"
# How often each verification was decided, by the automation's entries in the audit log and by the
# events; how often each of its steps ended.
DECISIONS = """
    SELECT resource_id AS id, count(*) FROM audit_log
    WHERE action = 'verification.status_changed' GROUP BY resource_id
"""
TERMINAL_EVENTS = """
    SELECT verification_id AS id,
           count(*) FILTER (WHERE kind = 'verification.completed') AS completed,
           count(*) FILTER (WHERE kind IN ('verification.approved', 'verification.rejected',
                                           'verification.manual_review')) AS verdicts
    FROM event GROUP BY verification_id
"""
STEP_EVENTS = """
    SELECT count(*) FROM (
        SELECT FROM event WHERE kind LIKE 'step.%' AND turn IS NULL
        GROUP BY convert_from(data, 'UTF8')::jsonb ->> 'stepId' HAVING count(*) > 1
    ) AS twice
"""
# Each event with each of its receivers, and the delivery that should be there.
DUE_DELIVERIES = """
    SELECT due.event_id, delivery.id, delivery.state
    FROM (
        SELECT event.id AS event_id, endpoint.id AS endpoint_id
        FROM event JOIN webhook_endpoint AS endpoint USING (organization_id)
        WHERE event.kind = ANY (endpoint.events) AND NOT event.callback_only
          -- Of MetaMap's format alone.
          AND (event.turn IS NULL
               OR event.turn NOT IN ('last_input', 'postponed', 'signed', 'further_step'))
        UNION ALL
        SELECT event.id, NULL FROM event JOIN verification ON verification.id = verification_id
        WHERE event.kind = 'verification.completed' AND callback_url IS NOT NULL
    ) AS due
    LEFT JOIN delivery ON delivery.event_id = due.event_id
        AND delivery.endpoint_id IS NOT DISTINCT FROM due.endpoint_id
"""
OVERDUE_JOBS = """
    SELECT count(*) FROM job
    WHERE state = 'pending' AND run_at < now() - make_interval(secs => $1)
"""
STORED = "SELECT storage_key FROM document UNION ALL SELECT storage_key FROM media"
ENDS = "SELECT status, count(*) FROM verification GROUP BY status ORDER BY status"
DEAD = "SELECT kind, count(*) FROM job WHERE state = 'dead' GROUP BY kind ORDER BY kind"


@dataclass(slots=True)
class Arrivals:
    """What the receiver wrote down of one delivery."""

    digests: set[str] = field(default_factory=set)
    answers: Counter[str] = field(default_factory=Counter)
    attempts: Counter[str] = field(default_factory=Counter)


def read_arrivals(log: Path) -> dict[UUID, Arrivals]:
    arrivals: dict[UUID, Arrivals] = {}
    with log.open("rb") as lines:
        for line in lines:
            arrival = orjson.loads(line)
            of_delivery = arrivals.setdefault(UUID(arrival["id"].removeprefix("evt_")), Arrivals())
            of_delivery.digests.add(arrival["sha256"])
            of_delivery.answers[arrival["answer"]] += 1
            of_delivery.attempts[arrival["delivery"]] += 1
    return arrivals


class Findings:
    def __init__(self, installation: Installation, account: Account) -> None:
        self._installation, self._account = installation, account
        # What is worth knowing and no promise.
        self.figures: dict[str, Any] = {}

    async def wait_until_quiet(self) -> bool:
        """Whether everything came to its end in time."""
        loop = asyncio.get_running_loop()
        began = moved = loop.time()
        ended = 0
        ids = [UUID(each) for each in self._account.created.values()]
        while True:
            async with self._database() as database:
                unrest = any(await database.fetchrow(UNREST, ids))
                ended_now = await database.fetchval(ENDED_SO_FAR)
            now = loop.time()
            if ended_now > ended:
                ended, moved = ended_now, now
            if not unrest or now - began > QUIET_WITHIN or now - moved > STUCK_AFTER:
                self.figures["seconds until quiet"] = round(now - began, 1)
                return not unrest
            await asyncio.sleep(0.5)

    async def all(self, *, asked: int) -> list[Finding]:
        async with self._database() as database:
            found = [
                *self._of_customers(asked),
                *await self._of_verifications(database),
                *await self._of_policies(database),
                *await self._of_deliveries(database),
                *await self._of_the_rest(database),
            ]
            self.figures["verifications"] = dict(await database.fetch(ENDS))
            self.figures["dead jobs"] = dict(await database.fetch(DEAD))
        return found

    def _of_customers(self, asked: int) -> Iterator[Finding]:
        account = self._account
        yield Finding("customers who were never served", asked - len(account.created), of=asked)
        yield Finding("answers other than 2xx and 503 in the envelope", len(account.unexpected))
        self.figures["calls that had to be repeated"] = dict(account.repeated)

    async def _of_verifications(self, database: asyncpg.Connection) -> list[Finding]:
        account = self._account
        rows = await database.fetch(VERIFICATIONS)
        kept = {(row["external_id"], str(row["id"])) for row in rows}
        decisions = dict(await database.fetch(DECISIONS))
        events = {row["id"]: row for row in await database.fetch(TERMINAL_EVENTS)}
        decided = [row["id"] for row in rows if row["status"] in ENDED]
        return [
            Finding(
                "creations answered 201 that are lost",
                len(account.created.items() - kept),
                of=len(account.created),
            ),
            Finding("creations that were made twice", len(rows) - len({e for e, _ in kept})),
            Finding("verifications without an end", len(rows) - len(decided), of=len(rows)),
            Finding(
                "verifications not decided exactly once",
                sum(decisions.get(each, 0) != 1 for each in decided),
                of=len(decided),
            ),
            Finding(
                "verifications without exactly one terminal event",
                sum(
                    each not in events
                    or (events[each]["completed"], events[each]["verdicts"]) != (1, 1)
                    for each in decided
                ),
                of=len(decided),
            ),
            Finding("steps that ended twice", await database.fetchval(STEP_EVENTS)),
        ]

    async def _of_policies(self, database: asyncpg.Connection) -> list[Finding]:
        api = f"http://127.0.0.1:{self._installation.api_ports[-1]}"
        return await policy_findings(database, api, self._account.keys)

    async def _of_deliveries(self, database: asyncpg.Connection) -> list[Finding]:
        due = await database.fetch(DUE_DELIVERIES)
        arrivals = read_arrivals(self._installation.received)
        ours = [row["id"] for row in due if row["id"] is not None]
        again = sum(max(0, arrivals[each].answers["200"] - 1) for each in ours if each in arrivals)
        self.figures["deliveries"] = dict(Counter(row["state"] for row in due))
        self.figures["requests that the receiver got"] = sum(
            each.answers.total() for each in arrivals.values()
        )
        return [
            Finding("events without their deliveries", len(due) - len(ours), of=len(due)),
            Finding(
                "deliveries that never arrived",
                sum(each not in arrivals for each in ours),
                of=len(ours),
            ),
            Finding(
                "deliveries that were changed on the way or between attempts",
                sum(len(each.digests) > 1 for each in arrivals.values()),
                of=len(arrivals),
            ),
            Finding("requests of no delivery", len(arrivals.keys() - set(ours))),
            Finding(
                "attempts that share an X-Service-Delivery",
                sum(count > 1 for each in arrivals.values() for count in each.attempts.values()),
            ),
            Finding(
                "% of deliveries that arrived again after 200",
                round(100 * again / max(1, len(ours)), 2),
                bar=100 * MOST_DUPLICATES,
            ),
        ]

    async def _of_the_rest(self, database: asyncpg.Connection) -> list[Finding]:
        keys = [row["storage_key"] for row in await database.fetch(STORED)]
        lost = sum(not (self._installation.files / key).is_file() for key in keys)
        audit = await asyncio.to_thread(self._installation.command, "audit", "verify")
        self.figures["audit log"] = audit.stdout.strip().splitlines()[-1:] or audit.stderr[-200:]
        ended = [code for child in self._installation.children for code in child.ended]
        return [
            Finding("files that are lost", lost, of=len(keys)),
            Finding("audit chains that are broken", audit.returncode),
            Finding(
                f"jobs overdue by more than {OVERDUE:g} s",
                await database.fetchval(OVERDUE_JOBS, OVERDUE),
            ),
            Finding("processes that ended by themselves", len(ended)),
        ]

    def _database(self) -> AbstractAsyncContextManager[asyncpg.Connection]:
        return _connected(plain_url(self._installation.database_url))


@asynccontextmanager
async def _connected(url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()
