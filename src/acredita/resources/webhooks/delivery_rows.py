"""All SQL statements of the delivery engine."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import orjson
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.events import EventKind
from acredita.jobs import LeasedJob, LeaseLost
from acredita.kit.crypto import CannotUnseal, KeyRing
from acredita.kit.statement_pool import Reads, Writes
from acredita.models import DeliveryState, Event, Verification, WebhookEndpoint, WebhookFormat
from acredita.ports import EventSources
from acredita.resources.webhooks import formats, receivers
from acredita.resources.webhooks.breaker import Breaker
from acredita.resources.webhooks.parts import WHOLE, Part
from acredita.resources.webhooks.posting import Attempt

# Adds the deliveries of `event_added`, in the statement that adds the event, so that an event never
# lacks its deliveries. Every event is recorded under the lock of its verification, so the
# deliveries of one verification are in order. If it has added any, the caller wakes a worker.
ADDING = f"""
    delivery_added AS (
        {receivers.inserting(receivers.WANTED)}
        RETURNING id
    )
"""

# The receivers with due deliveries. Each costs one step through ix_delivery_pending, however many
# deliveries wait there.
WAITING = """
    WITH RECURSIVE receiver (id) AS (
        (SELECT receiver_id FROM delivery WHERE state = 'pending' ORDER BY receiver_id LIMIT 1)
        UNION ALL
        SELECT (
            SELECT receiver_id FROM delivery
            WHERE state = 'pending' AND receiver_id > receiver.id ORDER BY receiver_id LIMIT 1
        ) FROM receiver WHERE receiver.id IS NOT NULL
    )
    SELECT receiver.id AS key, first.organization_id
    FROM receiver CROSS JOIN LATERAL (
        SELECT organization_id FROM delivery
        WHERE receiver_id = receiver.id AND state = 'pending' AND next_at <= now()
        ORDER BY next_at LIMIT 1
    ) AS first
    WHERE NOT EXISTS (
        SELECT FROM webhook_receiver AS resting
        WHERE resting.id = receiver.id AND resting.resting_until > now()
    )
"""

# The receivers whose deliveries became due within the last seconds, except those that rest. A
# delivery whose transaction took longer to commit is found by WAITING.
NEW = """
    SELECT DISTINCT ON (delivery.receiver_id)
        delivery.receiver_id AS key, delivery.organization_id
    FROM delivery
    WHERE state = 'pending' AND next_at <= now() AND next_at > now() - interval '10 s'
      AND NOT EXISTS (
          SELECT FROM webhook_receiver AS resting
          WHERE resting.id = delivery.receiver_id AND resting.resting_until > now()
      )
