"""The statement of a search: its hits, the newest first, and their exact number.

A hit has the text, or all words of the name, the last one perhaps by its beginning, or is of the
identifier. A search of three letters or more uses the index on grams, which returns few rows that
are no hits; a shorter one scans the search texts of the organization. In both cases each text is
then compared with the full search. A search for one word of a name reads `name_word` instead: its
index counts tens of thousands of hits without their rows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from acredita.domain import search_keys
from acredita.domain.search_identifiers import identifiers_in
from acredita.kit.crypto import Signer
from acredita.resources.verifications import name_words, search

# $1 to $3: the organization, the number of rows, the offset. Total and page are from one snapshot.
PAGE = """
    WITH named AS {how} ({named}), others AS MATERIALIZED (
        SELECT entry.verification_id AS id, entry.created_at
        FROM verification_search AS entry
        WHERE entry.organization_id = $1 {filters} AND ({matches}) {not_named}
    )
    SELECT {total} AS total, ARRAY(
        SELECT ROW(id, status, external_id, created_at) FROM verification WHERE id IN (
            SELECT id FROM (SELECT * FROM named UNION ALL SELECT * FROM others) AS found
            WHERE {after} ORDER BY created_at DESC, id LIMIT $2 OFFSET $3
        ) ORDER BY created_at DESC, id
    ) AS page
"""
TOTAL = "(SELECT count(*) FROM named) + (SELECT count(*) FROM others)"
NAMED = """
    SELECT entry.verification_id AS id, entry.created_at FROM name_word AS entry
    WHERE entry.organization_id = $1 {filters}
        AND entry.token BETWEEN {first} AND {last} AND entry.shared < {letters}
"""
NO_NAME = "SELECT NULL::uuid AS id, NULL::timestamptz AS created_at WHERE false"
# OFFSET has each row looked up in the index. PostgreSQL would hash all names, or all verifications
# of the status: 54,000 hits in a status took 0.6 s of CPU, and take 0.24 s (measured).
NOT_NAMED = """
    AND NOT EXISTS (
        SELECT FROM name_word AS word
        WHERE word.verification_id = entry.verification_id AND word.organization_id = $1
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
            AND listed.verification_id = entry.verification_id
        OFFSET 0
    )
"""
NOT_COVERED = "cardinality(entry.name_words) <> entry.hashes_covered"

# The few rarest grams of the search, by PostgreSQL's statistics. More grams exclude few further
# rows and cost time: the index took 87 ms for all twelve grams of "cliente-0005000", seven of which
# a million other texts contain, and 2 ms for four of them (measured).
RAREST_GRAMS = """
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
    """Return the query for a row with `total` and `page`."""
    word = search_keys.only_word(text)
    matches = [
        *_identifiers(signer, organization_id, text, parameter),
        *_names(signer, organization_id, text, parameter, is_covered=word is not None),
        _text(organization_id, text, parameter),
    ]
    named, not_named = NO_NAME, ""
    if word is not None:
        tokens = name_words.range_of(signer, organization_id, word)
        ends = {"first": parameter(tokens.first), "last": parameter(tokens.last)}
        letters = parameter(tokens.letters)
        named = NAMED.format(filters=where.filters, letters=letters, **ends)
        not_named = NOT_NAMED.format(**ends)
    return PAGE.format(
        # Reading the index twice costs less than keeping its rows, but joining them costs more.
        how="NOT MATERIALIZED" if where.status is None else "MATERIALIZED",
        total=TOTAL if where.is_counted else "NULL::bigint",
        filters=where.filters,
        matches=" OR ".join(matches),
        named=named,
        not_named=not_named,
        after=where.after,
    )


def _identifiers(
    signer: Signer, organization_id: UUID, text: str, parameter: Parameter
) -> list[str]:
    hashes = search.hash_identifiers(signer, organization_id, identifiers_in(text))
    return [f"entry.name_words && {parameter(hashes)}::bigint[]"] if hashes else []


def _names(
    signer: Signer, organization_id: UUID, text: str, parameter: Parameter, *, is_covered: bool
) -> list[str]:
    """Return the conditions for the words of a name. `is_covered`: `name_word` has the word."""
    ways = (
        search.hash_words(signer, organization_id, [text]),
        search.hash_typed_name(signer, organization_id, text),
    )
    only = f"{NOT_COVERED} AND " if is_covered else ""
    return [f"({only}entry.name_words @> {parameter(way)}::bigint[])" for way in ways if way]


def _text(organization_id: UUID, text: str, parameter: Parameter) -> str:
    folded = search_keys.folded(text)
    condition = f"position({parameter(folded)} IN entry.text) > 0"
    if len(folded) < search_keys.GRAM:
        return condition
    grams = parameter(sorted(search_keys.grams(folded, organization_id)))
    return f"(entry.grams @> {RAREST_GRAMS.format(grams=grams)} AND {condition})"
