"""The audit log and its signed heads. Both only ever grow: triggers of the migrations see to it."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from acredita.kit import ids
from acredita.models.tenancy import Owned


class AuditEntry(Owned):
    """One act. The trigger of the table gives it its place in its organization's chain."""

    __tablename__ = "audit_log"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.sortable)
    actor_type: Mapped[str]
    actor_id: Mapped[UUID | None]
    action: Mapped[str]
    resource_type: Mapped[str]
    resource_id: Mapped[UUID]
    # Canonical JSON kept as text: the very characters are hashed.
    details: Mapped[str]
    # These three are the trigger's, set under the organization's lock. Positions have no gaps.
    position: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[datetime]
    hash: Mapped[bytes]

    __table_args__ = (
        UniqueConstraint("organization_id", "position"),
        Index("ix_audit_log_resource", "organization_id", "resource_id"),
        Index("ix_audit_log_action", "organization_id", "action", "resource_type"),
    )


class AuditHead(Owned):
    """How far an organization's chain had grown at some moment, signed with a key of ours."""

    __tablename__ = "audit_head"

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"), primary_key=True)
    position: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    hash: Mapped[bytes]
    signature: Mapped[bytes]
    signed_at: Mapped[datetime]
