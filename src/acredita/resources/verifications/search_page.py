"""The statement of a search: its hits, the newest first, and their number.

A hit has the text, or all words of the name, the last one perhaps by its beginning, or is of the
identifier. What few verifications have, the indexes find: the one on grams returns few rows that
are no hits, and `name_word` has the words of names.

What many have, an index finds slowly, because it returns all of them. So the newest verifications
of the list are compared first. If the text is common among them, the search compares NEWEST of
them and asks no index, unless the page lies further back. The total is then exact if the list has
no more. If even the rarest gram of the text is of EVERYWHERE rows or more, the index would return
too much, and is not asked either: old verifications alone may have it. A text of one or two letters
has no grams: the search compares NEWEST verifications, and finds whole words of names among all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from acredita.domain import search_keys
from acredita.domain.search_identifiers import identifiers_in
from acredita.kit.crypto import Signer
from acredita.resources.verifications import name_words, search

# The verifications that a search compares instead of asking an index. To compare one takes 4 µs of
# CPU (measured). A text that the index on grams finds takes 10 µs.
NEWEST = 8_000
# A text is common if COMMON of the SAMPLE newest verifications have it: the index then returns some
# 8,000 of a million, or more. A word of a name in any status takes 0.6 µs in `name_word`.
SAMPLE, COMMON, COMMON_WORD = 1_000, 8, 80
# The rows that an index may return: some more than of what is not common. To look up the status of
# a name takes 4 µs.
MOST_FOUND, MOST_NAMED = 10_000, 100_000
# By PostgreSQL's statistics. The index takes 100 ms of CPU to return more than MOST_FOUND of them
# (measured). A text that few have in spite of its grams is found as well, page by page.
EVERYWHERE = 10 * MOST_FOUND

# $1 to $3: the organization, the number of rows, the offset. Total and page are from one snapshot.
# PostgreSQL tests a condition without columns once, and does not run the part that it refuses.
PAGE = """
    WITH rarest AS MATERIALIZED ({rarest}
    ), everywhere AS MATERIALIZED ({is_everywhere}
    ), listed AS NOT MATERIALIZED (
        SELECT id, created_at FROM {source} AS entry
        WHERE entry.organization_id = $1 {in_status} {in_range} AND {after}
    ), newest AS NOT MATERIALIZED (
        SELECT * FROM listed ORDER BY created_at DESC, id
    ), sampled AS MATERIALIZED (
        SELECT newest.*, has_text
        FROM (SELECT * FROM newest LIMIT {sample}) AS newest, LATERAL ({hit}) AS hit
    ), sample AS MATERIALIZED (
        SELECT count(*) FILTER (WHERE has_text) >= {common} OR count(*) >= {common_word}
            AS is_common
        FROM sampled
    ), compared AS MATERIALIZED ({compared} WHERE {is_compared} {enough}
    ), bounds AS MATERIALIZED (
        SELECT {is_compared} AND {has_older} AS has_older
    ), compared_all AS MATERIALIZED (
        SELECT has_older, (SELECT is_common FROM sample) AND (
            NOT has_older OR (SELECT count(*) FROM compared) >= $2::numeric + $3
        ) AS suffices FROM bounds
    ), all_named AS {how} ({named}), all_others AS MATERIALIZED ({others}
    ), some_others AS MATERIALIZED (SELECT * FROM all_others LIMIT {most_found} + 1
    ), over AS MATERIALIZED (
        SELECT number, number > {most_named} OR (SELECT count(*) FROM some_others) > {most_found}
            OR (SELECT is_everywhere AND NOT suffices FROM everywhere, compared_all) AS is_over
        FROM (SELECT count(*) AS number FROM all_named) AS counted
    ), compared_late AS MATERIALIZED (
        {compared} WHERE NOT {is_compared} AND (SELECT is_over FROM over) {enough}
    ), named AS {how} (
        SELECT id, created_at FROM all_named AS entry WHERE true {filters}
    ), others AS MATERIALIZED (
        SELECT id, created_at FROM some_others AS entry WHERE is_hit {filters} {not_named}
    ), cut AS MATERIALIZED (
        SELECT is_over AND (has_older OR NOT {is_compared} AND {has_older}) AS is_cut
        FROM compared_all, over
    )
    SELECT {total} AS total,
        NOT is_cut AND (NOT has_older OR NOT (suffices OR {is_short})) AS is_exact,
        CASE WHEN is_cut THEN ARRAY(
            SELECT ROW(created_at, id) FROM newest LIMIT 1 OFFSET {most} - 1
        ) END AS last_compared,
        ARRAY(
            SELECT ROW(id, status, external_id, created_at) FROM verification WHERE id IN (
                SELECT id FROM (
                    SELECT * FROM compared
                    WHERE (SELECT suffices OR is_over FROM compared_all, over)
                    UNION ALL SELECT * FROM compared_late
                    UNION ALL SELECT * FROM named WHERE NOT (SELECT is_over FROM over)
                    UNION ALL SELECT * FROM others WHERE NOT (SELECT is_over FROM over)
                ) AS found
                WHERE {after} ORDER BY created_at DESC, id LIMIT $2 OFFSET $3
            ) ORDER BY created_at DESC, id
        ) AS page
    FROM compared_all, over, cut
