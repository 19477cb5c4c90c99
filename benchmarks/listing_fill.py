"""Fill a database with a million verifications in minutes, for benchmarks/listing.

PostgreSQL draws the rows itself. Like those of the service are: external ids, metadata, statuses,
dates, in whose order the rows are inserted, the tallies and the queue (triggers write them), texts
and their trigrams, the words of names with their hashes and tokens. A sample is compared with what
the service's functions return.

Unlike those of the service:
- The hashes of CURP, RFC, phone and e-mail are random numbers, but for the sample, whose
  identifiers are searched for. Hashes are evenly distributed, so the index is the same.
- The rows have no results, files or sealed columns: lists and searches read none.
- The indexes of the search tables are built after the rows, so they have no pending entries and
  their pages are as full as after a REINDEX.
"""

import json
import random
from dataclasses import dataclass
from itertools import accumulate
from string import ascii_uppercase
from typing import Any
from uuid import UUID

import asyncpg

from acredita.domain import search_keys
from acredita.domain.search_identifiers import IdentifierKind
from acredita.domain.verification import VerificationStatus
from acredita.kit.crypto import Signer
from acredita.resources.verifications.search import hash_identifiers
from benchmarks.listing_people import NameHashes, Names, PersonsName, given_names, surnames

PLANS = ("oro", "plata", "básico")
# The plan of all verifications that are older than OLD_DAYS, and of no other.
OLD_PLAN, OLD_DAYS, DAYS = "fundador", 10, 30
CITIES = ("Monterrey", "Guadalajara", "Mérida", "Tuxtla Gutiérrez", "Ciudad de México", "Xalapa")
# Of some eight hundred verifications in a million.
RARE_CITY, RARE_CITY_SHARE = "Villa de Cos", 0.0008
STATUSES = {
    VerificationStatus.APPROVED: 80,
    VerificationStatus.REJECTED: 8,
    VerificationStatus.MANUAL_REVIEW: 6,
    VerificationStatus.EXPIRED: 5.9,
    VerificationStatus.IN_PROGRESS: 0.1,
}
# Of so many the hashes of identifiers are the real ones.
SAMPLE = 1000
# Tables whose indexes and foreign keys are made after the rows.
SEARCHED = ("verification_search", "name_word")
LETTER = "chr(65 + floor(random() * 26)::integer)"
FUNCTIONS = """
    -- domain/search_keys.grams
    CREATE FUNCTION pg_temp.grams(text text, own bigint) RETURNS bigint[] LANGUAGE sql AS $$
        SELECT coalesce(array_agg(DISTINCT gram), '{}') FROM (
            SELECT ((first << 42) | (second << 21) | third) # own AS gram FROM (
                SELECT code AS first, lead(code) OVER places AS second,
                    lead(code, 2) OVER places AS third
                FROM (
                    SELECT ascii(letter)::bigint AS code, place
                    FROM string_to_table(text, NULL) WITH ORDINALITY AS letters (letter, place)
                ) AS codes WINDOW places AS (ORDER BY place)
            ) AS threes WHERE third IS NOT NULL AND 65 NOT IN (first, second, third)
        ) AS grams
    $$;
    -- name_words.shared_letters
    CREATE FUNCTION pg_temp.shared_letters(one bytea, other bytea) RETURNS integer
    LANGUAGE sql AS $$
        SELECT CASE WHEN one IS NULL OR substr(one, 1, 8) <> substr(other, 1, 8) THEN 0 ELSE (
            SELECT max(letters) FROM generate_series(3, 10) AS letters
            WHERE substr(one, 1, 8 + 4 * (letters - 3)) = substr(other, 1, 8 + 4 * (letters - 3))
        ) END
    $$
"""
DRAW = f"""
    CREATE TEMP TABLE drawn AS SELECT
        number, gen_random_uuid() AS id, 'cliente-' || lpad(number::text, 7, '0') AS external_id,
        created_at,
        statuses[1 + width_bucket(random(), shares[:cardinality(shares) - 1])] AS status,
        CASE WHEN created_at < now() - interval '{OLD_DAYS} days' THEN '{OLD_PLAN}'
             ELSE plans[1 + floor(random() * cardinality(plans))::integer] END AS plan,
        CASE WHEN random() < {RARE_CITY_SHARE} THEN '{RARE_CITY}'
             ELSE cities[1 + floor(random() * cardinality(cities))::integer] END AS city,
        {" || ".join([LETTER] * 4)} || lpad(floor(random() * 1e6)::text, 6, '0')
            || {" || ".join([LETTER] * 3)} AS rfc,
        floor(random() * 1e8)::bigint AS folio,
        1 + width_bucket(random(), given_shares) AS given,
        1 + width_bucket(random(), surname_shares) AS paternal,
        1 + width_bucket(random(), surname_shares) AS maternal
    FROM (
        SELECT number,
            now() - interval '{DAYS} days' * (1 - (number + random()) / $1::integer) AS created_at
        FROM generate_series(0, $1::integer - 1) AS number
    ) AS numbers, (
        SELECT $2::text[] AS statuses, $3::float8[] AS shares, $4::text[] AS plans,
            $5::text[] AS cities, $6::float8[] AS given_shares, $7::float8[] AS surname_shares
    ) AS chances
"""  # noqa: S608 (constants)
VERIFICATIONS = """
    INSERT INTO verification
        (id, organization_id, workflow_id, status, external_id, metadata, expires_at, created_at)
    SELECT id, $1, $2, status, external_id,
        jsonb_build_object('plan', plan, 'sucursal', city, 'rfc', rfc, 'folio', folio),
        created_at, created_at
    FROM drawn ORDER BY number
"""
SEARCH_ENTRIES = """
    INSERT INTO verification_search (verification_id, organization_id, created_at, text, grams,
        name_words, hashes_covered)
    SELECT id, $1, created_at, text, pg_temp.grams(text, $2), hashes, cardinality(hashes)
    FROM (
        SELECT id, number, created_at, external_id || 'A' || plan || 'A' || lower(city)
            || 'A' || lower(rfc) || 'A' || folio AS text,
            ARRAY(SELECT DISTINCT unnest(given.hashes || paternal.hashes || maternal.hashes))
            || coalesce(known.hashes, ARRAY(
                SELECT (random() * 9.2e18)::bigint FROM generate_series(1, 4) WHERE number >= 0
            )) AS hashes
        FROM drawn
            JOIN spoken AS given ON given.place = drawn.given AND given.is_given
            JOIN spoken AS paternal ON paternal.place = drawn.paternal AND NOT paternal.is_given
            JOIN spoken AS maternal ON maternal.place = drawn.maternal AND NOT maternal.is_given
            LEFT JOIN known USING (number)
        OFFSET 0
    ) AS entries ORDER BY number
"""
NAME_WORDS = """
    INSERT INTO name_word (organization_id, token, created_at, verification_id, shared)
    SELECT $1, token, created_at, id,
        pg_temp.shared_letters(lag(token) OVER (PARTITION BY id ORDER BY token), token)
    FROM (
        SELECT DISTINCT id, created_at, unnest(tokens) AS token FROM (
            SELECT id, created_at, given AS place, true AS is_given FROM drawn
            UNION ALL SELECT id, created_at, paternal, false FROM drawn
            UNION ALL SELECT id, created_at, maternal, false FROM drawn
        ) AS of_names JOIN spoken USING (place, is_given)
    ) AS words
"""
SAMPLED = """
    SELECT number, id, external_id, metadata, text, grams, given.name AS given,
        paternal.name AS paternal, maternal.name AS maternal, name_words,
        ARRAY(
            SELECT (token, shared) FROM name_word
            WHERE organization_id = $1 AND verification_id = id ORDER BY token
        ) AS tokens
    FROM known JOIN drawn USING (number) JOIN verification USING (id, external_id)
        JOIN verification_search AS entry ON verification_id = id
        JOIN spoken AS given ON given.place = drawn.given AND given.is_given
        JOIN spoken AS paternal ON paternal.place = drawn.paternal AND NOT paternal.is_given
        JOIN spoken AS maternal ON maternal.place = drawn.maternal AND NOT maternal.is_given
"""
# The cases of the queue, which triggers have made, get reasons, ages and holders.
QUEUE = """
    UPDATE verification_review SET
        waiting_since = verification.created_at,
        reasons = ARRAY[CASE WHEN draw % 4 = 0 THEN 'FACE_UNCERTAIN' ELSE 'DOCUMENT_EXPIRED' END],
        lease_owner = CASE WHEN draw % 50 = 0 THEN reviewer.id END,
        lease_until = CASE WHEN draw % 50 = 0 THEN now() + interval '1 day' END
    FROM (SELECT id, created_at, abs(hashtext(id::text)) AS draw FROM verification)
            AS verification,
        (SELECT id FROM user_account LIMIT 1) AS reviewer
    WHERE verification.id = verification_id
"""
# What makes each constraint and index of the search tables, the primary keys first.
MADE_AFTER = """
    SELECT drop, make FROM (
        SELECT contype <> 'p' AS is_later,
            format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
                pg_get_constraintdef(oid)) AS make
        FROM pg_constraint WHERE conrelid = ANY ($1::regclass[]) AND contype IN ('p', 'f')
        UNION ALL
        SELECT true, format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
        FROM pg_index WHERE indrelid = ANY ($1::regclass[]) AND NOT indisprimary
    ) AS made ORDER BY is_later
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A verification to search for."""

    external_id: str
    metadata: dict[str, Any]
    name: PersonsName
    # As documents and confirmed codes give them: hashes alone are stored.
    identifiers: dict[IdentifierKind, str]


