"""Recording what happened, in the transaction in which it happens."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.events import EventKind
from acredita.resources.webhooks import queries
from acredita.resources.webhooks.jobs import fan_out


async def record(
    session: AsyncSession,
    *,
    organization_id: UUID,
    verification_id: UUID,
    kind: EventKind,
    data: Mapping[str, Any],
) -> UUID:
    """Freeze an event of a verification and see to its delivery; the event's id.

    Goes to the endpoints subscribed to its kind; verification.completed also to the verification's
    callback address. `data` is the envelope's `data`, ready for JSON, without personal data.
    """
    return await _record(session, organization_id, verification_id, kind, data)


async def record_callback(
    session: AsyncSession,
    *,
    organization_id: UUID,
    verification_id: UUID,
    data: Mapping[str, Any],
) -> UUID:
    """A verification.completed envelope for the callback address alone.

    For a decision that is changed after verification.completed fired: DECISIONS has the callback
    sent each time, whereas endpoints hear verification.completed once.
    """
    kind = queries.CALLBACK_KIND
    return await _record(session, organization_id, verification_id, kind, data, callback_only=True)


async def _record(
    session: AsyncSession,
    organization_id: UUID,
    verification_id: UUID,
    kind: EventKind,
    data: Mapping[str, Any],
    *,
    callback_only: bool = False,
) -> UUID:
    await session.flush()  # the verification itself may be new in this transaction
    event_id, anybody = await queries.add_event(
        session,
        organization_id=organization_id,
        verification_id=verification_id,
        kind=kind,
        data=orjson.dumps(dict(data)),
        callback_only=callback_only,
    )
    # Without a receiver there is no job. An endpoint that this transaction cannot see yet had not
    # been answered 201 when the event happened.
    if anybody:
        await jobs.add(
            session,
            fan_out,
            {"event_id": str(event_id)},
            organization_id=organization_id,
        )
    return event_id
