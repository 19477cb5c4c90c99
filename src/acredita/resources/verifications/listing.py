"""GET /v1/verifications: pages with exact totals, for any number of verifications.

The total is the sum of the organization's tallies; with a period, the index counts its rows.
`search_page` has the statement of a search, whose total can be a part of a large number.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from asyncpg import QueryCanceledError
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import ServiceUnavailable
from acredita.domain.verification import VerificationStatus
from acredita.kit.clock import timestamp
from acredita.kit.crypto import Signer
from acredita.kit.cursors import Window
from acredita.kit.statement_pool import Reads
from acredita.resources.verifications import search_page

# The table whose index has the order: with a status, and without.
SOURCES = {
    True: "(SELECT verification_id AS id, * FROM verification_in_status) AS listed",
    False: "verification",
}
# Total and page come from one statement, so they are from one snapshot. The inner query uses only
# an index. It does not run if the total is not above the offset.
PAGE = """
    WITH counted AS ({counted})
    SELECT total, CASE WHEN total > $3 THEN ARRAY(
        SELECT ROW(id, status, external_id, created_at) FROM verification WHERE id IN (
            SELECT id FROM {source} WHERE organization_id = $1 {in_status} {in_range}
            ORDER BY created_at DESC, id LIMIT $2 OFFSET $3
        ) ORDER BY created_at DESC, id
    ) END AS page FROM counted
"""
TALLIED = """
    SELECT coalesce(sum(change), 0)::bigint AS total
    FROM verification_tally WHERE organization_id = $1 {in_status}
"""
# The tallies know no dates. The index alone has all columns.
COUNTED = """
    SELECT count(*) AS total FROM {source} WHERE organization_id = $1 {in_status} {in_range}
"""
# The total is the first page's, in the cursor. The index finds the first bound; the second decides
# between verifications of one moment.
NEXT_PAGE = """
    SELECT ARRAY(
        SELECT ROW(id, status, external_id, created_at) FROM verification WHERE id IN (
            SELECT id FROM {source} WHERE organization_id = $1 {in_status} {in_range} AND {after}
            ORDER BY created_at DESC, id LIMIT $2
        ) ORDER BY created_at DESC, id
    ) AS page
"""
AFTER = "created_at <= {moment} AND (created_at < {moment} OR id > {id})"


@dataclass(frozen=True, slots=True)
class Filters:
    """What a list is about. None and an empty `search_text` filter nothing."""

    status: VerificationStatus | None
    search_text: str
    created_from: datetime | None
    # Exclusive.
    created_before: datetime | None


async def page(
    reads: Reads, signer: Signer, caller: Caller, *, filters: Filters, window: Window
) -> dict[str, Any]:
    """Return a VerificationPage as plain data.

    Raise ServiceUnavailable if the search takes too long.
    """
    query, arguments = _statement(signer, caller.organization_id, filters, window)
    try:
        row = await reads.row(query, *arguments)
    except QueryCanceledError:
        raise ServiceUnavailable("There is too much to look through for this search.") from None
    assert row is not None  # noqa: S101 (an aggregate always has a row)
    total = row["total"] if window.after is None else window.after.total
    is_exact = row.get("is_exact", True) if window.after is None else window.after.is_exact
    found = row["page"] or []
    shown, last = found[: window.limit], None
    if len(found) > window.limit:
        last = shown[-1][3], shown[-1][0]
    elif window.offset == 0 and row.get("last_compared"):
        # A client that goes on by offsets would get an empty page forever.
        (last,) = row["last_compared"]
    answer: dict[str, Any] = {
        "verifications": [
            {
                "id": str(verification_id),
                "status": status_name,
                "externalId": external_id,
                "createdAt": timestamp(created_at),
            }
            for verification_id, status_name, external_id, created_at in shown
        ],
        "pagination": {
            "total": total,
            "limit": window.limit,
            "offset": window.before,
            "hasMore": last is not None,
        },
    }
    if not is_exact:
        answer["pagination"]["totalIsExact"] = False
        # Later pages can have more than were counted. An offset can be beyond all hits.
        if shown or window.after is not None:
            answer["pagination"]["total"] = max(total, window.before + len(shown))
    if last is not None:
        answer["nextCursor"] = window.next_cursor(total, last, shown=len(shown), is_exact=is_exact)
    return answer


def _statement(
    signer: Signer, organization_id: UUID, filters: Filters, window: Window
) -> tuple[str, list[Any]]:
    """Return the query and its arguments. It selects one row more than the page has."""
    arguments: list[Any] = [organization_id, window.limit + 1]

    def parameter(argument: Any) -> str:
        arguments.append(argument)
        return f"${len(arguments)}"

    after = "true"
    if window.after is None or filters.search_text:
        parameter(window.offset)
    if window.after is not None:
        moment, id_ = parameter(window.after.created_at), parameter(window.after.id)
        after = AFTER.format(moment=moment, id=id_)
    if filters.search_text:
        others = search_page.Where(
            status=filters.status and parameter(filters.status.value),
            in_range=_in_range(filters, "entry.created_at", parameter),
            after=after,
            is_counted=window.after is None,
        )
        query = search_page.statement(
            signer, organization_id, filters.search_text, others, parameter
        )
        return query, arguments
    in_status = "" if filters.status is None else f"AND status = {parameter(filters.status.value)}"
    source = SOURCES[filters.status is not None]
    in_range = _in_range(filters, "created_at", parameter)
    where = {"source": source, "in_status": in_status, "in_range": in_range}
    if window.after is not None:
        return NEXT_PAGE.format(after=after, **where), arguments
    counted = (COUNTED if in_range else TALLIED).format(**where)
    return PAGE.format(counted=counted, **where), arguments


def _in_range(filters: Filters, column: str, parameter: Callable[[Any], str]) -> str:
    """Return the SQL conditions for the dates, each with AND before it."""
    conditions = ""
    if filters.created_from is not None:
        conditions += f" AND {column} >= {parameter(filters.created_from)}"
    if filters.created_before is not None:
        conditions += f" AND {column} < {parameter(filters.created_before)}"
    return conditions


# A reader sees either the rows or their sum. If two jobs run at once, the first gets the rows.
FOLD = text(
    """
    WITH folded AS (
        DELETE FROM verification_tally WHERE (organization_id, status) IN (
            SELECT organization_id, status FROM verification_tally
            GROUP BY organization_id, status HAVING count(*) > 1
        ) RETURNING organization_id, status, change
    )
    INSERT INTO verification_tally (organization_id, status, change)
        SELECT organization_id, status, sum(change) FROM folded
        GROUP BY organization_id, status HAVING sum(change) <> 0
    """
)


async def fold_tallies(session: AsyncSession) -> None:
    """Merge the tallies of each status into one row. The sums do not change."""
    await session.execute(FOLD)
