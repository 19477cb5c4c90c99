"""How far what must always hold has been checked: each check goes on where the last one ended."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from acredita.models.base import Base
from acredita.models.tenancy import Owned


class CheckedUntil(Base):
    """Of an invariant over what has happened: everything before this moment was looked at."""

    __tablename__ = "checked_until"

    name: Mapped[str] = mapped_column(primary_key=True)
    moment: Mapped[datetime]


class AuditCheck(Owned):
    """Of an organization's audit chain: the last entry that was checked, and its hash then."""

    __tablename__ = "audit_check"

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"), primary_key=True)
    position: Mapped[int] = mapped_column(BigInteger)
    hash: Mapped[bytes]
    checked_at: Mapped[datetime]