"""


@dataclass(frozen=True, slots=True)
class DueDelivery:
    """A due delivery, as last read."""

    delivery_id: UUID
    # All its attempts, and those since the last request for a redelivery.
    attempts: int
    tried: int
    losses: int
    next_at: datetime
    kind: EventKind
    created_at: datetime
    # One of these two is None; the second is sealed.
    data: bytes | None
    data_sealed: bytes | None
    event_id: UUID
    verification_id: UUID | None
    traceparent: str | None
    turn: str | None
    format: WebhookFormat
    # None: the endpoint was deleted, or the verification purged, meanwhile.
    url: str | None
    secret_sealed: bytes | None
    # None: the delivery goes to the verification's callback URL.
    endpoint_id: UUID | None

    async def body(self, services: EventSources) -> bytes:
        """Return the body, the same bytes for every attempt. Raise CannotUnseal, CannotRender."""
        data = self.data
        if data is None:
            data = Event.personal_data.open(services.keys, self.event_id, self.data_sealed or b"")
        return await formats.body(
            services,
            self.format,
            delivery_id=self.delivery_id,
            verification_id=self.verification_id,
            kind=self.kind,
            turn=self.turn,
            data=data,
            moment=self.created_at,
        )

    def secret(self, keys: KeyRing) -> str:
        """Return the secret that the receiver checks the signature with. Raise CannotUnseal."""
        sealed = self.secret_sealed or b""
        if self.endpoint_id is not None:
            return WebhookEndpoint.secret.open(keys, self.endpoint_id, sealed)
        if self.verification_id is None:
            raise CannotUnseal("an event without a verification has no callback URL")
        return Verification.callback_secret.open(keys, self.verification_id, sealed)

    @property
    def ordering_key(self) -> UUID:
        """Deliveries with the same key are made one after the other."""
        return self.verification_id or self.delivery_id


@dataclass(frozen=True, slots=True)
class AttemptOutcome:
    """An attempt and the state of its delivery after it."""

    delivery: DueDelivery
    attempt: Attempt
    state: DeliveryState
    # Seconds until the next attempt. None: there is none.
    next_in: float | None


DUE = """
    SELECT delivery.id, delivery.attempts, delivery.attempts - delivery.earlier_attempts AS tried,
           delivery.losses, delivery.next_at, delivery.endpoint_id,
           event.kind, event.created_at, event.data, event.data_sealed,
           event.id AS event_id, event.verification_id, event.traceparent, event.turn,
           coalesce(endpoint.format, 'standard') AS format,
           coalesce(endpoint.url, verification.callback_url) AS url,
           coalesce(endpoint.secret_sealed, verification.callback_secret_sealed) AS secret_sealed
    FROM delivery
    JOIN event ON event.id = delivery.event_id
    LEFT JOIN webhook_endpoint AS endpoint ON endpoint.id = delivery.endpoint_id
        AND endpoint.is_active AND endpoint.deleted_at IS NULL
    LEFT JOIN verification ON delivery.endpoint_id IS NULL
        AND verification.id = event.verification_id
    WHERE delivery.receiver_id = $1 AND delivery.state = 'pending' AND delivery.next_at <= now()
      AND delivery.next_at >= coalesce($2::timestamptz, '-infinity')
      AND delivery.id <> ALL($3::uuid[])
      -- The last byte of an id is random, and DueDelivery.ordering_key is this id.
      AND get_byte(uuid_send(coalesce(event.verification_id, delivery.id)), 15) % $5 = $6
    ORDER BY delivery.next_at, delivery.event_id
    LIMIT $4
"""


async def read_due(
    reads: Reads,
    receiver_id: UUID,
    *,
    since: datetime | None = None,
    besides: Collection[UUID],
    limit: int,
    part: Part = WHOLE,
) -> list[DueDelivery]:
    """Return the first due deliveries of a receiver, or of a part of it, in order.

    `since`: only deliveries due from then on.
    """
    rows = await reads.rows(DUE, receiver_id, since, list(besides), limit, part.of, part.number)
    return [
        DueDelivery(
            delivery_id=row["id"],
            attempts=row["attempts"],
            tried=row["tried"],
            losses=row["losses"],
            next_at=row["next_at"],
            kind=EventKind(row["kind"]),
            created_at=row["created_at"],
            data=row["data"],
            data_sealed=row["data_sealed"],
            event_id=row["event_id"],
            verification_id=row["verification_id"],
            traceparent=row["traceparent"],
            turn=row["turn"],
            format=WebhookFormat(row["format"]),
            url=row["url"],
            secret_sealed=row["secret_sealed"],
            endpoint_id=row["endpoint_id"],
        )
        for row in rows
    ]


async def increment_losses(writes: Writes, delivery_ids: Sequence[UUID]) -> None:
    """Count these deliveries as lost before they are sent; `record_outcomes` resets the count."""
    await writes.row(
        "UPDATE delivery SET losses = losses + 1 WHERE id = ANY($1::uuid[])", delivery_ids
    )


async def cancel(writes: Writes, delivery_ids: Sequence[UUID]) -> None:
    await writes.row(
        "UPDATE delivery SET state = 'cancelled', finished_at = now()"
        " WHERE id = ANY($1::uuid[]) AND state = 'pending'",
        delivery_ids,
    )


# Compare and set, so that each attempt ends once. A delivery that is cancelled during its POST
# stays cancelled, unless the POST succeeds.
RECORD_OUTCOMES = f"""
    WITH {jobs.held("$1::uuid", "$2::uuid")}, outcome AS (
        SELECT * FROM json_to_recordset($3::json) AS outcome (
            delivery_id uuid, state text, next_in float8, attempt_id uuid, number int,
            started_at timestamptz, duration_ms int, response_status int, error text
        )
    ), updated AS (
        UPDATE delivery
        SET attempts = outcome.number,
            losses = 0,
            state = CASE WHEN outcome.state = 'delivered' OR delivery.state = 'pending'
                    THEN outcome.state ELSE delivery.state END,
            next_at = coalesce(now() + make_interval(secs => outcome.next_in), delivery.next_at),
            finished_at = CASE WHEN outcome.state = 'pending'
                          THEN delivery.finished_at ELSE now() END
        FROM outcome, lease
        WHERE delivery.id = outcome.delivery_id AND delivery.attempts = outcome.number - 1
          AND delivery.state IN ('pending', 'cancelled')
        RETURNING delivery.id, delivery.organization_id
    ), written AS (
        INSERT INTO delivery_attempt (id, organization_id, delivery_id, number, started_at,
                                      duration_ms, response_status, error)
        SELECT attempt_id, organization_id, delivery_id, number, started_at, duration_ms,
               response_status, error
        FROM outcome JOIN updated ON updated.id = outcome.delivery_id
    )
    SELECT EXISTS (SELECT FROM lease)
