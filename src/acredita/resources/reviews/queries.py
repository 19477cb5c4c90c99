"""Queries on the queue of verifications that wait for a reviewer."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from acredita.domain.caller import Caller
from acredita.domain.reasons import find as find_reason
from acredita.kit import ids
from acredita.kit.clock import timestamp
from acredita.kit.conditions import FREE, Conditions, lease_first
from acredita.kit.cursors import Window
from acredita.kit.db import Statements
from acredita.resources.reviews.cases import NAME

Sort = Literal["oldest", "newest"]
# Total and page come from one statement, so they are from one snapshot.
PAGE = """
    SELECT ({total}), (SELECT review_sla_hours FROM organization WHERE id = $1), ARRAY(
        SELECT ROW(
            listed.verification_id, verification.external_id, workflow.id, workflow.name,
            listed.reasons, listed.waiting_since, listed.lease_owner, listed.lease_until,
            {name}, listed.proposed_by, listed.queue, listed.rule
        )
        FROM (SELECT * FROM verification_review WHERE {listed} {order} {limit}) AS listed
        JOIN verification ON verification.id = listed.verification_id
        JOIN workflow ON workflow.id = listed.workflow_id
        {order}
    )
"""

MOST_QUEUES = 200
QUEUES = """
    SELECT ARRAY(
        SELECT ROW(queue, count(*)) FROM verification_review
        WHERE organization_id = $1 AND queue IS NOT NULL
        GROUP BY queue ORDER BY queue LIMIT $2
    )
"""


@dataclass(frozen=True, slots=True)
class Filters:
    """`workflow_id` and `assignee`: as the caller wrote them, also if they are no ids."""

    workflow_id: str | None = None
    reason: str | None = None
    queue: str | None = None
    assignee: str | None = None
    min_age_hours: float | None = None
    overdue: bool = False
    sort: Sort = "oldest"

    @property
    def order(self) -> str:
        direction = "DESC" if self.sort == "newest" else "ASC"
        return f"ORDER BY waiting_since {direction}, verification_id {direction}"


def _selected(caller: Caller, filters: Filters, now: datetime) -> Conditions:
    query = Conditions()
    query.add("organization_id = {}", caller.organization_id)
    if filters.workflow_id is not None:
        query.add("workflow_id = {}", ids.parse(filters.workflow_id))
    if filters.reason is not None:
        query.add("{} = ANY(reasons)", filters.reason)
    if filters.queue is not None:
        query.add("queue = {}", filters.queue)
    if filters.min_age_hours is not None:
        query.add("waiting_since <= {}", now - timedelta(hours=filters.min_age_hours))
    if filters.overdue:
        query.add(
            "waiting_since < {}::timestamptz - make_interval(hours => ("
            "SELECT review_sla_hours FROM organization WHERE id = $1))",
            now,
        )
    if filters.assignee == "none":
        query.add(FREE, now)
    elif filters.assignee is not None:
        assignee = caller.id if filters.assignee == "me" else ids.parse(filters.assignee)
        query.add("lease_owner = {} AND lease_until > {}", assignee, now)
    return query


async def page(
    statements: Statements, caller: Caller, filters: Filters, window: Window, now: datetime
) -> tuple[int, list[dict[str, Any]], tuple[datetime, UUID] | None]:
    """Return the total, the ReviewItems of one page, and the last one's place if more follow."""
    query = _selected(caller, filters, now)
    total = f"SELECT count(*) FROM verification_review WHERE {query.where}"  # noqa: S608
    if window.after is not None:
        # The first page's, which the cursor has.
        total = query.place(window.after.total) + "::bigint"
        sign = "<" if filters.sort == "newest" else ">"
        query.add(
            f"(waiting_since, verification_id) {sign} ({{}}, {{}})",
            window.after.created_at,
            window.after.id,
        )
    limit = f"LIMIT {query.place(window.limit + 1)}"
    text = _page(total, query.where, filters.order, limit)
    row = await statements.row(text, *query.arguments)
    assert row is not None  # noqa: S101 (it selects no table)
    found = row[2]
    shown = found[: window.limit]
    last = (shown[-1][5], shown[-1][0]) if len(found) > window.limit else None
    return row[0], [_item(each, row[1], now) for each in shown], last


async def one(
    statements: Statements, caller: Caller, verification_id: UUID, now: datetime
) -> dict[str, Any]:
    """Return the ReviewItem of a case that the caller's organization has."""
    text = _page("1", "organization_id = $1 AND verification_id = $2")
    row = await statements.row(text, caller.organization_id, verification_id)
    assert row is not None  # noqa: S101 (it selects no table)
    return _item(row[2][0], row[1], now)


def _page(total: str, listed: str, order: str = "", limit: str = "") -> str:
    name = NAME.format(id="listed.lease_owner")
    return PAGE.format(total=total, name=name, listed=listed, order=order, limit=limit)


def _item(row: Any, sla_hours: int | None, now: datetime) -> dict[str, Any]:
    (
        verification_id, external_id, workflow_id, workflow_name, reasons, waiting_since,
        owner, until, owner_name, proposed_by, queue, rule,
    ) = row  # fmt: skip
    is_held = until is not None and until > now
    deadline = None if sla_hours is None else waiting_since + timedelta(hours=sla_hours)
    return {
        "verificationId": str(verification_id),
        "externalId": external_id,
        "workflow": {"id": str(workflow_id), "name": workflow_name},
        "reasons": [{"code": code, "message": _message(code)} for code in reasons],
        "queue": queue,
        "rule": rule,
        "waitingSince": timestamp(waiting_since),
        "deadline": None if deadline is None else timestamp(deadline),
        "overdue": deadline is not None and deadline < now,
        "assignee": {"id": str(owner), "name": owner_name or ""} if is_held else None,
        "leaseExpiresAt": timestamp(until) if is_held else None,
        "proposal": proposed_by is not None,
    }


def _message(code: str) -> str | None:
    reason = find_reason(code)
    return None if reason is None else reason.message.en


async def draw(
    statements: Statements, caller: Caller, filters: Filters, *, now: datetime, until: datetime
) -> UUID | None:
    """Lease the first free case that has no proposal of the caller; return its verification."""
    query = _selected(caller, filters, now)
    query.add("proposed_by IS DISTINCT FROM {}", caller.id)
    text = lease_first(
        "verification_review",
        "verification_id",
        query,
        order=filters.order,
        owner=caller.id,
        now=now,
        until=until,
        returning="verification_id",
    )
    row = await statements.row(text, *query.arguments)
    return None if row is None else row[0]


async def queues(statements: Statements, organization_id: UUID) -> list[dict[str, Any]]:
    """Return the queues that policies name, with the number of verifications that wait in each."""
    row = await statements.row(QUEUES, organization_id, MOST_QUEUES)
    assert row is not None  # noqa: S101 (it selects no table)
    return [{"name": name, "total": total} for name, total in row[0]]


async def total(statements: Statements, organization_id: UUID) -> int:
    """Return the number of verifications that wait for a reviewer."""
    row = await statements.row(
        "SELECT count(*) FROM verification_review WHERE organization_id = $1", organization_id
    )
    assert row is not None  # noqa: S101 (an aggregate always has a row)
    return int(row[0])
