"""Signed heads: the length of an organization's chain at a time, and the hash of its last entry.

An attacker who owns the database can truncate a chain. A head reveals that: its signature needs the
service's secret, which is not in the database. A head covers every entry up to its position. An
attacker can still remove entries after the newest head, or entries together with
their heads in the database. Heads stored elsewhere (`acredita audit heads`) reveal that too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import orjson
from sqlalchemy import RowMapping, func, select, text
from sqlalchemy.dialects.postgresql import distinct_on, insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.audit import START
from acredita.kit import ids
from acredita.kit.crypto import Signer
from acredita.models import AuditHead
from acredita.resources.audit.entry_hash import is_keyed

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
    def from_stored(cls, head: AuditHead) -> "Head":
        return cls(head.organization_id, head.position, head.hash, head.signature)

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


# The last entry of each chain that has grown since its last head, and the hash before it.
GROWN = text(
    """
    SELECT last.*, before.hash AS previous
    FROM organization CROSS JOIN LATERAL (
        SELECT * FROM audit_log WHERE organization_id = organization.id AND position IS NOT NULL
        ORDER BY position DESC LIMIT 1
    ) AS last
    LEFT JOIN audit_log AS before
        ON before.organization_id = organization.id AND before.position = last.position - 1
    WHERE NOT EXISTS (
        SELECT FROM audit_head
        WHERE audit_head.organization_id = organization.id AND audit_head.position >= last.position
    )
    """
)


async def sign_grown_chains(session: AsyncSession, signer: Signer) -> int:
    """Sign the head of each chain that has grown since its last head. Return their number.

    It signs only keyed entries, because a signature confirms all entries up to the head.
    """
    heads = [
        {
            "organization_id": row["organization_id"],
            "position": row["position"],
            "hash": row["hash"],
            "signature": signer.digest(
                PURPOSE, _message(row["organization_id"], row["position"], row["hash"])
            ),
            "signed_at": func.now(),
        }
        for row in (await session.execute(GROWN)).mappings()
        if is_keyed(signer, row["previous"] or START, row)
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
