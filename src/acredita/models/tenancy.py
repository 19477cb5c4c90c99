"""Tenancy: rows that belong to one organization, and the start of every query for a caller.

The tests check every statement of a request (tests/tenancy.py). They fail if a statement selects
rows neither by the caller's organization nor by ids that were checked against it.
"""

from typing import TypeVar
from uuid import UUID

from sqlalchemy import ColumnElement, ForeignKey, Select, select
from sqlalchemy.orm import Mapped, mapped_column

from acredita.models.base import Base


class Owned(Base):
    """A row of one organization."""

    __abstract__ = True

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"))


Row = TypeVar("Row", bound=Owned)


def owned(model: type[Row], organization_id: UUID) -> Select[Row]:
    """Select the organization's rows. Narrow it by `where` or `with_only_columns`."""
    return select(model).where(belongs_to(model, organization_id))


def belongs_to(model: type[Owned], organization_id: UUID) -> ColumnElement[bool]:
    """The condition by which `owned` selects: for updates, deletions and subqueries."""
    return model.organization_id == organization_id
