"""The job ledger (ARCHITECTURE.md): durable work, written by the transaction that needs it.

`job` has the jobs that are pending, running or dead, and the done ones that have a once_key. The
others move to `job_finished` when they are done.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, SmallInteger, func, text
from sqlalchemy.orm import Mapped, mapped_column

from acredita.models.base import Base, Record, one_of

# What stands for the organization in ix_job_turn: in uuid's order after all others.
NO_ORGANIZATION = UUID(int=2**128 - 1)
TENANT = f"coalesce(organization_id, '{NO_ORGANIZATION}'::uuid)"


class JobState(StrEnum):
    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    DEAD = "dead"


class Job(Record):
    __tablename__ = "job"

    kind: Mapped[str]
    # Ids only, never personal data.
    payload: Mapped[dict[str, Any]]
    queue: Mapped[str]
    # At most one row with this key, ever (pipeline steps, deliveries).
    once_key: Mapped[str | None] = mapped_column(unique=True)
    # At most one pending row with this key. A running one may have read old data, so it is not one.
    coalesce_key: Mapped[str | None]
    state: Mapped[str] = mapped_column(server_default=JobState.PENDING.value)
    run_at: Mapped[datetime] = mapped_column(server_default=func.now())
    priority: Mapped[int] = mapped_column(server_default=text("0"))
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    max_attempts: Mapped[int]
    # Not used any more. A later release drops both, when no process of an earlier one runs.
    published_at: Mapped[datetime | None]
    publishes: Mapped[int] = mapped_column(server_default=text("0"))
    lease_token: Mapped[UUID | None]
    lease_expires_at: Mapped[datetime | None]
    last_error: Mapped[str | None]
    # Since then, each run has met a dependency that was away.
    waiting_since: Mapped[datetime | None]
    organization_id: Mapped[UUID | None]
    # Who caused it (jobs.registry.Lane).
    lane: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    request_id: Mapped[str | None]
    # The trace that it belongs to (W3C Trace Context), if traces are exported.
    traceparent: Mapped[str | None]
    finished_at: Mapped[datetime | None]

    __table_args__ = (
        one_of("state", JobState),
        # A claim queries each priority by itself (jobs.registry.Priority).
        CheckConstraint("priority BETWEEN -1 AND 1", name="priority_known"),
        CheckConstraint(
            "(state = 'running') = (lease_token IS NOT NULL)"
            " AND (state = 'running') = (lease_expires_at IS NOT NULL)",
            name="lease_while_running",
        ),
        Index(
            "ix_job_due",
            "queue",
            "priority",
            "run_at",
            postgresql_where=text("state = 'pending'"),
        ),
        # A claim in turn steps from organization to organization (jobs.ledger.turns).
        Index(
            "ix_job_turn",
            "queue",
            "priority",
            text(TENANT),
            "lane",
            "run_at",
            postgresql_where=text("state = 'pending' AND queue IN ('engines', 'registries')"),
        ),
        # The oldest due job of each kind (resources.admin.queries).
        Index(
            "ix_job_oldest",
            text(TENANT),
            "kind",
            "run_at",
            postgresql_where=text("state = 'pending'"),
        ),
        Index("ix_job_done", "finished_at", postgresql_where=text("state = 'done'")),
        # Dead jobs are few and stay, for an operator to inspect.
        Index("ix_job_dead", "organization_id", "kind", postgresql_where=text("state = 'dead'")),
        Index("ix_job_leased", "lease_expires_at", postgresql_where=text("state = 'running'")),
        Index(
            "uq_job_coalesce_key",
            "coalesce_key",
            unique=True,
            postgresql_where=text("state = 'pending'"),
        ),
    )


class FinishedJob(Base):
    """A job that is done, and what an operator asks about it.

    Partitioned by month. Old months are dropped as a whole (jobs/purge.py).
    """

    __tablename__ = "job_finished"

    # First in the key: rows are added at the end of its index, and one of the last minute is found.
    finished_at: Mapped[datetime] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    payload: Mapped[dict[str, Any]]
    queue: Mapped[str]
    attempts: Mapped[int]
    last_error: Mapped[str | None]
    organization_id: Mapped[UUID | None]
    request_id: Mapped[str | None]
    created_at: Mapped[datetime]
    run_at: Mapped[datetime]

    __table_args__ = ({"postgresql_partition_by": "RANGE (finished_at)"},)
