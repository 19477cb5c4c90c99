"""Write the history of a verification, in the transactions that it tells of.

Writers hold the verification's row lock, so its entries are in the order of their times.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import ActorType
from acredita.domain.caller import Caller
from acredita.domain.history import ENDS_PROPOSAL, HistoryKind
from acredita.kit import ids
from acredita.kit.crypto import KeyRing
from acredita.models import HistoryEntry, Verification


async def record(
    session: AsyncSession,
    verification: Verification,
    kind: HistoryKind,
    details: Mapping[str, Any],
    *,
    actor: Caller | None = None,
) -> UUID:
    """Add an entry; return its id. Without an actor, the service itself acted.

    `details` are ids, codes, statuses and versions in wire names, never personal data.
    """
    return (await _add(session, verification, kind, details, actor)).id


async def record_with_note(
    session: AsyncSession,
    keys: KeyRing,
    verification: Verification,
    kind: HistoryKind,
    details: Mapping[str, Any],
    *,
    actor: Caller,
    note: str | None,
) -> UUID:
    """`record` with a note, which is sealed."""
    return (await _add(session, verification, kind, details, actor, keys, note)).id


async def _add(
    session: AsyncSession,
    verification: Verification,
    kind: HistoryKind,
    details: Mapping[str, Any],
    actor: Caller | None,
    keys: KeyRing | None = None,
    note: str | None = None,
) -> HistoryEntry:
    entry = HistoryEntry(
        id=ids.sortable(),
        organization_id=verification.organization_id,
        verification_id=verification.id,
        kind=kind,
        actor_type=ActorType.SERVICE if actor is None else actor.kind.value,
        actor_id=None if actor is None else actor.id,
        details=dict(details),
    )
    if keys is not None:
        entry.note.seal(keys, note)
    session.add(entry)
    await session.flush()
    return entry


async def pending_proposal(session: AsyncSession, verification_id: UUID) -> HistoryEntry | None:
    """Return the proposed decision that nobody has confirmed or declined, and nothing has replaced
    (ENDS_PROPOSAL).
    """
    query = (
        select(HistoryEntry)
        .where(
            HistoryEntry.verification_id == verification_id,
            HistoryEntry.kind.in_(kind.value for kind in ENDS_PROPOSAL),
        )
        .order_by(HistoryEntry.created_at.desc(), HistoryEntry.id.desc())
        .limit(1)
    )
    last = (await session.scalars(query)).one_or_none()
    return last if last is not None and last.kind == HistoryKind.DECISION_PROPOSED else None
