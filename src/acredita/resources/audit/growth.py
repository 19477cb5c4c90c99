"""Check the new entries of each audit chain; each entry is hashed once.

It finds changed or removed entries at the end of a chain and among the new ones. `acredita audit
verify` checks whole chains, so it also finds changes to older entries.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import RowMapping, func, or_, select, true
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.audit import START
from acredita.kit.crypto import Signer
from acredita.kit.db import Database
from acredita.models import AuditCheck, AuditEntry, AuditHead, Organization
from acredita.models.tenancy import owned
from acredita.resources.audit.chain_check import ChainResult, fault_of
from acredita.resources.audit.heads import Head

# Rows per SELECT. Hashing them takes a few milliseconds, so the event loop stays responsive.
SLICE = 200


@dataclass(frozen=True, slots=True)
class Checked:
    """The last entry up to which a chain was verified."""

    organization_id: UUID
    position: int
    hash: bytes


async def changed_chains(connection: AsyncConnection) -> list[Checked]:
    """The last verified entries of the chains whose end has changed since."""
    last = (
        select(AuditEntry.position, AuditEntry.hash)
        .where(AuditEntry.organization_id == Organization.id, AuditEntry.position.is_not(None))
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


async def check(database: Database, signer: Signer) -> list[ChainResult]:
    """Check the new entries of every chain and store the progress. Return the faulty results.

    A faulty chain is checked again from the fault each time, until it is sound.
    """
    async with database.reading() as connection:
        unchecked = await changed_chains(connection)
    found = [await _check_chain(database, signer, checked) for checked in unchecked]
    return [verdict for verdict in found if verdict is not None]


async def _check_chain(database: Database, signer: Signer, checked: Checked) -> ChainResult | None:
    while True:
        async with database.engine.connect() as connection:
            # One snapshot for rows and heads.
            await connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
            part = await _check_slice(connection, signer, checked)
        if part.checked != checked:
            async with database.transaction() as session:
                await _save_progress(session, part.checked)
        if part.fault is not None or part.is_last:
            return part.fault
        checked = part.checked


@dataclass(frozen=True, slots=True)
class _Slice:
    """The result for one slice of a chain."""

    checked: Checked
    is_last: bool
    fault: ChainResult | None = None


async def _check_slice(connection: AsyncConnection, signer: Signer, checked: Checked) -> _Slice:
    """Check the next rows of a chain, starting with the last verified one."""
    organization_id = checked.organization_id
    heads = await _heads_beyond(connection, checked)
    forged = [head.position for head in heads if not head.is_genuine(signer)]
    if forged:
        return _faulty(checked, min(forged), "its signed head has a wrong signature")
    signed_hashes = {head.position: {head.hash} for head in heads}
    rows = await _rows_from(connection, checked)
    covered = max(signed_hashes, default=0)
    if checked.position and (not rows or rows[0]["position"] != checked.position):
        return _faulty(checked, checked.position, "it was verified before and is missing")
    for row in rows:
        if row["position"] == checked.position:
            if row["hash"] != checked.hash:
                return _faulty(checked, checked.position, "it differs from the verified one")
            continue
        position = checked.position + 1
        fault = fault_of(
            signer,
            row,
            position,
            checked.hash,
            signed_hashes.get(position, set()),
            may_be_plain=position <= covered,
        )
        if fault:
            return _faulty(checked, position, fault)
        checked = Checked(organization_id, position, row["hash"])
    is_last = len(rows) <= SLICE
    if is_last and any(position > checked.position for position in signed_hashes):
        return _faulty(checked, checked.position + 1, "it is missing, but a head of it was signed")
    return _Slice(checked, is_last)


def _faulty(checked: Checked, position: int, fault: str) -> _Slice:
    result = ChainResult(
        checked.organization_id, checked.position, bad_position=position, fault=fault
    )
    return _Slice(checked, is_last=True, fault=result)


async def _rows_from(connection: AsyncConnection, checked: Checked) -> Sequence[RowMapping]:
    query = (
        owned(AuditEntry, checked.organization_id)
        .with_only_columns(AuditEntry.__table__)
        .where(AuditEntry.position >= checked.position)
        .order_by(AuditEntry.position)
        .limit(SLICE + 1)
    )
    return (await connection.execute(query)).mappings().all()


async def _heads_beyond(connection: AsyncConnection, checked: Checked) -> list[Head]:
    query = (
        owned(AuditHead, checked.organization_id)
        .with_only_columns(AuditHead.__table__)
        .where(AuditHead.position > checked.position)
    )
    return [Head.from_row(row) for row in (await connection.execute(query)).mappings()]


async def _save_progress(session: AsyncSession, checked: Checked) -> None:
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