"""
TOTAL = """
    CASE WHEN suffices OR is_over THEN
        (SELECT count(*) FROM compared) + (SELECT count(*) FROM compared_late)
    ELSE {named} + (SELECT count(*) FROM others) END
"""
COMPARED = """
    SELECT * FROM (
        SELECT id, created_at FROM sampled
        UNION ALL
        SELECT newest.*
        FROM (SELECT * FROM newest LIMIT {most} - {sample} OFFSET {sample}) AS newest,
            LATERAL ({hit}) AS hit
    ) AS compared
"""
HAS_OLDER = "EXISTS (SELECT FROM listed OFFSET {most})"
SOURCES = {
    True: "(SELECT verification_id AS id, * FROM verification_in_status)",
    False: "verification",
}
# Found by its moment, each row is near the former one, in the index and in the table. By its id, it
# takes 1.5 times the CPU (measured).
HIT = """
    SELECT {has_text} AS has_text FROM verification_search AS entry
    WHERE entry.organization_id = $1 AND entry.created_at = newest.created_at
        AND entry.verification_id = newest.id AND ({matches})
    OFFSET 0
"""
# A part of its own, which PostgreSQL plans for all its rows: with a LIMIT, it could choose to read
# the table instead of the index. It still reads no more than is taken.
OTHERS = """
    SELECT entry.verification_id AS id, entry.created_at, ({matches}) AS is_hit
    FROM verification_search AS entry
    WHERE NOT (SELECT suffices OR is_everywhere FROM compared_all, everywhere)
        AND entry.organization_id = $1 AND ({found_by})
"""
SHORT_OTHERS = """
    SELECT id, created_at, true AS is_hit FROM compared
    WHERE NOT (SELECT suffices FROM compared_all)
"""
NAMED = """
    SELECT entry.verification_id AS id, entry.created_at FROM name_word AS entry
    WHERE NOT (SELECT suffices FROM compared_all) AND entry.organization_id = $1
        AND entry.token BETWEEN {first} AND {last} AND entry.shared < {letters}
    LIMIT {most_named} + 1
"""
NO_NAME = "SELECT NULL::uuid AS id, NULL::timestamptz AS created_at WHERE false"
# OFFSET has each row looked up in the index. PostgreSQL would hash all names, or all verifications
# of the status: 54,000 hits in a status took 0.6 s of CPU, and take 0.24 s (measured).
NOT_NAMED = """
    AND NOT EXISTS (
        SELECT FROM name_word AS word
        WHERE word.verification_id = entry.id AND word.organization_id = $1
            AND word.token BETWEEN {first} AND {last}
        OFFSET 0
    )
"""
# The primary key has all columns.
IN_STATUS = """
    AND EXISTS (
        SELECT FROM verification_in_status AS listed
        WHERE listed.organization_id = $1 AND listed.status = {status}
            AND listed.created_at = entry.created_at
            AND listed.verification_id = entry.id
        OFFSET 0
    )
"""
NOT_COVERED = "cardinality(entry.name_words) <> entry.hashes_covered"

# The few rarest grams of the search, by PostgreSQL's statistics. More grams exclude few further
# rows and cost time: the index took 87 ms for all twelve grams of "cliente-0005000", seven of which
# a million other texts contain, and 2 ms for four of them (measured).
RAREST = """
    SELECT array_agg(gram) AS grams, coalesce(min(share) FILTER (WHERE place = 1), 0) AS share
    FROM (
        SELECT gram, share, row_number() OVER (ORDER BY share NULLS FIRST) AS place
        FROM unnest({grams}::bigint[]) AS gram LEFT JOIN (
            SELECT unnest(most_common_elems::text::bigint[]) AS gram,
                   unnest(most_common_elem_freqs) AS share
            FROM pg_stats WHERE schemaname = current_schema
                AND tablename = 'verification_search' AND attname = 'grams'
        ) AS common USING (gram)
    ) AS ranked WHERE place = 1 OR place <= 4 AND coalesce(share, 0) < 0.05