"""  # noqa: S608 (constants)


async def record_outcomes(
    writes: Writes, job: LeasedJob, outcomes: Sequence[AttemptOutcome]
) -> None:
    """Store attempts and the new states of their deliveries, in one statement.

    Raise LeaseLost, with nothing written, if this run no longer holds the job's lease. Skips
    deliveries that were purged meanwhile.
    """
    values = orjson.dumps([_values(outcome) for outcome in outcomes]).decode()
    row = await writes.row(RECORD_OUTCOMES, job.id, job.lease_token, values)
    if row is None or not row[0]:
        raise LeaseLost(f"job {job.id} is no longer leased to this run")


def _values(outcome: AttemptOutcome) -> dict[str, object]:
    return {
        "delivery_id": str(outcome.delivery.delivery_id),
        "state": outcome.state,
        "next_in": outcome.next_in,
        "attempt_id": outcome.attempt.id,
        "number": outcome.delivery.attempts + 1,
        "started_at": outcome.attempt.started_at,
        "duration_ms": outcome.attempt.duration_ms,
        "response_status": outcome.attempt.response_status,
        "error": outcome.attempt.reason,
    }


async def seconds_until_due(session: AsyncSession, receiver_id: UUID) -> float | None:
    """Return the seconds until a delivery of the receiver is due; None if none is pending."""
    seconds: float | None = await session.scalar(
        text(
            "SELECT extract(epoch FROM next_at - clock_timestamp())::float8 FROM delivery"
            " WHERE receiver_id = :id AND state = 'pending' ORDER BY next_at LIMIT 1"
        ),
        {"id": receiver_id},
    )
    return None if seconds is None else max(0.0, seconds)


async def save_breaker(
    session: AsyncSession,
    receiver_id: UUID,
    organization_id: UUID | None,
    breaker: Breaker,
    rest: float | None,
) -> None:
    """Store the breaker of a receiver, and for how many seconds the receiver is paused."""
    await session.execute(
        text(
            "INSERT INTO webhook_receiver (id, organization_id, failures, rests, resting_until)"
            " VALUES (:id, :organization_id, :failures, :rests,"
            "         clock_timestamp() + make_interval(secs => :rest))"
            " ON CONFLICT (id, organization_id) DO UPDATE SET failures = excluded.failures,"
            " rests = excluded.rests, resting_until = excluded.resting_until"
        ),
        {
            "id": receiver_id,
            "organization_id": organization_id,
            "failures": breaker.failures,
            "rests": breaker.rests,
            "rest": rest,
        },
    )


async def fail_all_due(session: AsyncSession, receiver_id: UUID) -> None:
    """Fail all due deliveries of a receiver, because the service itself cannot make them."""
    await session.execute(
        text(
            "UPDATE delivery SET state = 'failed', finished_at = now()"
            " WHERE receiver_id = :id AND state = 'pending' AND next_at <= now()"
        ),
        {"id": receiver_id},
    )
