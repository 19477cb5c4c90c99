"""GET /v1/verifications: pages with exact totals, at any number of verifications.

How many there are is the sum of the organization's tallies. A search of three letters or more is
led by the index over grams to little more than its hits; a shorter one reads through the search
texts of the organization. Either way each text is then held against the whole search.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from asyncpg import QueryCanceledError
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain import searching
from acredita.domain.caller import Caller
from acredita.domain.errors import ServiceUnavailable
from acredita.domain.verification import VerificationStatus
from acredita.kit.clock import timestamp
from acredita.resources.verifications import search
from acredita.services import Services

# Total and page come from one statement, so they are of one moment. The page's place is found in
# an index alone, and not looked for where the total says that nothing is there.
PAGE = """
    WITH counted AS (
        SELECT coalesce(sum(change), 0)::bigint AS total
        FROM verification_tally WHERE organization_id = $1 {in_status}
    )
    SELECT total, CASE WHEN total > $3 THEN ARRAY(
        SELECT ROW(id, status, external_id, created_at) FROM verification WHERE id IN (
            SELECT id FROM verification WHERE organization_id = $1 {in_status}
            ORDER BY created_at DESC, id LIMIT $2 OFFSET $3
        ) ORDER BY created_at DESC, id
    ) END AS page FROM counted
"""
FOUND = """
    WITH found AS MATERIALIZED (
        SELECT entry.verification_id AS id, entry.created_at
        FROM verification_search AS entry {of_status}
        WHERE entry.organization_id = $1 AND ({matches})
    )
    SELECT (SELECT count(*) FROM found) AS total, ARRAY(
        SELECT ROW(id, status, external_id, created_at) FROM verification WHERE id IN (
            SELECT id FROM found ORDER BY created_at DESC, id LIMIT $2 OFFSET $3
        ) ORDER BY created_at DESC, id
    ) AS page
"""

# Of the grams that are sought those few that PostgreSQL's statistics know as the rarest. The others
# would find little less and take longer: with all twelve grams of "cliente-0005000", seven of which
# a million others had, the index was read for 87 ms, with four of them for 2 ms (measured).
RAREST = """
    (SELECT array_agg(gram) FROM (
        SELECT gram, share, row_number() OVER (ORDER BY share NULLS FIRST) AS place
        FROM unnest({grams}::bigint[]) AS gram LEFT JOIN (
            SELECT unnest(most_common_elems::text::bigint[]) AS gram,
                   unnest(most_common_elem_freqs) AS share
            FROM pg_stats WHERE schemaname = current_schema
                AND tablename = 'verification_search' AND attname = 'grams'
        ) AS common USING (gram)
    ) AS ranked WHERE place = 1 OR place <= 4 AND coalesce(share, 0) < 0.05)
"""


async def page(
    services: Services,
    caller: Caller,
    *,
    status: VerificationStatus | None,
    wanted: str,
    limit: int,
    offset: int,
) -> dict[str, Any]:
    """A VerificationPage as plain data; `wanted` is what is searched, empty for all there is."""
    arguments: list[Any] = [caller.organization_id, limit, offset]

    def place(argument: Any) -> str:
        arguments.append(argument)
        return f"${len(arguments)}"

    in_status = "" if status is None else f"AND status = {place(status.value)}"
    if wanted:
        query = FOUND.format(
            of_status=in_status and f"JOIN verification ON id = verification_id {in_status}",
            matches=_matches(services, caller.organization_id, wanted, place),
        )
    else:
        query = PAGE.format(in_status=in_status)
    try:
        row = await services.reads.row(query, *arguments)
    except QueryCanceledError:
        raise ServiceUnavailable("There is too much to look through for this search.") from None
    assert row is not None  # noqa: S101 (an aggregate always has a row)
    return {
        "verifications": [
            {
                "id": str(verification_id),
                "status": status_name,
                "externalId": external_id,
                "createdAt": timestamp(created_at),
            }
            for verification_id, status_name, external_id, created_at in row["page"] or ()
        ],
        "pagination": {
            "total": row["total"],
            "limit": limit,
            "offset": offset,
            "hasMore": offset + limit < row["total"],
        },
    }


def _matches(
    services: Services, organization_id: UUID, wanted: str, place: Callable[[Any], str]
) -> str:
    """The condition under which an entry is a hit. All that the caller wrote goes in as data."""
    sought = searching.folded(wanted)
    condition = f"position({place(sought)} IN entry.text) > 0"
    if len(sought) >= searching.GRAM:
        grams = place(sorted(searching.grams(sought, organization_id)))
        condition = f"(entry.grams @> {RAREST.format(grams=grams)} AND {condition})"
    words = search.hashes_of_words(services.signer, organization_id, [wanted])
    if words:
        condition += f" OR entry.name_words @> {place(words)}::bigint[]"
    return condition


# A reader sees either the rows or their sum. Rows that two jobs would fold at once go to the first.
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
    """Make one row of each status's tallies; sums stay what they are."""
    await session.execute(FOLD)