class RowsDiffer(Exception):
    """A row is not what the service would have written."""


def identifiers(number: int, chance: random.Random) -> dict[IdentifierKind, str]:
    letters = "".join(chance.choices(ascii_uppercase, k=4))
    homonym = "".join(chance.choices(ascii_uppercase, k=3))
    return {
        IdentifierKind.CURP: f"{letters}{number % 10**6:06}HDF{homonym}0{number % 10}",
        IdentifierKind.RFC: f"{letters}{number % 10**6:06}AB{number % 10}",
        IdentifierKind.PHONE: f"+5255{number % 10**8:08}",
        IdentifierKind.EMAIL: f"persona-{number}@correo.example",
    }


async def fill(
    url: str, signer: Signer, organization_id: UUID, workflow_id: UUID, count: int
) -> list[Row]:
    """Insert `count` verifications of the last DAYS days. Return a sample of them.

    Raise RowsDiffer if one of the sample is not what the service would have written.
    """
    chance = random.Random(1)
    connection = await asyncpg.connect(url)
    known = {
        number: identifiers(number, chance)
        for number in sorted(chance.sample(range(count), min(SAMPLE, count)))
    }
    try:
        await connection.execute("SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'")
        await connection.execute(FUNCTIONS)
        names = NameHashes(signer, organization_id)
        await _draw(connection, names, count, (given_names(), surnames(chance)))
        await connection.execute("CREATE TEMP TABLE known (number bigint, hashes bigint[])")
        await connection.copy_records_to_table(
            "known",
            records=[
                (number, hash_identifiers(signer, organization_id, each.items()))
                for number, each in known.items()
            ],
        )
        await connection.execute("ANALYZE drawn; ANALYZE spoken; ANALYZE known")
        later = await connection.fetch(MADE_AFTER, SEARCHED)
        for row in reversed(later):
            await connection.execute(row["drop"])
        own = int.from_bytes(organization_id.bytes[8:]) >> 1
        await connection.execute(VERIFICATIONS, organization_id, workflow_id)
        await connection.execute(SEARCH_ENTRIES, organization_id, own)
        await connection.execute(NAME_WORDS, organization_id)
        for row in later:
            await connection.execute(row["make"])
        await connection.execute(QUEUE)
        await connection.execute("VACUUM ANALYZE")
        found = await connection.fetch(SAMPLED, organization_id)
    finally:
        await connection.close()
    return [_checked(row, known[row["number"]], names, signer, organization_id) for row in found]


