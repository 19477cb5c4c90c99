"""Progress of the checks of invariants: each check continues where the last one ended."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from acredita.models.base import Base
from acredita.models.tenancy import Owned


class CheckedUntil(Base):
    """The time up to which an invariant over past events is checked."""

    __tablename__ = "checked_until"

    name: Mapped[str] = mapped_column(primary_key=True)
    moment: Mapped[datetime]


class AuditCheck(Owned):
    """The last checked entry of an organization's audit chain, and its hash at that time."""

    __tablename__ = "audit_check"

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"), primary_key=True)
    position: Mapped[int] = mapped_column(BigInteger)
    hash: Mapped[bytes]
    checked_at: Mapped[datetime]
