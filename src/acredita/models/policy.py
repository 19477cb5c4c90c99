"""Policies of organizations, and their versions."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from acredita.models.base import Record, one_of
from acredita.models.tenancy import Owned, refers_to


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

    policy_id: Mapped[UUID] = refers_to("policy.id")
    version: Mapped[int]
    status: Mapped[str]
    # The rules in wire names, as `domain.policies` reads them.
    document: Mapped[dict[str, Any]]
    # SHA-256 of the document's canonical JSON.
    digest: Mapped[bytes]
    # Of a proposed threshold: the data and the bound that it rests on. Null for other rules.
    basis: Mapped[dict[str, Any] | None]
    # Who saved the draft last, and who published it.
    author_type: Mapped[str]
    author_id: Mapped[UUID]
    published_by: Mapped[UUID | None]
    published_at: Mapped[datetime | None]

    __table_args__ = (
        one_of("status", PolicyStatus),
        UniqueConstraint("policy_id", "version", "organization_id"),
        # One of each at a time.
        Index(
            "uq_policy_version_draft",
            "policy_id",
            "organization_id",
            unique=True,
            postgresql_where=text("status = 'DRAFT'"),
        ),
        Index(
            "uq_policy_version_published",
            "policy_id",
            "organization_id",
            unique=True,
            postgresql_where=text("status = 'PUBLISHED'"),
        ),
    )


class SimulationStatus(StrEnum):
    RUNNING = "RUNNING"
    DONE = "DONE"
    # By an administrator, or because the draft changed or a newer simulation of the policy began.
    CANCELLED = "CANCELLED"
    FAILED = "FAILED"


class PolicySimulation(Owned, Record):
    """A version of a policy that is evaluated on past verifications, newest first.

    It has ids, statuses and numbers, no personal data. A checkpoint writes the place and the counts
    together, so that a run after a crash continues there.
    """

    __tablename__ = "policy_simulation"

    policy_id: Mapped[UUID] = refers_to("policy.id")
    version: Mapped[int]
    # Of the rules that are evaluated, as in PolicyVersion.
    digest: Mapped[bytes]
    status: Mapped[str]
    author_type: Mapped[str]
    author_id: Mapped[UUID]
    # Which verifications: of this workflow, null for all, created in this period.
    workflow_id: Mapped[UUID | None] = refers_to("workflow.id")
    since: Mapped[datetime | None]
    until: Mapped[datetime]
    most: Mapped[int]
    # The variable whose values are counted where a reviewer decided; null: none.
    measure: Mapped[str | None]
    # How many there are, null until they are counted, and how many were read.
    total: Mapped[int | None]
    processed: Mapped[int] = mapped_column(server_default=text("0"))
    # The last one that was read.
    last_created_at: Mapped[datetime | None]
    last_id: Mapped[UUID | None]
    # `domain.policy.Tally`.
    counts: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'"))
    finished_at: Mapped[datetime | None]

    __table_args__ = (
        one_of("status", SimulationStatus),
        # One at a time.
        Index(
            "uq_policy_simulation_running",
            "policy_id",
            "organization_id",
            unique=True,
            postgresql_where=text("status = 'RUNNING'"),
        ),
        Index("ix_policy_simulation_policy", "policy_id", "id"),
    )


class PolicyComparison(Owned, Record):
    """What a draft would have decided, beside the outcome of a verification. No personal data.

    A row for each evaluation, not a counter, because decisions would wait for each other at it.
    """

    __tablename__ = "policy_comparison"

    workflow_id: Mapped[UUID] = refers_to("workflow.id")
    verification_id: Mapped[UUID] = refers_to("verification.id", ondelete="CASCADE")
    policy_id: Mapped[UUID] = refers_to("policy.id")
    version: Mapped[int]
    # Of the draft's rules: they can change, and are then compared from the beginning.
    digest: Mapped[bytes]
    # Of `domain.policy.OUTCOMES`.
    decided: Mapped[str]
    proposed: Mapped[str]
    # Whether all conditions had a result.
    has_result: Mapped[bool]

    __table_args__ = (
        Index(
            "ix_policy_comparison_pair",
            "workflow_id",
            "digest",
            "decided",
            "proposed",
            "created_at",
        ),
        Index("ix_policy_comparison_verification", "verification_id"),
    )