"""
RAREST_GRAMS = f"(SELECT grams FROM ({RAREST}) AS rarest)"  # noqa: S608 (constants)
NO_GRAMS = "SELECT 0 AS share"
IS_EVERYWHERE = """
    SELECT {everywhere} <= share * (
        SELECT reltuples FROM pg_class WHERE oid = 'verification_search'::regclass
    ) AS is_everywhere FROM rarest
"""
# Returns the placeholder of a value: a caller's text is always a parameter.
Parameter = Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Where:
    """Other conditions of the list, as SQL."""

    # The placeholder of the status.
    status: str | None
    # About `entry`, each with AND before it.
    in_range: str
    # About `created_at` and `id`: the place of the page.
    after: str
    # False: the cursor has the total.
    is_counted: bool

    @property
    def filters(self) -> str:
        in_status = "" if self.status is None else IN_STATUS.format(status=self.status)
        return self.in_range + in_status


def statement(
    signer: Signer, organization_id: UUID, text: str, where: Where, parameter: Parameter
) -> str:
    """Return the query for a row with `total`, `is_exact` and `page`."""
    word = search_keys.only_word(text)
    grams = search_keys.grams(search_keys.folded(text), organization_id)
    identified = _identifiers(signer, organization_id, text, parameter)
    has_text = f"position({parameter(search_keys.folded(text))} IN entry.text) > 0"
    names = _names(signer, organization_id, text, parameter)
    hit = HIT.format(has_text=has_text, matches=" OR ".join([*identified, *names, has_text]))
    named, not_named = NO_NAME, ""
    most_named = MOST_NAMED if where.status is None else MOST_FOUND
    if word is not None:
        tokens = name_words.range_of(signer, organization_id, word)
        ends = {"first": parameter(tokens.first), "last": parameter(tokens.last)}
        letters = parameter(tokens.letters)
        named = NAMED.format(letters=letters, most_named=most_named, **ends)
        not_named = NOT_NAMED.format(**ends)
    others, rarest = SHORT_OTHERS, NO_GRAMS
    if grams:
        rarest = RAREST.format(grams=parameter(sorted(grams)))
        has_grams = "entry.grams @> (SELECT grams FROM rarest)"
        only = f"{NOT_COVERED} AND " if word is not None else ""
        ways = [*identified, *(f"({only}{way})" for way in names)]
        others = OTHERS.format(
            matches=" OR ".join([*ways, has_text]), found_by=" OR ".join([*ways, has_grams])
        )
    number = "(SELECT count(*) FROM named)" if where.filters else "number"
    return PAGE.format(
        rarest=rarest,
        is_everywhere=IS_EVERYWHERE.format(everywhere=EVERYWHERE),
        source=SOURCES[where.status is not None],
        in_status="" if where.status is None else f"AND entry.status = {where.status}",
        in_range=where.in_range,
        filters=where.filters,
        sample=SAMPLE,
        common=COMMON,
        common_word=COMMON if where.status or word is None else COMMON_WORD,
        most=NEWEST,
        most_found=MOST_FOUND,
        most_named=most_named,
        hit=hit,
        compared=COMPARED.format(most=NEWEST, sample=SAMPLE, hit=hit),
        has_older=HAS_OLDER.format(most=NEWEST),
        is_compared="(SELECT is_common FROM sample)" if grams else "true",
        is_short="false" if grams else "true",
        # The page alone, and the row after it.
        enough="" if where.is_counted else "LIMIT $2",
        # Reading the index twice costs less than keeping its rows, but joining them costs more.
        how="MATERIALIZED" if where.filters else "NOT MATERIALIZED",
        named=named,
        others=others,
        not_named=not_named,
        total=TOTAL.format(named=number) if where.is_counted else "NULL::bigint",
        after=where.after,
    )


def _identifiers(
    signer: Signer, organization_id: UUID, text: str, parameter: Parameter
) -> list[str]:
    hashes = search.hash_identifiers(signer, organization_id, identifiers_in(text))
    return [f"entry.name_words && {parameter(hashes)}::bigint[]"] if hashes else []


def _names(signer: Signer, organization_id: UUID, text: str, parameter: Parameter) -> list[str]:
    """Return the conditions for the words of a name."""
    ways = (
        search.hash_words(signer, organization_id, [text]),
        search.hash_typed_name(signer, organization_id, text),
    )
    return [f"entry.name_words @> {parameter(way)}::bigint[]" for way in ways if way]
