"""Base classes of all tables."""

from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import CheckConstraint, DateTime, LargeBinary, MetaData, Text, Uuid, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from acredita.kit import ids
from acredita.kit.sealed import SealedBytes, SealedType

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: DateTime(timezone=True),
        UUID: Uuid(as_uuid=True),
        str: Text(),
        bytes: LargeBinary(),
        SealedBytes: SealedType(),
        dict[str, Any]: JSONB(none_as_null=True),
        list[dict[str, Any]]: JSONB(),
    }


class Record(Base):
    """A row with an id and a creation timestamp."""

    __abstract__ = True

    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.sortable)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


def one_of(column: str, values: type[StrEnum]) -> CheckConstraint:
    """Return a text column type with a CHECK: PostgreSQL's enums hinder rolling deployments."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_known")