async def _draw(
    connection: asyncpg.Connection, hashes: NameHashes, count: int, names: tuple[Names, Names]
) -> None:
    await connection.execute(
        "CREATE TEMP TABLE spoken (place integer, is_given boolean, name text, hashes bigint[],"
        " tokens bytea[])"
    )
    await connection.copy_records_to_table(
        "spoken",
        records=[
            (
                place, is_given, name, sorted(hashes.hashes(name)),
                [token for token, _ in hashes.tokens(name)],
            )
            for is_given, each in zip((True, False), names, strict=True)
            for place, name in enumerate(each.names, 1)
        ],
    )  # fmt: skip
    given, last = names
    await connection.execute(
        DRAW,
        count,
        [status.value for status in STATUSES],
        [share / 100 for share in accumulate(STATUSES.values())],
        PLANS,
        CITIES,
        given.shares_so_far[:-1],
        last.shares_so_far[:-1],
    )


def _checked(
    row: asyncpg.Record,
    known: dict[IdentifierKind, str],
    names: NameHashes,
    signer: Signer,
    organization_id: UUID,
) -> Row:
    """Compare a row of the sample with what the service's functions return for it."""
    metadata = json.loads(row["metadata"])
    name = PersonsName(row["given"], row["paternal"], row["maternal"])
    in_order = {key: metadata[key] for key in ("plan", "sucursal", "rfc", "folio")}
    text = search_keys.searchable(row["external_id"], in_order)
    hashes = {
        *names.hashes(str(name)),
        *hash_identifiers(signer, organization_id, known.items()),
    }
    if (
        row["text"] != text
        or {*row["grams"]} != search_keys.grams(text, organization_id)
        or sorted(row["name_words"]) != sorted(hashes)
        or [*map(tuple, row["tokens"])] != names.tokens(str(name))
    ):
        raise RowsDiffer(f"{text}, {name}")
    return Row(row["external_id"], metadata, name, known)
