"""Signed heads: the length of an organization's chain at a time, and the hash of its last entry.

An attacker who owns the database can rewrite or truncate a chain. A head reveals that: its
signature needs the service's secret, which is not in the database. A head covers every entry up to
its position. An attacker can still remove entries after the newest head, or entries together with
their heads in the database. Heads stored elsewhere (`acredita audit heads`) reveal that too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import orjson
from sqlalchemy import RowMapping, func, select, true
from sqlalchemy.dialects.postgresql import distinct_on, insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.kit import ids
from acredita.kit.crypto import Signer
from acredita.models import AuditEntry, AuditHead, Organization

PURPOSE = "audit-head"


class UnreadableHead(Exception):
    """A line of a heads file cannot be parsed."""


@dataclass(frozen=True, slots=True)
class Head:
    organization_id: UUID
    position: int
    hash: bytes
    signature: bytes

    @classmethod
    def from_row(cls, row: RowMapping) -> "Head":
        return cls(row["organization_id"], row["position"], row["hash"], row["signature"])

    @classmethod
    def parse(cls, line: str) -> "Head":
        try:
            fields = orjson.loads(line)
            organization_id = ids.parse(fields["organizationId"])
            if organization_id is None:
                raise UnreadableHead
            return cls(
                organization_id,
                int(fields["position"]),
                bytes.fromhex(fields["hash"]),
                bytes.fromhex(fields["signature"]),
            )
        except (KeyError, TypeError, ValueError) as fault:
            raise UnreadableHead from fault

    def line(self) -> str:
        return orjson.dumps(
            {
                "organizationId": str(self.organization_id),
                "position": self.position,
                "hash": self.hash.hex(),
                "signature": self.signature.hex(),
            }
        ).decode()

    def is_genuine(self, signer: Signer) -> bool:
        message = _message(self.organization_id, self.position, self.hash)
        return signer.matches(PURPOSE, message, self.signature)


def _message(organization_id: UUID, position: int, hash_: bytes) -> bytes:
    return f"{organization_id}:{position}:{hash_.hex()}".encode()


def read_kept(path: Path) -> list[Head]:
    """Parse a file with one head per line. Raise UnreadableHead, OSError."""
    return [Head.parse(line) for line in path.read_text().splitlines() if line.strip()]


async def sign_grown_chains(session: AsyncSession, signer: Signer) -> int:
    """Sign the head of each chain that has grown since its last head. Return their number."""
    last = (
        select(AuditEntry.position, AuditEntry.hash)
        .where(AuditEntry.organization_id == Organization.id)
        .order_by(AuditEntry.position.desc())
        .limit(1)
        .lateral()
    )
    signed = (
        select(AuditHead.position)
        .where(AuditHead.organization_id == Organization.id)
        .order_by(AuditHead.position.desc())
        .limit(1)
        .lateral()
    )
    grown = (
        select(Organization.id, last.c.position, last.c.hash)
        .join(last, true())
        .outerjoin(signed, true())
        .where(last.c.position > func.coalesce(signed.c.position, 0))
    )
    heads = [
        {
            "organization_id": row.id,
            "position": row.position,
            "hash": row.hash,
            "signature": signer.digest(PURPOSE, _message(row.id, row.position, row.hash)),
            "signed_at": func.now(),
        }
        for row in (await session.execute(grown)).all()
    ]
    if heads:
        await session.execute(insert(AuditHead).values(heads).on_conflict_do_nothing())
    return len(heads)


async def newest(connection: AsyncConnection) -> Iterator[Head]:
    """The newest head of every organization, to store outside the database."""
    query = (
        select(AuditHead.__table__)
        .ext(distinct_on(AuditHead.organization_id))
        .order_by(AuditHead.organization_id, AuditHead.position.desc())
    )
    return map(Head.from_row, (await connection.execute(query)).mappings())
