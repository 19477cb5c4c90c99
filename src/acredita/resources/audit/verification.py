"""Verify the chains: every entry against its hash, every chain against its signed heads."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import RowMapping, select
from sqlalchemy.ext.asyncio import AsyncConnection

from acredita.domain.audit import START, Entry, hash_of
from acredita.kit.crypto import Signer
from acredita.models import AuditEntry, AuditHead, Organization
from acredita.models.tenancy import owned
from acredita.resources.audit.heads import Head

# Rows in memory at a time.
BATCH = 1000


@dataclass(frozen=True, slots=True)
class ChainResult:
    """The result for one organization's chain: number of valid entries, first bad row if any."""

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
) -> AsyncIterator[ChainResult]:
    """Verify the chain of each organization, or of one.

    `connection` needs a snapshot (REPEATABLE READ). `kept`: heads stored outside the database.
    """
    kept_of: dict[UUID, list[Head]] = defaultdict(list)
    for head in kept:
        kept_of[head.organization_id].append(head)
    known = set((await connection.scalars(select(Organization.id))).all()) | set(kept_of)
    for each in [organization_id] if organization_id else sorted(known):
        query = owned(AuditHead, each).with_only_columns(AuditHead.__table__)
        stored = (await connection.execute(query)).mappings().all()
        yield await _verify_chain(
            connection, signer, each, [*map(Head.from_row, stored), *kept_of[each]]
        )


async def _verify_chain(
    connection: AsyncConnection, signer: Signer, organization_id: UUID, heads: list[Head]
) -> ChainResult:
    forged = [head.position for head in heads if not head.is_genuine(signer)]
    if forged:
        fault = "its signed head has a wrong signature"
        return ChainResult(organization_id, 0, min(forged), fault)
    signed_hashes: dict[int, set[bytes]] = defaultdict(set)
    for head in heads:
        signed_hashes[head.position].add(head.hash)
    query = (
        owned(AuditEntry, organization_id)
        .with_only_columns(AuditEntry.__table__)
        .order_by(AuditEntry.position)
    )
    position, previous = 0, START
    async with connection.stream(query.execution_options(yield_per=BATCH)) as rows:
        async for row in rows.mappings():
            position += 1
            fault = fault_of(row, position, previous, signed_hashes.get(position, set()))
            if fault:
                return ChainResult(organization_id, position - 1, position, fault)
            previous = row["hash"]
    # The first entry of every chain is the registration of the organization.
    length = max([1, *signed_hashes])
    if position < length:
        fault = f"the rows from here to row {length} are missing, but a head of them was signed"
        return ChainResult(organization_id, position, position + 1, fault)
    return ChainResult(organization_id, position)


def fault_of(row: RowMapping, position: int, previous: bytes, signed_hashes: set[bytes]) -> str:
    """What is wrong with a row, or an empty string. `signed_hashes`: those of its signed heads."""
    if row["position"] != position:
        return "it is missing"
    if hash_of(previous, _entry(row)) != row["hash"]:
        return f"its content does not match its hash (entry {row['id']})"
    if signed_hashes - {row["hash"]}:
        return f"it or an earlier row differs from its signed head (entry {row['id']})"
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
