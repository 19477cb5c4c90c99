"""GET /v1/overview: what became of the verifications created in a period."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from acredita.domain.errors import ValidationFailed
from acredita.domain.overview import quantile
from acredita.kit import csv_lines, ids
from acredita.kit.statement_pool import Reads
from acredita.resources.overview import queries

DEFAULT_DAYS = 30
MOST_DAYS = 366
MOST_WORKFLOWS = 100
SECONDS, REASON = "seconds:", "reason:"


class OverviewLines(StrEnum):
    """What a line of the CSV is about."""

    DAY = "day"
    WORKFLOW = "workflow"
    REASON = "reason"


HEADS = {
    OverviewLines.DAY: ("date", "created", "approved", "rejected", "review"),
    OverviewLines.WORKFLOW: (
        "workflowId", "workflow", "created", "submitted", "decided", "approved", "rejected",
        "review", "expired", "medianSecondsToDecision", "p95SecondsToDecision",
    ),
    OverviewLines.REASON: ("workflowId", "workflow", "code", "count"),
}  # fmt: skip


def period(first: date | None, last: date | None, now: datetime) -> tuple[date, date]:
    """Return the first and the last day; without any, the last 30. Raise ValidationFailed."""
    last = last or now.date()
    try:
        first = first or last - timedelta(days=DEFAULT_DAYS - 1)
    except OverflowError:
        first = last
    if not 0 <= (last - first).days < MOST_DAYS:
        raise ValidationFailed(
            details=[f"query.from: the period must have 1 to {MOST_DAYS} days up to `to`"]
        )
    return first, last


async def overview(
    reads: Reads,
    organization_id: UUID,
    days: tuple[date, date],
    workflow_id: str | None,
    now: datetime,
) -> dict[str, Any]:
    """Return an Overview as plain data."""
    of_all, workflow = workflow_id is None, ids.parse(workflow_id or "")
    found = await queries.sums(reads, organization_id, *days, workflow, of_all=of_all)
    waiting, oldest = await queries.waiting(reads, organization_id, workflow, of_all=of_all)
    totals = found.totals
    return {
        "from": days[0].isoformat(),
        "to": days[1].isoformat(),
        **_figures(totals),
        "reasons": [{"code": code, "count": count} for code, count in _reasons(totals)],
        "reviewQueue": {
            "waiting": waiting,
            "oldestSeconds": None
            if oldest is None
            else max(0, int((now - oldest).total_seconds())),
        },
        "labels": _labels(totals),
        "days": [_day(day, found) for day in _every_day(*days)],
    }


async def of_workflows(
    reads: Reads, organization_id: UUID, days: tuple[date, date]
) -> dict[str, Any]:
    """Return OverviewWorkflows as plain data."""
    found = await queries.sums_of_workflows(reads, organization_id, *days, None, of_all=True)
    used = [(id_, name, totals) for (id_, name), totals in found.items() if totals["created"]]
    used.sort(key=lambda each: (-each[2]["created"], each[1], each[0]))
    return {
        "from": days[0].isoformat(),
        "to": days[1].isoformat(),
        "workflows": [
            {"id": str(id_), "name": name, **_figures(totals)}
            for id_, name, totals in used[:MOST_WORKFLOWS]
        ],
    }


def _figures(totals: Mapping[str, int]) -> dict[str, Any]:
    outcomes = {
        "approved": totals["APPROVED"],
        "rejected": totals["REJECTED"],
        "manualReview": totals["MANUAL_REVIEW"],
        "expired": totals["EXPIRED"],
    }
    times = _with_prefix(totals, SECONDS)
    seconds = {int(interval): count for interval, count in times.items()}
    return {
        "funnel": {
            "created": totals["created"],
            "submitted": totals["submitted"],
            "decided": outcomes["approved"] + outcomes["rejected"] + outcomes["manualReview"],
        },
        "outcomes": outcomes,
        "medianSecondsToDecision": quantile(seconds, 0.5),
        "p95SecondsToDecision": quantile(seconds, 0.95),
    }


def _reasons(totals: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return codes and counts, the most frequent first."""
    return sorted(_with_prefix(totals, REASON).items(), key=lambda each: (-each[1], each[0]))


def _labels(totals: Mapping[str, int]) -> dict[str, Any]:
    fields, correct = totals[queries.JUDGED], totals[queries.CORRECT]
    return {
        "documents": totals[queries.LABELLED],
        "fields": fields,
        "correct": correct,
        "accuracy": round(correct / fields, 4) if fields else None,
    }


def _with_prefix(totals: Mapping[str, int], prefix: str) -> dict[str, int]:
    return {
        measure.removeprefix(prefix): number
        for measure, number in totals.items()
        if measure.startswith(prefix) and number
    }


def _every_day(first: date, last: date) -> list[date]:
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def _day(day: date, found: queries.Sums) -> dict[str, Any]:
    counts: Mapping[str, int] = found.by_day.get(day, {})
    return {
        "date": day.isoformat(),
        "created": counts.get("created", 0),
        "approved": counts.get("APPROVED", 0),
        "rejected": counts.get("REJECTED", 0),
        "review": counts.get("MANUAL_REVIEW", 0),
    }


async def to_csv(
    reads: Reads,
    organization_id: UUID,
    days: tuple[date, date],
    workflow_id: str | None,
    about: OverviewLines,
) -> str:
    """Return the overview as CSV, with a header. Workflows are in the order of their names."""
    of_all, workflow = workflow_id is None, ids.parse(workflow_id or "")
    scope = (reads, organization_id, *days, workflow)
    lines: list[tuple[Any, ...]] = []
    if about is OverviewLines.DAY:
        found = await queries.sums(*scope, of_all=of_all)
        lines = [tuple(_day(day, found).values()) for day in _every_day(*days)]
    else:
        of_workflows = await queries.sums_of_workflows(*scope, of_all=of_all)
        for (id_, name), totals in sorted(of_workflows.items(), key=lambda each: each[0][::-1]):
            if about is OverviewLines.REASON:
                lines += [(id_, name, *reason) for reason in _reasons(totals)]
            elif totals["created"]:
                funnel, outcomes, *times = _figures(totals).values()
                lines.append((id_, name, *funnel.values(), *outcomes.values(), *times))
    return "".join(map(csv_lines.line, [HEADS[about], *lines]))
