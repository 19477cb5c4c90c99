"""What the chains have grown by since they were last checked: each entry is hashed once.

Finds what was changed or cut off at the end of a chain, and in what is new. What an owner of the
database changes further back, `acredita audit verify` finds: it begins at the beginning.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import RowMapping, func, or_, select, true
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.audit import START
from acredita.kit.crypto import Signer
from acredita.models import AuditCheck, AuditEntry, AuditHead, Organization
from acredita.resources.audit.heads import Head
from acredita.resources.audit.verification import Verdict, fault_of
from acredita.services import Services

# Rows of one look: some milliseconds of hashing, so that the event loop is free in between.
SLICE = 200


@dataclass(frozen=True, slots=True)
class Checked:
    """How far a chain was found whole."""

    organization_id: UUID
    position: int
    hash: bytes


async def grown(connection: AsyncConnection) -> list[Checked]:
    """How far the chains were checked that do not end where they ended then."""
    last = (
        select(AuditEntry.position, AuditEntry.hash)
        .where(AuditEntry.organization_id == Organization.id)
        .order_by(AuditEntry.position.desc())
        .limit(1)
        .lateral()
    )
    query = (
        select(
            Organization.id,
            func.coalesce(AuditCheck.position, 0),
            func.coalesce(AuditCheck.hash, START),
        )
        .outerjoin(AuditCheck, AuditCheck.organization_id == Organization.id)
        .outerjoin(last, true())
        .where(
            or_(
                last.c.position.is_distinct_from(AuditCheck.position),
                last.c.hash.is_distinct_from(AuditCheck.hash),
            )
        )
    )
    return [Checked(*row) for row in await connection.execute(query)]


async def check(services: Services) -> list[Verdict]:
    """Check what is new of every chain, and remember how far; what was found wrong.

    A chain with a fault is looked at again from there, each time, until it is whole.
    """
    async with services.database.reading() as connection:
        unchecked = await grown(connection)
    found = [await _check_chain(services, checked) for checked in unchecked]
    return [verdict for verdict in found if verdict is not None]


async def _check_chain(services: Services, checked: Checked) -> Verdict | None:
    while True:
        async with services.database.engine.connect() as connection:
            # Rows and heads of one moment.
            await connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
            look = await _look(connection, services.signer, checked)
        if look.checked != checked:
            async with services.database.transaction() as session:
                await _remember(session, look.checked)
        if look.verdict is not None or look.is_last:
            return look.verdict
        checked = look.checked


@dataclass(frozen=True, slots=True)
class _Look:
    checked: Checked
    is_last: bool
    verdict: Verdict | None = None


async def _look(connection: AsyncConnection, signer: Signer, checked: Checked) -> _Look:
    """The next rows of a chain, beginning with the one that was checked last."""
    organization_id = checked.organization_id
    heads = await _heads_beyond(connection, checked)
    forged = [head.position for head in heads if not head.is_genuine(signer)]
    if forged:
        return _wrong(checked, min(forged), "its signed head is not of this service")
    promised = {head.position: {head.hash} for head in heads}
    rows = await _rows_from(connection, checked)
    if checked.position and (not rows or rows[0]["position"] != checked.position):
        return _wrong(checked, checked.position, "it was checked, and is missing")
    for row in rows:
        if row["position"] == checked.position:
            if row["hash"] != checked.hash:
                return _wrong(checked, checked.position, "it differs from what was checked")
            continue
        position = checked.position + 1
        fault = fault_of(row, position, checked.hash, promised.get(position, set()))
        if fault:
            return _wrong(checked, position, fault)
        checked = Checked(organization_id, position, row["hash"])
    is_last = len(rows) <= SLICE
    if is_last and any(position > checked.position for position in promised):
        return _wrong(checked, checked.position + 1, "it is missing, and was signed")
    return _Look(checked, is_last)


def _wrong(checked: Checked, position: int, fault: str) -> _Look:
    verdict = Verdict(checked.organization_id, checked.position, position, fault)
    return _Look(checked, is_last=True, verdict=verdict)


async def _rows_from(connection: AsyncConnection, checked: Checked) -> Sequence[RowMapping]:
    query = (
        select(AuditEntry.__table__)
        .where(AuditEntry.organization_id == checked.organization_id)
        .where(AuditEntry.position >= checked.position)
        .order_by(AuditEntry.position)
        .limit(SLICE + 1)
    )
    return (await connection.execute(query)).mappings().all()


async def _heads_beyond(connection: AsyncConnection, checked: Checked) -> list[Head]:
    query = (
        select(AuditHead.__table__)
        .where(AuditHead.organization_id == checked.organization_id)
        .where(AuditHead.position > checked.position)
    )
    return [Head.of(row) for row in (await connection.execute(query)).mappings()]


async def _remember(session: AsyncSession, checked: Checked) -> None:
    adding = insert(AuditCheck).values(
        organization_id=checked.organization_id,
        position=checked.position,
        hash=checked.hash,
        checked_at=func.now(),
    )
    await session.execute(
        adding.on_conflict_do_update(
            index_elements=[AuditCheck.organization_id],
            set_={name: adding.excluded[name] for name in ("position", "hash", "checked_at")},
        )
    )
