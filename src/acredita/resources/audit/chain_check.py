"""Verify the chains: every entry against its hash, every chain against its signed heads."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import RowMapping, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from acredita.domain.audit import START
from acredita.domain.errors import RateLimited
from acredita.kit.crypto import Signer
from acredita.kit.db import Database
from acredita.models import AuditEntry, AuditHead, Organization
from acredita.models.tenancy import belongs_to, owned
from acredita.resources.audit.entry_hash import is_keyed, is_plain
from acredita.resources.audit.heads import Head

# Rows in memory at a time.
BATCH = 1000
# It computes a hash for each entry, between the requests of others.
_running = asyncio.Lock()


@dataclass(frozen=True, slots=True)
class ChainResult:
    """The result for one organization's chain: number of valid entries, first bad row if any."""

    organization_id: UUID
    entries: int
    # Entries that are not chained yet.
    unchained: int = 0
    bad_position: int | None = None
    fault: str = ""


async def verify_one(database: Database, signer: Signer, organization_id: UUID) -> ChainResult:
    """Verify the chain of one organization, in a snapshot. Raise RateLimited while another runs."""
    if _running.locked():
        raise RateLimited(retry_after=5)
    async with _running, database.engine.connect() as connection:
        await connection.execution_options(isolation_level="REPEATABLE READ")
        async for result in verify(connection, signer, organization_id=organization_id):
            return result
    raise AssertionError("each organization has a chain")


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
    known = {organization_id} if organization_id else await _organizations(connection, kept_of)
    for each in sorted(known):
        query = owned(AuditHead, each).with_only_columns(AuditHead.__table__)
        stored = (await connection.execute(query)).mappings().all()
        yield await _verify_chain(
            connection, signer, each, [*map(Head.from_row, stored), *kept_of[each]]
        )


async def _organizations(connection: AsyncConnection, kept_of: Iterable[UUID]) -> set[UUID]:
    return {*await connection.scalars(select(Organization.id)), *kept_of}


async def _verify_chain(
    connection: AsyncConnection, signer: Signer, organization_id: UUID, heads: list[Head]
) -> ChainResult:
    forged = [head.position for head in heads if not head.is_genuine(signer)]
    if forged:
        fault = "its signed head has a wrong signature"
        return ChainResult(organization_id, 0, bad_position=min(forged), fault=fault)
    signed_hashes: dict[int, set[bytes]] = defaultdict(set)
    for head in heads:
        signed_hashes[head.position].add(head.hash)
    query = (
        owned(AuditEntry, organization_id)
        .with_only_columns(AuditEntry.__table__)
        .where(AuditEntry.position.is_not(None))
        .order_by(AuditEntry.position)
    )
    covered = max(signed_hashes, default=0)
    position, previous, keyed = 0, START, False
    async with connection.stream(query.execution_options(yield_per=BATCH)) as rows:
        async for row in rows.mappings():
            position += 1
            fault = fault_of(
                signer,
                row,
                position,
                previous,
                signed_hashes.get(position, set()),
                may_be_plain=position <= covered and not keyed,
            )
            if fault:
                return ChainResult(
                    organization_id, position - 1, bad_position=position, fault=fault
                )
            keyed = keyed or position > covered or not is_plain(previous, row)
            previous = row["hash"]
    counted = select(func.count()).where(
        belongs_to(AuditEntry, organization_id), AuditEntry.position.is_(None)
    )
    unchained = (await connection.scalar(counted)) or 0
    # The first entry of every organization is its registration.
    length = max([0 if unchained else 1, *signed_hashes])
    if position < length:
        fault = f"the rows from here to row {length} are missing, but a head of them was signed"
        return ChainResult(
            organization_id, position, unchained, bad_position=position + 1, fault=fault
        )
    return ChainResult(organization_id, position, unchained)


def fault_of(
    signer: Signer,
    row: RowMapping,
    position: int,
    previous: bytes,
    signed_hashes: set[bytes],
    *,
    may_be_plain: bool,
) -> str:
    """What is wrong with a row, or an empty string. `signed_hashes`: those of its signed heads.

    `may_be_plain`: whether it may have the hash of former releases, which needs no key. That is so
    only before the first keyed entry and up to a signed head.
    """
    if row["position"] != position:
        return "it is missing"
    if not is_keyed(signer, previous, row) and not (may_be_plain and is_plain(previous, row)):
        return f"its content does not match its hash (entry {row['id']})"
    if signed_hashes - {row["hash"]}:
        return f"it or an earlier row differs from its signed head (entry {row['id']})"
    return ""
