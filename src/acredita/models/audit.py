"""The audit log and its signed heads. Triggers of the migrations make both append-only,
except that an entry is chained once."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from acredita.kit import ids
from acredita.models.tenancy import Owned


class AuditEntry(Owned):
    """One act. A job chains it to its organization's entries a moment after its commit."""

    __tablename__ = "audit_log"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.sortable)
    actor_type: Mapped[str]
    actor_id: Mapped[UUID | None]
    action: Mapped[str]
    resource_type: Mapped[str]
    resource_id: Mapped[UUID]
    # Canonical JSON, stored as text because the hash covers its characters.
    details: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    # Null until it is chained (resources/audit/chaining.py). Positions have no gaps.
    position: Mapped[int | None] = mapped_column(BigInteger)
    hash: Mapped[bytes | None]

    __table_args__ = (
        UniqueConstraint("organization_id", "position"),
        CheckConstraint("(position IS NULL) = (hash IS NULL)", name="chained_at_once"),
        Index(
            "ix_audit_log_unchained",
            "organization_id",
            "id",
            postgresql_where=text("hash IS NULL"),
        ),
        Index("ix_audit_log_resource", "organization_id", "resource_id"),
        Index("ix_audit_log_action", "organization_id", "action", "resource_type"),
    )


class AuditHead(Owned):
    """The last entry of an organization's chain at a point in time, signed by the service."""

    __tablename__ = "audit_head"

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"), primary_key=True)
    position: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    hash: Mapped[bytes]
    signature: Mapped[bytes]
    signed_at: Mapped[datetime]
