"""Sums of `verification_day_tally`: no query reads the verifications themselves."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.kit.statement_pool import Reads

# Measures that are shown for each day; the others are summed over the period.
OF_DAYS = ("created", "APPROVED", "REJECTED", "MANUAL_REVIEW")
LABELLED, JUDGED, CORRECT = "label:documents", "label:fields", "label:correct"
SUMS = f"""
    SELECT CASE WHEN measure IN {OF_DAYS} THEN day END,
        measure, sum(change)::bigint
    FROM verification_day_tally
    WHERE organization_id = $1 AND day BETWEEN $2 AND $3 AND ($4 OR workflow_id = $5)
    GROUP BY 1, 2
"""  # noqa: S608 (constants)
SUMS_OF_WORKFLOWS = """
    SELECT workflow_id, coalesce(name, ''), measure, sum(change)::bigint
    FROM verification_day_tally AS tally
        LEFT JOIN workflow ON workflow.id = workflow_id AND workflow.organization_id = $1
    WHERE tally.organization_id = $1 AND day BETWEEN $2 AND $3 AND ($4 OR workflow_id = $5)
    GROUP BY 1, 2, 3
"""
WAITING = """
    SELECT count(*), min(waiting_since) FROM verification_review
    WHERE organization_id = $1 AND ($2 OR workflow_id = $3)
"""
# What labels say about the readings counts on the day of the verification's creation, as all else.
ADD_LABEL = text(
    """
    INSERT INTO verification_day_tally (organization_id, day, workflow_id, measure, change)
    SELECT organization_id, (created_at AT TIME ZONE 'UTC')::date, workflow_id, measure, change
    FROM verification, unnest(CAST(:measures AS text[]), CAST(:changes AS bigint[]))
        AS added (measure, change)
    WHERE verification.id = :verification_id AND change <> 0
    """
)
# A reader sees either the rows or their sum. If two jobs run at once, the first gets the rows.
FOLD = text(
    """
    WITH changed AS (
        SELECT DISTINCT organization_id, day, workflow_id, measure
        FROM verification_day_tally WHERE NOT is_sum
    ), folded AS (
        DELETE FROM verification_day_tally AS tally USING changed
        WHERE tally.organization_id = changed.organization_id AND tally.day = changed.day
          AND tally.workflow_id = changed.workflow_id AND tally.measure = changed.measure
        RETURNING tally.organization_id, tally.day, tally.workflow_id, tally.measure, tally.change
    )
    INSERT INTO verification_day_tally
            (organization_id, day, workflow_id, measure, change, is_sum)
        SELECT organization_id, day, workflow_id, measure, sum(change), true FROM folded
        GROUP BY organization_id, day, workflow_id, measure HAVING sum(change) <> 0
    """
)


@dataclass(frozen=True, slots=True)
class Sums:
    totals: Counter[str] = field(default_factory=Counter)
    by_day: dict[date, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


async def sums(
    reads: Reads,
    organization_id: UUID,
    first: date,
    last: date,
    workflow_id: UUID | None,
    *,
    of_all: bool,
) -> Sums:
    """Return the sums of the verifications created from `first` to `last` (UTC, inclusive).

    `of_all`: of all workflows; else of `workflow_id`, where None is no workflow.
    """
    found = Sums()
    for day, measure, number in await reads.rows(
        SUMS, organization_id, first, last, of_all, workflow_id
    ):
        found.totals[measure] += number
        if day is not None:
            found.by_day[day][measure] = number
    return found


async def sums_of_workflows(
    reads: Reads,
    organization_id: UUID,
    first: date,
    last: date,
    workflow_id: UUID | None,
    *,
    of_all: bool,
) -> dict[tuple[UUID, str], Counter[str]]:
    """Return the same sums for each workflow, by its id and name."""
    found: dict[tuple[UUID, str], Counter[str]] = defaultdict(Counter)
    for id_, name, measure, number in await reads.rows(
        SUMS_OF_WORKFLOWS, organization_id, first, last, of_all, workflow_id
    ):
        found[id_, name][measure] = number
    return found


async def waiting(
    reads: Reads, organization_id: UUID, workflow_id: UUID | None, *, of_all: bool
) -> tuple[int, datetime | None]:
    """Return the number of verifications that wait for a reviewer, and since when the oldest."""
    row = await reads.row(WAITING, organization_id, of_all, workflow_id)
    assert row is not None  # noqa: S101 (an aggregate always has a row)
    return row[0], row[1]


async def add_label(
    session: AsyncSession, verification_id: UUID, *, documents: int, fields: int, correct: int
) -> None:
    """Count a label of a document of the verification, or its difference to the one it replaces.

    `fields`: readings that the label judges; `correct`: those that are right.
    """
    changes = {LABELLED: documents, JUDGED: fields, CORRECT: correct}
    await session.execute(
        ADD_LABEL,
        {
            "verification_id": verification_id,
            "measures": list(changes),
            "changes": list(changes.values()),
        },
    )


async def fold(session: AsyncSession) -> None:
    """Merge the new rows of each measure. The sums do not change."""
    await session.execute(FOLD)
