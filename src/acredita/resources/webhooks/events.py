"""Records events, in the transaction that makes the change."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.events import EventKind
from acredita.kit import ids, tracing
from acredita.kit.crypto import KeyRing
from acredita.kit.db import Within
from acredita.models import Event, EventTurn
from acredita.resources.webhooks import delivery_rows, receivers


def recording(
    *,
    event_id: str,
    organization_id: str,
    verification_id: str,
    kind: str,
    data: str,
    callback_only: str,
    data_sealed: str = "NULL",
    traceparent: str = "NULL",
    turn: str = "NULL",
    when: str = "true",
) -> str:
    """Return `record` as the CTEs of a larger statement. The arguments are SQL expressions."""
    return f"""
        event_added AS (
            INSERT INTO event (id, organization_id, verification_id, kind, data, data_sealed,
                               callback_only, traceparent, turn)
            SELECT {event_id}, {organization_id}, {verification_id}, {kind}, {data},
                   {data_sealed}, {callback_only}, {traceparent}, {turn}
            WHERE {when}
            RETURNING {receivers.EVENT_COLUMNS}
        ), {delivery_rows.ADDING}
    """


RECORDING = recording(
    event_id="$1::uuid",
    organization_id="$2::uuid",
    verification_id="$3::uuid",
    kind="$4::text",
    data="$5::bytea",
    callback_only="$6::boolean",
    data_sealed="$7::bytea",
    traceparent="$8::text",
    turn="$9::text",
)
RECORD = f"WITH {RECORDING} SELECT EXISTS (SELECT FROM delivery_added)"  # noqa: S608 (constants)


async def record(
    session: AsyncSession,
    *,
    organization_id: UUID,
    verification_id: UUID,
    kind: EventKind,
    data: Mapping[str, Any],
    turn: EventTurn | None = None,
    callback_only: bool = False,
    keys: KeyRing | None = None,
) -> UUID:
    """Store an event of a verification with its deliveries; return the event's id.

    The endpoints subscribed to its kind get it; the verification's callback URL also gets
    verification.completed. `data` is the envelope's `data`, ready for JSON. With `keys` they may be
    personal data: they are sealed, and unsealed only for a delivery.

    `callback_only`: for a decision that changes after verification.completed. The callback gets
    each change (DECISIONS), endpoints get verification.completed once.
    """
    await session.flush()  # the verification itself may be new in this transaction
    event_id = ids.sortable()
    plain = orjson.dumps(dict(data))
    sealed = Event.personal_data.seal(keys, event_id, plain) if keys else None
    statements = Within(session)
    row = await statements.row(
        RECORD,
        event_id,
        organization_id,
        verification_id,
        kind.value,
        None if sealed else plain,
        callback_only,
        sealed,
        tracing.traceparent(),
        turn,
    )
    if row is not None and row[0]:
        statements.announce(*jobs.wake_up(jobs.Queue.WEBHOOKS))
    return event_id
