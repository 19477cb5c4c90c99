"""Rows of the job table as processes see them, and SQL that several statements share."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import ColumnElement, DateTime, func

from acredita.models import Job


@dataclass(frozen=True, slots=True)
class LeasedJob:
    """A job as it was when this process claimed it, with its lease token."""

    id: UUID
    kind: str
    queue: str
    payload: dict[str, Any]
    once_key: str | None
    coalesce_key: str | None
    attempts: int
    max_attempts: int
    organization_id: UUID | None
    request_id: str | None
    traceparent: str | None
    created_at: datetime
    run_at: datetime
    lease_token: UUID


LEASED = tuple(getattr(Job, name) for name in LeasedJob.__slots__)


def leased(row: Sequence[Any]) -> LeasedJob:
    """Return the job of a row of a single statement, where JSON is still text."""
    job = LeasedJob(*row)
    return replace(job, payload=orjson.loads(job.payload))  # type: ignore[arg-type]


def timestamp(when: datetime | float) -> ColumnElement[datetime] | datetime:
    """`when` as a timestamp. A number means seconds after the database's now()."""
    if isinstance(when, datetime):
        return when
    now: ColumnElement[datetime] = func.now(type_=DateTime(timezone=True))
    return now + func.make_interval(0, 0, 0, 0, 0, 0, when) if when else now


# Due jobs of a queue, urgent ones first. Each priority is a range of ix_job_due, so that neither a
# long backlog nor a million future jobs slow this down.
DUE = """
    SELECT due.id
    FROM unnest(ARRAY[1, 0, -1]) WITH ORDINALITY AS level (priority, place)
    CROSS JOIN LATERAL (
        SELECT id FROM job
        WHERE state = 'pending' AND queue = $1 AND job.priority = level.priority
          AND run_at <= now() AND {condition}
        ORDER BY run_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ) AS due
    ORDER BY level.place LIMIT $2
"""
