"""The organization is in the keys of its rows, so no row can refer to another organization's."""

import asyncio

import asyncpg
import pytest
from alembic.util import CommandError
from sqlalchemy import Engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError

from acredita.kit.db import Within, is_contended
from acredita.kit.migrations import upgrade
from acredita.models import Base

# A value finds these rows before their organization is known. It is unique over all organizations.
FOUND_BEFORE = {
    "api_key": "by the prefix of a key",
    "capture_link": "by the token of a link",
    "identity_provider": "by the sign-in that a browser has begun",
    "metamap_alias": "by a chosen id",
    "passkey": "by the id of a credential",
    "user_account": "by an address",
    "user_session": "by the token of a cookie",
}
OF_THE_INSTALLATION = {"job", "job_finished", "work_tally"}
# The former release groups by its key.
UNTIL_THE_NEXT_RELEASE = {"training_batch"}
# The primary keys, unique indexes and foreign keys that lack the organization. An index `former_…`
# is for the upserts of the former release, and goes with the next one.
KEYS_WITHOUT = text("""
    WITH owned AS (
        SELECT attrelid AS id, attnum AS number, relname AS name
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE attname = 'organization_id' AND relkind IN ('r', 'p') AND NOT relispartition
          AND relnamespace = current_schema()::regnamespace
    )
    SELECT name, indexrelid::regclass::text FROM owned JOIN pg_index ON indrelid = id
    WHERE indisunique AND NOT number = ANY (indkey) AND name <> ALL (:apart)
      AND indexrelid::regclass::text NOT LIKE 'former\\_%'
    UNION ALL
    SELECT child.name, conname FROM owned AS child
    JOIN pg_constraint ON conrelid = child.id JOIN owned AS parent ON parent.id = confrelid
    WHERE contype = 'f' AND NOT child.number = ANY (conkey) AND child.name <> ALL (:installation)
      AND parent.name <> ALL (:found_before)
""")
PRIMARY_KEYS = text("""
    SELECT relname, array_agg(attname::text ORDER BY place)
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    CROSS JOIN unnest(indkey) WITH ORDINALITY AS key (number, place)
    JOIN pg_attribute ON attrelid = indrelid AND attnum = number
    WHERE indisprimary AND NOT relispartition AND relnamespace = current_schema()::regnamespace
    GROUP BY relname
""")


async def test_every_key_and_reference_of_an_organizations_rows_has_the_organization(services):
    named = {
        "apart": [*FOUND_BEFORE, *OF_THE_INSTALLATION, *UNTIL_THE_NEXT_RELEASE],
        "found_before": list(FOUND_BEFORE),
        "installation": list(OF_THE_INSTALLATION),
    }
    async with services.database.reading() as connection:
        assert (await connection.execute(KEYS_WITHOUT, named)).all() == []
        primary_keys = dict((await connection.execute(PRIMARY_KEYS)).all())
    del primary_keys["alembic_version"]
    # Alembic does not compare primary keys.
    assert primary_keys == {
        name: list(table.primary_key.columns.keys()) for name, table in Base.metadata.tables.items()
    }


def test_a_session_identifies_a_row_without_its_organization():
    for mapper in Base.registry.mappers:
        *first, last = mapper.local_table.primary_key
        if first and last.name == "organization_id":
            assert list(mapper.primary_key) == first


MINE, RIVAL = "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11", "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a12"
# An organization with a workflow and a verification. All three have the same id.
ORGANIZATION = """
    INSERT INTO organization (id, name, slug) VALUES ('{0}', 'x', '{0}');
    INSERT INTO workflow (id, organization_id, name, steps) VALUES ('{0}', '{0}', 'x', '[]');
    INSERT INTO verification (id, organization_id, workflow_id, status, expires_at)
    VALUES ('{0}', '{0}', '{0}', 'PENDING', now());
"""
# Rows of an organization that name a verification.
ROWS = {
    "document": """
        INSERT INTO document (id, organization_id, verification_id, type, mime_type, file_size,
                              sha256, storage_key, data_key_sealed)
        VALUES (gen_random_uuid(), '{organization}', '{verification}', 'front', 'x', 1, '',
                gen_random_uuid()::text, '')
    """,
    "event": """
        INSERT INTO event (id, organization_id, verification_id, kind, data)
        VALUES (gen_random_uuid(), '{organization}', '{verification}', 'x', '')
    """,
    "verification": """
        INSERT INTO verification (id, organization_id, workflow_id, status, expires_at)
        VALUES (gen_random_uuid(), '{organization}', '{verification}', 'PENDING', now())
    """,
    "verification_step": """
        INSERT INTO verification_step
            (id, organization_id, verification_id, position, type, config, status)
        VALUES (gen_random_uuid(), '{organization}', '{verification}', 0, 'LIVENESS', '{{}}',
                'PENDING')
    """,
    "aml_screening": """
        INSERT INTO aml_screening (id, organization_id, verification_id, caller_type, caller_id,
            lists, threshold, engine_version, matches, is_complete, is_sandbox, question_sealed,
            answer_sealed)
        VALUES (gen_random_uuid(), '{organization}', '{verification}', 'client',
                gen_random_uuid(), '[]', 1, 'x', 0, true, true, '', '')
    """,
}


async def test_the_database_refuses_a_row_that_names_another_organizations_row(services):
    async with services.database.transaction() as session:
        for organization in (MINE, RIVAL):
            for statement in ORGANIZATION.format(organization).split(";")[:-1]:
                await session.execute(text(statement))
        for table, row in ROWS.items():
            await session.execute(text(row.format(organization=RIVAL, verification=RIVAL)))
            with pytest.raises(IntegrityError, match=f"fk_{table}.*organization_id"):
                async with session.begin_nested():
                    await session.execute(text(row.format(organization=RIVAL, verification=MINE)))


