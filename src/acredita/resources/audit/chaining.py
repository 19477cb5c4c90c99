"""Chain new entries: give each its position and its keyed hash, in batches, after its commit.

A transaction that records an act takes no lock and waits for no other. One process at a time chains
the committed entries. Each batch is one transaction, so a killed process loses nothing: its entries
are still unchained, and the next run chains them.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

import structlog
from sqlalchemy import RowMapping, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.audit import START
from acredita.kit.crypto import Signer
from acredita.kit.db import Database
from acredita.models import AuditEntry
from acredita.resources.audit.entry_hash import is_keyed, keyed_hash
from acredita.resources.audit.heads import Head

log = structlog.get_logger()

# Entries of a batch: some 40 ms of CPU for content, hashes and the statement.
BATCH = 1000
# Organizations whose broken chain this process has logged: it is found every two seconds.
_reported: set[UUID] = set()
# Only one transaction chains at a time. It waits for no other, and no other waits for it.
LOCK = 7_221_105_234

# The last chained entry of each organization, the hash before it, and the head at its position.
ENDS = text(
    """
    SELECT last.*, before.hash AS previous, head.hash AS head_hash, head.signature
    FROM unnest(CAST(:organization_ids AS uuid[])) AS organization (id)
    CROSS JOIN LATERAL (
        SELECT * FROM audit_log WHERE organization_id = organization.id AND position IS NOT NULL
        ORDER BY position DESC LIMIT 1
    ) AS last
    LEFT JOIN audit_log AS before
        ON before.organization_id = organization.id AND before.position = last.position - 1
    LEFT JOIN audit_head AS head
        ON head.organization_id = organization.id AND head.position = last.position
    """
)
LINK = text(
    """
    UPDATE audit_log SET position = link.position, hash = link.hash
    FROM unnest(
        CAST(:ids AS uuid[]), CAST(:positions AS bigint[]), CAST(:hashes AS bytea[])
    ) AS link (id, position, hash)
    WHERE audit_log.id = link.id AND audit_log.hash IS NULL
    """
)


@dataclass(frozen=True, slots=True)
class Unchained:
    """The entries that wait to be chained."""

    count: int
    # Seconds; 0 if none waits.
    oldest_age: float


@dataclass(slots=True)
class _End:
    position: int
    hash: bytes


async def chain_all(database: Database, signer: Signer) -> int:
    """Chain every committed entry, batch by batch. Return their number."""
    chained, broken = 0, set[UUID]()
    while True:
        async with database.transaction() as session:
            batch = await chain_some(session, signer, broken)
        chained += batch
        if batch < BATCH:
            return chained


async def chain_some(session: AsyncSession, signer: Signer, broken: set[UUID]) -> int:
    """Chain up to BATCH entries and return their number; 0 if another process is chaining.

    It skips the organizations of `broken` and adds those whose last entry was changed: to go on
    from a forged entry would confirm it.
    """
    if not await session.scalar(select(func.pg_try_advisory_xact_lock(LOCK))):
        return 0
    rows = await _unchained(session, broken)
    ends = await _ends(session, signer, {row["organization_id"] for row in rows}, broken)
    links = list(_links(rows, ends, signer))
    if links:
        ids, positions, hashes = zip(*links, strict=True)
        await session.execute(
            LINK, {"ids": list(ids), "positions": list(positions), "hashes": list(hashes)}
        )
    return len(rows)


def _links(
    rows: Iterable[RowMapping], ends: dict[UUID, _End], signer: Signer
) -> Iterable[tuple[UUID, int, bytes]]:
    for row in rows:
        end = ends.get(row["organization_id"])
        if end is None:
            continue
        end.hash = keyed_hash(signer, end.hash, row)
        end.position += 1
        yield row["id"], end.position, end.hash


async def _unchained(session: AsyncSession, broken: Collection[UUID]) -> list[RowMapping]:
    query = (
        select(AuditEntry.__table__)
        .where(AuditEntry.hash.is_(None), AuditEntry.organization_id.not_in(broken))
        .order_by(AuditEntry.organization_id, AuditEntry.id)
        .limit(BATCH)
    )
    return list((await session.execute(query)).mappings())


async def _ends(
    session: AsyncSession, signer: Signer, organization_ids: set[UUID], broken: set[UUID]
) -> dict[UUID, _End]:
    """The ends of the chains to continue, without those that an editor changed."""
    ends = {each: _End(0, START) for each in organization_ids}
    found = await session.execute(ENDS, {"organization_ids": list(organization_ids)})
    for row in found.mappings():
        organization_id = row["organization_id"]
        if is_keyed(signer, row["previous"] or START, row) or _is_covered(row, signer):
            ends[organization_id] = _End(row["position"], row["hash"])
        else:
            del ends[organization_id]
            broken.add(organization_id)
            if organization_id not in _reported:
                _reported.add(organization_id)
                log.error("audit.chain_broken", organization_id=organization_id)
    return ends


def _is_covered(row: RowMapping, signer: Signer) -> bool:
    """Whether a genuine head covers the last entry, which may then have the former hash."""
    if row["signature"] is None or row["head_hash"] != row["hash"]:
        return False
    return Head(row["organization_id"], row["position"], row["hash"], row["signature"]).is_genuine(
        signer
    )


async def waiting(connection: AsyncConnection) -> Unchained:
    """Return how many entries are not chained yet, and the age of the oldest."""
    age = func.extract("epoch", func.clock_timestamp() - func.min(AuditEntry.created_at))
    query = select(func.count(), func.coalesce(age, 0.0)).where(AuditEntry.hash.is_(None))
    count, oldest_age = (await connection.execute(query)).one()
    return Unchained(count, max(0.0, float(oldest_age)))
