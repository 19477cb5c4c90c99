"""Checking the chains: every entry against its hash, every chain against its signed heads."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import RowMapping, select
from sqlalchemy.ext.asyncio import AsyncConnection

from acredita.domain.audit import START, Entry, hash_of
from acredita.kit.crypto import Signer
from acredita.models import AuditEntry, AuditHead, Organization
from acredita.resources.audit.heads import Head

# Rows in memory at a time, whatever the length of a chain.
BATCH = 1000


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one organization's chain: its length, and the first row at fault, if any."""

    organization_id: UUID
    entries: int
    bad_position: int | None = None
    fault: str = ""


async def verify(
    connection: AsyncConnection,
    signer: Signer,
    *,
    organization_id: UUID | None = None,
    kept: Iterable[Head] = (),
) -> AsyncIterator[Verdict]:
    """A verdict for each organization, or for the one that is named.

    `connection` is in a transaction of its own with one snapshot (REPEATABLE READ). `kept` are
    heads that were kept outside of the database.
    """
    kept_of: dict[UUID, list[Head]] = defaultdict(list)
    for head in kept:
        kept_of[head.organization_id].append(head)
    known = set((await connection.scalars(select(Organization.id))).all()) | set(kept_of)
    for each in [organization_id] if organization_id else sorted(known):
        query = select(AuditHead.__table__).where(AuditHead.organization_id == each)
        stored = (await connection.execute(query)).mappings().all()
        yield await _verify_chain(connection, signer, each, [*map(Head.of, stored), *kept_of[each]])


async def _verify_chain(
    connection: AsyncConnection, signer: Signer, organization_id: UUID, heads: list[Head]
) -> Verdict:
    forged = [head.position for head in heads if not head.is_genuine(signer)]
    if forged:
        fault = "its signed head is not of this service"
        return Verdict(organization_id, 0, min(forged), fault)
    promised: dict[int, set[bytes]] = defaultdict(set)
    for head in heads:
        promised[head.position].add(head.hash)
    query = (
        select(AuditEntry.__table__)
        .where(AuditEntry.organization_id == organization_id)
        .order_by(AuditEntry.position)
    )
    position, previous = 0, START
    async with connection.stream(query.execution_options(yield_per=BATCH)) as rows:
        async for row in rows.mappings():
            position += 1
            fault = fault_of(row, position, previous, promised.get(position, set()))
            if fault:
                return Verdict(organization_id, position - 1, position, fault)
            previous = row["hash"]
    # Every organization's chain begins with its registration.
    length = max([1, *promised])
    if position < length:
        fault = f"it is missing, and so is all up to row {length}, which is signed"
        return Verdict(organization_id, position, position + 1, fault)
    return Verdict(organization_id, position)


def fault_of(row: RowMapping, position: int, previous: bytes, promised: set[bytes]) -> str:
    """What is wrong with a row, if anything: `promised` are the hashes of its signed heads."""
    if row["position"] != position:
        return "it is missing"
    if hash_of(previous, _entry(row)) != row["hash"]:
        return f"its content is not what was hashed (entry {row['id']})"
    if promised - {row["hash"]}:
        return f"it differs from its signed head (entry {row['id']}), or one before it does"
    return ""


def _entry(row: RowMapping) -> Entry:
    return Entry(
        id=row["id"],
        organization_id=row["organization_id"],
        actor_type=row["actor_type"],
        actor_id=row["actor_id"],
        action=row["action"],
        resource_type=row["resource_type"],
        resource_id=row["resource_id"],
        details=row["details"],
        created_at=row["created_at"],
    )
