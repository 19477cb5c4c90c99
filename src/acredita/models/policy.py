"""Policies of organizations, and their versions."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from acredita.models.base import Record, one_of
from acredita.models.tenancy import Owned


class PolicyStatus(StrEnum):
    DRAFT = "DRAFT"
    PUBLISHED = "PUBLISHED"
    # Another version was published since.
    RETIRED = "RETIRED"


class PolicyHead(Owned, Record):
    """A policy: what workflows name. Its rules are in its versions."""

    __tablename__ = "policy"

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"), index=True)
    name: Mapped[str]


class PolicyVersion(Owned, Record):
    """A version of a policy. A trigger of the migrations keeps a published one as it is."""

    __tablename__ = "policy_version"

    policy_id: Mapped[UUID] = mapped_column(ForeignKey("policy.id"))
    version: Mapped[int]
    status: Mapped[str]
    # The rules in wire names, as `domain.policy` reads them.
    document: Mapped[dict[str, Any]]
    # SHA-256 of the document's canonical JSON.
    digest: Mapped[bytes]
    # Who saved the draft last, and who published it.
    author_type: Mapped[str]
    author_id: Mapped[UUID]
    published_by: Mapped[UUID | None]
    published_at: Mapped[datetime | None]

    __table_args__ = (
        one_of("status", PolicyStatus),
        UniqueConstraint("policy_id", "version"),
        # One of each at a time.
        Index(
            "uq_policy_version_draft",
            "policy_id",
            unique=True,
            postgresql_where=text("status = 'DRAFT'"),
        ),
        Index(
            "uq_policy_version_published",
            "policy_id",
            unique=True,
            postgresql_where=text("status = 'PUBLISHED'"),
        ),
    )