# Rows of the former release in tables of all kinds: partitioned, with a unique index of some rows,
# and with references that a deletion sets to null.
FORMER_ROWS = """
    INSERT INTO policy (id, organization_id, name) VALUES ('{0}', '{0}', 'x');
    INSERT INTO policy_version (id, organization_id, policy_id, version, status, document, digest,
                                author_type, author_id)
    VALUES ('{0}', '{0}', '{0}', 1, 'DRAFT', '{{}}', '', 'user', '{0}');
    INSERT INTO webhook_endpoint (id, organization_id, url, events, secret_sealed)
    VALUES ('{0}', '{0}', 'https://x', '{{}}', '');
    INSERT INTO delivery (id, organization_id, event_id, endpoint_id, receiver_id)
    SELECT id, organization_id, id, '{0}', '{0}' FROM event WHERE organization_id = '{0}';
    INSERT INTO training_batch (id, organization_id, name) VALUES ('{0}', '{0}', 'x');
    INSERT INTO training_item (document_id, organization_id, verification_id, read_type,
        engine_version, rules_version, lowest_confidence, disagreements, hit_rate, metamap_status,
        batch_id)
    SELECT id, organization_id, verification_id, 'x', 'x', 'x', 1, 0, 1, 'x', organization_id
    FROM document WHERE organization_id = '{0}';
"""
# What an interrupted CREATE INDEX CONCURRENTLY leaves.
UNFINISHED_INDEX = """
    CREATE UNIQUE INDEX pk_document_new ON document (id, organization_id, storage_key);
    UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'pk_document_new'::regclass;
"""
FOREIGN_EVENT = ROWS["event"].format(organization=MINE, verification=RIVAL)
UNFINISHED = """
    SELECT conname FROM pg_constraint WHERE NOT convalidated
    UNION ALL SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid
    UNION ALL SELECT relname FROM pg_class WHERE relname ~ '^(pk|uq)_.*_new$'
"""
# How many changes of the schema a run makes before it is interrupted.
CHANGES = 100


class Interruption(Exception):
    """Ends a run of migrations."""


def upgrade_in_part(url):
    """Return whether the migrations came to their end."""
    changes = 0

    def count(_connection, _cursor, statement, *_):
        nonlocal changes
        changes += statement.lstrip().startswith(("CREATE UNIQUE", "DROP INDEX", "DO $$", "ALTER"))
        if changes > CHANGES:
            raise Interruption

    event.listen(Engine, "before_cursor_execute", count)
    try:
        upgrade(url)
    except Interruption:
        return False
    finally:
        event.remove(Engine, "before_cursor_execute", count)
    return True


async def test_keys_of_tables_in_use_change_also_after_interrupted_runs(database_at):
    database_url = await database_at("0059")
    address = make_url(database_url).set(drivername="postgresql")
    connection = await asyncpg.connect(address.render_as_string(hide_password=False))
    try:
        for one in (MINE, RIVAL):
            await connection.execute(ORGANIZATION.format(one))
            for table in ("document", "event"):
                await connection.execute(ROWS[table].format(organization=one, verification=one))
            await connection.execute(FORMER_ROWS.format(one))
        await connection.execute(UNFINISHED_INDEX)
        await connection.execute(FOREIGN_EVENT)
        with pytest.raises(CommandError, match="refer to a row of another organization"):
            await asyncio.to_thread(upgrade, database_url)
        await connection.execute(
            "DELETE FROM event USING verification WHERE verification.id = verification_id"
            " AND event.organization_id <> verification.organization_id"
        )
        runs = 1
        while not await asyncio.to_thread(upgrade_in_part, database_url):
            runs += 1
        assert runs > 1
        assert await connection.fetch(UNFINISHED) == []
        await connection.execute("DELETE FROM training_batch")
        kept = "SELECT count(*) FROM training_item WHERE batch_id IS NULL"
        assert await connection.fetchval(kept) == 2
    finally:
        await connection.close()


# Before the key, an expression makes the time in which another transaction adds the same row.
TWO_KEYS = (
    """CREATE FUNCTION slowly(id int) RETURNS int IMMUTABLE LANGUAGE plpgsql
       AS 'BEGIN PERFORM pg_sleep(0.1); RETURN id; END'""",
    "CREATE TABLE kept (id int, organization_id int, times int)",
    "CREATE INDEX slow_kept ON kept (slowly(id))",
    "ALTER TABLE kept ADD PRIMARY KEY (id, organization_id)",
    "CREATE UNIQUE INDEX former_kept ON kept (id)",
)
KEEP = """
    INSERT INTO kept VALUES ($1, $2, 1)
    ON CONFLICT (id, organization_id) DO UPDATE SET times = kept.times + 1
"""


async def test_a_row_that_statements_add_at_once_is_added_once(services):
    try:
        for statement in TWO_KEYS:
            await services.writes.row(statement)
        await asyncio.gather(*(services.writes.row(KEEP, 1, 1) for _ in range(2)))
        assert list(await services.writes.row("SELECT * FROM kept")) == [1, 1, 2]
        # No repetition mends a row of another organization.
        with pytest.raises(asyncpg.UniqueViolationError) as caught:
            await services.writes.row(KEEP, 1, 2)
        assert is_contended(caught.value)
        with pytest.raises(IntegrityError) as caught:
            async with services.database.transaction() as session:
                await Within(session).row(KEEP, 1, 2)
        assert is_contended(caught.value)
    finally:
        await services.writes.row("DROP TABLE IF EXISTS kept")
        await services.writes.row("DROP FUNCTION IF EXISTS slowly")
