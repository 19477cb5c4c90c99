"""The audit log and its signed heads. Triggers of the migrations make both append-only."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from acredita.kit import ids
from acredita.models.tenancy import Owned


class AuditEntry(Owned):
    """One act. The table's trigger sets its position in its organization's chain."""

    __tablename__ = "audit_log"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.sortable)
    actor_type: Mapped[str]
    actor_id: Mapped[UUID | None]
    action: Mapped[str]
    resource_type: Mapped[str]
    resource_id: Mapped[UUID]
    # Canonical JSON, stored as text because the hash covers its characters.
    details: Mapped[str]
    # The trigger sets these three under the organization's lock. Positions have no gaps.
    position: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[datetime]
    hash: Mapped[bytes]

    __table_args__ = (
        UniqueConstraint("organization_id", "position"),
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
