"""Deliver events in MetaMap's format past several cycles of the invariants.

    python -m acredita.embedded run -- \\
        python -m benchmarks.compatible_deliveries [--deliveries 10000] [--rate 150] [--cycles 2]

A worker process with all queues delivers the events of verifications, as their run records them,
among them events that the format leaves out. Then the invariants are checked until `--cycles` of
their cycles have seen the last event. It exits with 1 if a delivery is late, lost, or sent twice,
or if the worker logs an error.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import asyncpg
import orjson
import uvloop
from sqlalchemy.engine import make_url

from acredita.domain.events import EventKind
from acredita.domain.verification import StepStatus, VerificationStatus
from acredita.kit import ids
from acredita.models import (
    EventTurn,
    Organization,
    Verification,
    VerificationStep,
    WebhookEndpoint,
    WebhookFormat,
    Workflow,
)
from acredita.resources.invariants.checks import SETTLED_AFTER
from acredita.resources.webhooks import delivery_rows, receivers
from acredita.services import open_services
from acredita.settings import Settings
from benchmarks.deliveries import Arrivals, delivery_settings, receiving, working

SECRET = "Un-secreto-2026-largo"
# Seconds from the event to its arrival.
LATEST = 5.0
LONGEST_CYCLE = 180.0
BATCH = 25
# Kind, turn, data of a verification's events, in their order. The format leaves two of them out.
STORY: Sequence[tuple[EventKind, EventTurn | None, str]] = (
    (EventKind.VERIFICATION_CREATED, None, "status"),
    (EventKind.VERIFICATION_UPDATED, EventTurn.INPUTS_COMPLETED, "changes"),
    (EventKind.STEP_COMPLETED, None, "stepId"),
    (EventKind.STEP_COMPLETED, EventTurn.FURTHER_STEP, "stepId"),
    (EventKind.VERIFICATION_UPDATED, None, "changes"),
    (EventKind.VERIFICATION_COMPLETED, None, "status"),
    (EventKind.VERIFICATION_APPROVED, None, "newStatus"),
)
SENT = 5
RECORD = f"""
    WITH event_added AS (
        INSERT INTO event (id, organization_id, verification_id, kind, turn, data)
        SELECT * FROM unnest(
            $1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bytea[]
        )
        RETURNING {receivers.EVENT_COLUMNS}
    ), {delivery_rows.ADDING}
    SELECT true
