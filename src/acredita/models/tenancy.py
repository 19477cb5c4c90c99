"""Tenancy: rows that belong to one organization, and the start of every query for a caller.

The tests check every statement of a request (tests/tenancy.py). They fail if a statement selects
rows neither by the caller's organization nor by ids that were checked against it.
"""

from typing import Any, ClassVar, TypeVar
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    ForeignKey,
    ForeignKeyConstraint,
    PrimaryKeyConstraint,
    Select,
    Table,
    select,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, MappedColumn, declared_attr, mapped_column

from acredita.domain.errors import NotFound
from acredita.models.base import Base

REFERENCE = "refers_to"


class Owned(Base):
    """A row of one organization.

    The primary key contains the organization, behind what identifies the row: a cluster divides
    tables by it (docs/operators/scale.md), and statements with the id alone use the key's index.
    Sessions identify a row without it. Unique constraints name the organization last, too.
    """

    __abstract__ = True
    # False: a value finds the row before its organization is known, and is unique over all.
    has_organization_in_key: ClassVar[bool] = True

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"))

    @classmethod
    def __table_cls__(cls, *args: Any, **options: Any) -> Table:
        table = Table(*args, **options)
        organization = table.c.organization_id
        if cls.has_organization_in_key and not organization.primary_key:
            identity = list(table.primary_key)
            organization.primary_key = True
            table.append_constraint(PrimaryKeyConstraint(*identity, organization))
        for column in table.columns:
            if reference := column.info.get(REFERENCE):
                _refer(table, column.name, *reference)
        return table

    @declared_attr.directive
    def __mapper_args__(cls) -> dict[str, Any]:  # noqa: N805 (of the class)
        *identity, last = cls.__table__.primary_key
        is_appended = identity and last.name == "organization_id"
        return {"primary_key": identity} if is_appended else {}


def refers_to(target: str, ondelete: str | None = None, **options: Any) -> MappedColumn[Any]:
    """A column that refers to a row of the same organization.

    The foreign key has both columns, so the database refuses a row of another organization.
    """
    return mapped_column(info={REFERENCE: (target, ondelete)}, **options)


def _refer(table: Table, column: str, target: str, ondelete: str | None) -> None:
    parent = target.partition(".")[0]
    if ondelete == "SET NULL":
        ondelete = f"SET NULL ({column})"
    table.append_constraint(
        ForeignKeyConstraint(
            [column, "organization_id"], [target, f"{parent}.organization_id"], ondelete=ondelete
        )
    )


Row = TypeVar("Row", bound=Owned)
Found = TypeVar("Found", bound=Base)


def owned(model: type[Row], organization_id: UUID) -> Select[Row]:
    """Select the organization's rows. Narrow it by `where` or `with_only_columns`."""
    return select(model).where(belongs_to(model, organization_id))


async def fetch(session: AsyncSession, query: Select[Found]) -> Found:
    """Return the row that the query selects. Raise NotFound if there is none."""
    row = (await session.scalars(query)).one_or_none()
    if row is None:
        raise NotFound
    return row


def belongs_to(model: type[Owned], organization_id: UUID) -> ColumnElement[bool]:
    """The condition by which `owned` selects: for updates, deletions and subqueries."""
    return model.organization_id == organization_id