"""  # noqa: S608 (constants)
CHECKED = "SELECT moment FROM checked_until WHERE name = 'event_not_sent'"


@dataclass
class Timed(Arrivals):
    """The requests that reached the receiver, with their delays."""

    delays: list[float] = field(default_factory=list)

    def add(self, headers: dict[str, str], body: bytes) -> None:
        happened = datetime.fromisoformat(orjson.loads(body)["timestamp"])
        self.delays.append((datetime.now(UTC) - happened).total_seconds())
        super().add(headers, body)


@dataclass(frozen=True, slots=True)
class Subject:
    verification_id: UUID
    step_id: UUID


async def make_subjects(settings: Settings, url: str, count: int) -> tuple[UUID, list[Subject]]:
    """Make an organization with verifications of one finished step, and its endpoint."""
    async with (
        open_services(settings, purpose="benchmark") as services,
        services.database.transaction() as session,
    ):
        organization = Organization(name="Banco Uno", slug="banco")
        session.add(organization)
        await session.flush()
        workflow = Workflow(organization_id=organization.id, name="Alta", steps=[])
        endpoint_id = ids.sortable()
        endpoint = WebhookEndpoint(
            id=endpoint_id,
            organization_id=organization.id,
            url=url,
            events=[kind.value for kind in EventKind],
            format=WebhookFormat.METAMAP,
            secret_sealed=WebhookEndpoint.secret.seal(services.keys, endpoint_id, SECRET),
        )
        session.add_all([workflow, endpoint])
        await session.flush()
        verifications = [
            Verification(
                organization_id=organization.id,
                workflow_id=workflow.id,
                status=VerificationStatus.APPROVED,
                completed_at=services.clock.now(),
                expires_at=services.clock.now() + timedelta(days=1),
            )
            for _ in range(count)
        ]
        session.add_all(verifications)
        await session.flush()
        steps = [
            VerificationStep(
                id=ids.sortable(),
                organization_id=organization.id,
                verification_id=each.id,
                position=0,
                type="GOVERNMENT_VERIFY",
                config={},
                status=StepStatus.PASSED,
            )
            for each in verifications
        ]
        session.add_all(steps)
        await session.flush()
        subjects = [
            Subject(each.id, step.id) for each, step in zip(verifications, steps, strict=True)
        ]
        return organization.id, subjects


def events_of(organization_id: UUID, subject: Subject) -> list[tuple[object, ...]]:
    values: dict[str, object] = {
        "status": "APPROVED",
        "newStatus": "APPROVED",
        "changes": ["status"],
        "stepId": str(subject.step_id),
    }
    known = {"verificationId": str(subject.verification_id)}
    places = {EventTurn.FURTHER_STEP: {"place": 1}}
    return [
        (
            ids.sortable(),
            organization_id,
            subject.verification_id,
            kind.value,
            turn,
            orjson.dumps(known | {name: values[name]} | places.get(turn, {})),
        )
        for kind, turn, name in STORY
    ]


async def record_all(
    connection: asyncpg.Connection, organization_id: UUID, subjects: Sequence[Subject], rate: float
) -> None:
    """Record the events in batches, at a rate of deliveries a second."""
    started = time.perf_counter()
    for place in range(0, len(subjects), BATCH):
        batch = subjects[place : place + BATCH]
        rows = [event for each in batch for event in events_of(organization_id, each)]
        await connection.execute(RECORD, *map(list, zip(*rows, strict=True)))
        due = started + (place + len(batch)) * SENT / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))


async def await_cycles(connection: asyncpg.Connection, cycles: int) -> None:
    """Wait until the invariant has seen the last event, and for the cycles after that."""
    last = await connection.fetchval("SELECT max(created_at) FROM event")
    seen: set[datetime] = set()
    deadline = time.monotonic() + SETTLED_AFTER + LONGEST_CYCLE * (cycles + 1)
    while len(seen) < cycles:
        if time.monotonic() > deadline:
            sys.exit("the invariants are not checked")
        until = await connection.fetchval(CHECKED)
        if until is not None and until >= last:
            seen.add(until)
        await asyncio.sleep(1)


async def measure(folder: Path, count: int, rate: float, cycles: int) -> bool:
    settings = Settings()
    plain = make_url(settings.database_url).set(drivername="postgresql")
    connection = await asyncpg.connect(plain.render_as_string(hide_password=False))
    arrivals = Timed()
    try:
        async with receiving(arrivals, folder) as url:
            organization_id, subjects = await make_subjects(settings, url, count // SENT)
            await connection.execute(
                "UPDATE webhook_endpoint SET created_at = now() - interval '1 day'"
            )
            with working(folder, queues=None):
                arrivals.expect(len(subjects) * SENT)
                await record_all(connection, organization_id, subjects, rate)
                await arrivals.wait()
                if cycles:
                    await await_cycles(connection, cycles)
    finally:
        await connection.close()
    return report(arrivals, len(subjects) * SENT, logged(folder))


def logged(folder: Path) -> str:
    """Return what the workers logged."""
    return "".join(path.read_text() for path in folder.glob("*.log"))


def report(arrivals: Timed, expected: int, log: str) -> bool:
    """Print the figures. Return whether all bars are met."""
    ids_of = Counter(headers.get("webhook-id", "") for headers, _ in arrivals.requests)
    twice = sum(times - 1 for times in ids_of.values())
    late = sum(delay > LATEST for delay in arrivals.delays)
    errors = log.count('"level": "error"')
    ordered = sorted(arrivals.delays)
    print(f"{len(ids_of)} of {expected} deliveries arrived, {twice} twice")
    print(f"delay p50 {ordered[len(ordered) // 2]:.2f} s, longest {ordered[-1]:.2f} s")
    print(f"{late} later than {LATEST:.0f} s; {errors} errors in the worker's log")
    return len(ids_of) == expected and not twice and not late and not errors


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.compatible_deliveries", description=__doc__
    )
    parser.add_argument("--deliveries", type=int, default=10_000)
    parser.add_argument("--rate", type=float, default=150.0, help="deliveries a second")
    parser.add_argument("--cycles", type=int, default=2, help="of the invariants, after the last")
    arguments = parser.parse_args(given)
    with delivery_settings() as folder:
        kept = uvloop.run(measure(folder, arguments.deliveries, arguments.rate, arguments.cycles))
        return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
