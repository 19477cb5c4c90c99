"""Up from nothing, down to nothing, and up again; the models and the schema agree."""

import asyncio
import os
import sys

import asyncpg
import pytest
from alembic import command
from sqlalchemy.engine import make_url
from typer.testing import CliRunner

from acredita.cli import app
from acredita.kit.crypto import Signer
from acredita.kit.db import Database
from acredita.kit.migrations import configuration, downgrade, upgrade
from acredita.resources.audit.chain_check import verify
from acredita.resources.audit.chaining import chain_all
from acredita.settings import Settings

TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"


def _plain(url):
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


async def count_tables(url):
    connection = await asyncpg.connect(_plain(url))
    try:
        return await connection.fetchval(TABLES)
    finally:
        await connection.close()


async def test_the_schema_goes_up_from_nothing_down_to_nothing_and_up_again(empty_database):
    assert await count_tables(empty_database) == 0
    await asyncio.to_thread(upgrade, empty_database)
    tables = await count_tables(empty_database)
    assert tables > 10
    await asyncio.to_thread(command.check, configuration(empty_database))
    await asyncio.to_thread(downgrade, empty_database, "base")
    assert await count_tables(empty_database) == 1, "alembic's own table alone is left"
    await asyncio.to_thread(upgrade, empty_database)
    assert await count_tables(empty_database) == tables


ORGANIZATION = "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"
VERIFICATIONS = """
    INSERT INTO verification (id, organization_id, workflow_id, status, expires_at)
    SELECT gen_random_uuid(), $1, $1, (ARRAY['PENDING', 'APPROVED', 'REJECTED'])[n % 3 + 1], now()
    FROM generate_series(1, 12000) AS n
"""


async def test_existing_verifications_get_their_rows_by_status(database_at):
    database_url = await database_at("0021")
    connection = await asyncpg.connect(_plain(database_url))
    try:
        await connection.execute(
            "INSERT INTO organization (id, name, slug) VALUES ($1, 'x', 'x')", ORGANIZATION
        )
        await connection.execute(
            "INSERT INTO workflow (id, organization_id, name, steps) VALUES ($1, $1, 'x', '[]')",
            ORGANIZATION,
        )
        await connection.execute(VERIFICATIONS, ORGANIZATION)
        await asyncio.to_thread(upgrade, database_url, "0022")
        await connection.execute(
            "UPDATE verification SET status = 'EXPIRED' WHERE status = 'PENDING'"
        )
        differ = await connection.fetchval(
            "SELECT count(*) FROM verification FULL JOIN verification_in_status AS kept"
            " ON verification_id = id AND kept.status = verification.status"
            " AND kept.created_at = verification.created_at"
            " WHERE num_nulls(id, verification_id) = 1"
        )
        counts = await connection.fetch(
            "SELECT status, count(*) FROM verification_in_status GROUP BY 1 ORDER BY 1"
        )
    finally:
        await connection.close()
    assert differ == 0
    assert [tuple(row) for row in counts] == [
        ("APPROVED", 4000),
        ("EXPIRED", 4000),
        ("REJECTED", 4000),
    ]


RECORD = """
    INSERT INTO audit_log
        (id, organization_id, actor_type, action, resource_type, resource_id, details)
    SELECT gen_random_uuid(), $1, 'service', 'workflow.created', 'workflow', gen_random_uuid(), '{}'
    FROM generate_series(1, 3)
"""
FORGE = """
    ALTER TABLE audit_log DISABLE TRIGGER USER;
    UPDATE audit_log SET details = '{"x":1}' WHERE position = 2;
    ALTER TABLE audit_log ENABLE TRIGGER USER;
"""


async def test_chains_of_former_releases_stay_verifiable_and_are_continued_with_keyed_hashes(
    database_at,
):
    database_url = await database_at("0022")
    connection = await asyncpg.connect(_plain(database_url))
    await connection.execute(
        "INSERT INTO organization (id, name, slug) VALUES ($1, 'x', 'x')", ORGANIZATION
    )
    await connection.execute(RECORD, ORGANIZATION)
    await asyncio.to_thread(upgrade, database_url)
    await connection.execute(RECORD, ORGANIZATION)
    signer = Signer(Settings().secret_key.get_secret_value())
    database = Database(database_url, pool_size=2, statement_timeout=10)
    try:
        assert await chain_all(database, signer) == 3

        async def verdict(signer=signer):
            async with database.engine.connect() as session:
                return [(v.entries, v.bad_position) async for v in verify(session, signer)]

        assert await verdict() == [(6, None)]
        # With another key, neither the head nor the keyed hashes are genuine.
        assert await verdict(Signer("another secret")) == [(0, 3)]
        await connection.execute(FORGE)
        assert await verdict() == [(1, 2)]
    finally:
        await database.dispose()
        await connection.close()


# One event a minute over the last four months, with two deliveries of one attempt each.
FILL = """
    CREATE FUNCTION uuid7(moment timestamptz) RETURNS uuid LANGUAGE sql AS $$
        SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '7000'
                || substr(md5(random()::text), 1, 16))::uuid
    $$;
    CREATE TEMP TABLE made AS SELECT uuid7(at) AS id, at
        FROM generate_series(now() - interval '4 months', now(), interval '{every}') AS at;
    INSERT INTO event (id, organization_id, kind, data, created_at)
        SELECT id, '{organization}', 'verification.created', '{{}}', at FROM made;
    INSERT INTO delivery (id, organization_id, event_id, receiver_id, endpoint_id, state,
                          created_at, finished_at)
        SELECT gen_random_uuid(), '{organization}', made.id, endpoint.id, endpoint.id, 'delivered',
               at, at
        FROM made CROSS JOIN webhook_endpoint AS endpoint;
    INSERT INTO delivery_attempt (id, delivery_id, number, duration_ms, created_at)
        SELECT uuid7(created_at), id, 1, 5, created_at FROM delivery;
"""
ENDPOINTS = """
    INSERT INTO webhook_endpoint (id, organization_id, url, events, secret_sealed)
    SELECT gen_random_uuid(), $1, 'https://x', '{}', '' FROM generate_series(1, 2)
"""
TOTALS = """
    SELECT (SELECT count(*) FROM event) AS event, (SELECT count(*) FROM delivery) AS delivery,
           (SELECT count(*) FROM delivery_attempt) AS delivery_attempt
"""
# As if each month had had its partition from the start.
SPLIT = """
    DO $$ DECLARE parent text; month timestamptz; BEGIN
        SET LOCAL timezone = 'UTC';
        FOREACH parent IN ARRAY ARRAY['event', 'delivery', 'delivery_attempt'] LOOP
            EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, parent || '_before');
            FOR month IN SELECT generate_series(date_trunc('month', now() - interval '4 months'),
                    date_trunc('month', now()), interval '1 month') LOOP
                EXECUTE format(
                    'CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
                    parent || to_char(month, '_YYYY_MM'), parent, first_uuid7(month),
                    first_uuid7(month + interval '1 month'));
            END LOOP;
            EXECUTE format('INSERT INTO %I SELECT * FROM %I', parent, parent || '_before');
            EXECUTE format('DROP TABLE %I', parent || '_before');
        END LOOP;
    END $$
"""
FORMER_ATTEMPT = """
    INSERT INTO delivery_attempt (id, delivery_id, number, duration_ms, created_at)
    SELECT uuid7(created_at), id, 2, 5, created_at FROM delivery LIMIT 1
"""
YOUNGER = """
    SELECT count(*) FROM event
    WHERE id >= first_uuid7(date_trunc('month', now() AT TIME ZONE 'UTC' - interval '60 days')
                            AT TIME ZONE 'UTC')
"""


async def test_an_existing_log_becomes_the_first_partition_and_old_months_are_dropped(
    database_at,
):
    database_url = await database_at("0024")
    connection = await asyncpg.connect(_plain(database_url))
    try:
        await connection.execute(
            "INSERT INTO organization (id, name, slug) VALUES ($1, 'x', 'x')", ORGANIZATION
        )
        await connection.execute(ENDPOINTS, ORGANIZATION)
        await connection.execute(FILL.format(every="20 minutes", organization=ORGANIZATION))
        before = await connection.fetchrow(TOTALS)
        assert before["event"] > 8000
        await asyncio.to_thread(upgrade, database_url)
        assert await connection.fetchrow(TOTALS) == before
        assert await connection.fetchval("SELECT count(*) FROM ONLY event_before") == before[0]
        # In more than one batch, and in rows of the former release.
        assert before["delivery_attempt"] > 10_000
        await connection.execute(FORMER_ATTEMPT)
        assert await connection.fetchval(
            "SELECT bool_and(organization_id = $1) FROM delivery_attempt", ORGANIZATION
        )
        await connection.execute("DELETE FROM delivery_attempt WHERE number = 2")
        # The current month's rows go to the first partition; each later month has its own.
        await connection.execute(
            "INSERT INTO event (id, organization_id, kind, data)"
            " SELECT first_uuid7(now() + month * interval '1 month'), $1, 'x', ''"
            " FROM generate_series(0, 5) AS month",
            ORGANIZATION,
        )
        filled = await connection.fetch(
            "SELECT tableoid::regclass::text AS name, count(*) FROM event GROUP BY 1 ORDER BY 1"
        )
        assert [row["count"] for row in filled] == [1, 1, 1, 1, before[0] + 1, 1]
        assert filled[-1]["name"] == "event_rest"
        assert await connection.fetchrow("SELECT * FROM keep_partitions(now())") == (0, 0)
        await connection.execute(SPLIT)
        whole = await connection.fetchrow(TOTALS)
        kept = await connection.fetchval(YOUNGER)
        keep = "SELECT * FROM keep_partitions(now() - interval '60 days')"
        added, dropped = await connection.fetchrow(keep)
        assert added == 0
        assert dropped in (6, 9)
        after = await connection.fetchrow(TOTALS)
        assert after["event"] == kept < whole["event"]
        # Of each event that is left, everything is left.
        assert (
            await connection.fetchval(
                "SELECT count(*) FROM delivery WHERE event_id NOT IN (SELECT id FROM event)"
            )
            == 0
        )
        assert after["delivery"] == after["delivery_attempt"]
        assert await connection.fetchrow(keep) == (0, 0)
    finally:
        await connection.close()


JOBS = """
    INSERT INTO job (id, kind, payload, queue, organization_id, run_at, max_attempts, state)
    SELECT gen_random_uuid(), 'x', '{}', 'engines', $1, now() - n * interval '1 second', 5,
           (ARRAY['pending', 'done', 'dead'])[n % 3 + 1]
    FROM generate_series(1, 3000) AS n
"""
# Each statement changes the sums of jobs and of deliveries.
CHANGES = (
    "UPDATE job SET state = 'dead' WHERE id = (SELECT id FROM job WHERE state = 'pending' LIMIT 1)",
    """
    UPDATE delivery SET state = 'delivered', finished_at = now()
    WHERE id = (SELECT id FROM delivery WHERE state = 'pending' LIMIT 1)
    """,
    "DELETE FROM job WHERE id = (SELECT id FROM job WHERE state = 'dead' LIMIT 1)",
)
WAITING = "UPDATE delivery SET state = 'pending', finished_at = NULL WHERE id::text < '4'"
DIFFERENCES = """
    SELECT * FROM (
        SELECT queue, state, count(*) FROM job WHERE state IN ('pending', 'dead') GROUP BY 1, 2
        UNION ALL
        SELECT 'deliveries', state, count(*) FROM delivery
        WHERE state = 'pending' OR finished_at > now() - interval '2 days' GROUP BY 1, 2
    ) AS counted (queue, state, number)
    FULL JOIN (SELECT queue, state, sum(change) AS number FROM work_tally GROUP BY 1, 2) AS kept
    USING (queue, state) WHERE counted.number IS DISTINCT FROM kept.number AND kept.number <> 0
"""


async def change_for_ever(url, changed):
    connection = await asyncpg.connect(_plain(url))
    try:
        while True:
            for statement in CHANGES:
                await connection.execute(statement)
            changed.append(1)
            # Without a pause, this takes more of the processor than the migrations.
            await asyncio.sleep(0.005)
    finally:
        await connection.close()


async def test_work_is_counted_exactly_while_it_changes_and_also_after_a_failed_run(
    database_at, monkeypatch
):
    database_url = await database_at("0025")
    connection = await asyncpg.connect(_plain(database_url))
    await connection.execute(
        "INSERT INTO organization (id, name, slug) VALUES ($1, 'x', 'x')", ORGANIZATION
    )
    await connection.execute(ENDPOINTS, ORGANIZATION)
    await connection.execute(FILL.format(every="1 hour", organization=ORGANIZATION))
    await connection.execute(WAITING)
    await connection.execute(JOBS, ORGANIZATION)
    changed = []
    changing = asyncio.create_task(change_for_ever(database_url, changed))
    try:
        await asyncio.to_thread(upgrade, database_url, "0027")
        # What a run leaves that failed later.
        await connection.execute("CREATE TABLE work_tally ()")
        await connection.execute("CREATE INDEX ix_delivery_new ON delivery (next_at)")
        await asyncio.to_thread(upgrade, database_url)
        before = len(changed)
        while len(changed) < before + 5:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    finally:
        changing.cancel()
        await asyncio.gather(changing, return_exceptions=True)
    assert before > 0
    try:
        assert await connection.fetch(DIFFERENCES) == []
        # The partitions' indexes are those of their parent.
        assert await connection.fetchval(
            "SELECT bool_and(indisvalid) AND count(*) > 5 FROM pg_index"
            " JOIN pg_class ON pg_class.oid = indexrelid WHERE relname LIKE 'ix\\_delivery%new'"
        )
    finally:
        await connection.close()


# One organization whose verification has a step, a history and a monitored match of a list.
MONITORED = """
    INSERT INTO organization (id, name, slug) VALUES ('{id}', 'x', 'x');
    INSERT INTO workflow (id, organization_id, name, steps) VALUES ('{id}', '{id}', 'x', '[]');
    INSERT INTO verification (id, organization_id, workflow_id, status, expires_at)
        VALUES ('{id}', '{id}', '{id}', 'PENDING', now());
    INSERT INTO verification_step (id, verification_id, position, type, config, status)
        VALUES ('{id}', '{id}', 0, 'LIVENESS', '{{}}', 'PENDING');
    INSERT INTO verification_history
        (id, organization_id, verification_id, kind, actor_type, details)
        VALUES ('{id}', '{id}', '{id}', 'verification.decided', 'service', '{{}}');
    INSERT INTO aml_list (id, name, publisher, format, validators)
        VALUES ('un', 'x', 'x', 'x', '{{"etag": "1"}}');
    INSERT INTO aml_entity (list_id, source_id, entity_type, standing, names, countries,
                            dates_of_birth, identifiers, programs, row_hash, changed_version)
        VALUES ('un', '1', 'person', 'listed', '[]', '{{}}', '{{}}', '[]', '{{}}', '', 1);
    INSERT INTO aml_monitor
        (id, organization_id, verification_id, state, subject_sealed, started_at, ends_at)
        VALUES ('{id}', '{id}', '{id}', 'active', '', now(), now());
    INSERT INTO aml_monitor_match (id, organization_id, monitor_id, entity_id, score,
                                   announced_score, announced_at, seen_at, row_hash)
        SELECT '{id}', '{id}', '{id}', id, 1, 1, now(), now(), '' FROM aml_entity;
"""
# What a run leaves that failed after it had prepared these tables.
PREPARED = """
    ALTER TABLE verification_step ADD CONSTRAINT ck_verification_step_type_known_new CHECK (true);
    ALTER TABLE aml_entity ADD COLUMN cluster_id bigint;
    CREATE INDEX ix_aml_entity_cluster_id ON aml_entity (cluster_id);
    ALTER TABLE aml_monitor_match ADD COLUMN hit_id uuid;
    CREATE INDEX ix_aml_monitor_match_hit_id ON aml_monitor_match (id);
"""
ADMITTED = """
    UPDATE verification_step SET type = 'OTP';
    INSERT INTO verification_history
        (id, organization_id, verification_id, kind, actor_type, details)
        SELECT gen_random_uuid(), id, id, 'verification.pictures_asked_again', 'service', '{}'
        FROM verification;
"""
# Rows without their organization: a step from before, and an identity of the former release.
OF_FORMER_RELEASE = """
    WITH added AS (
        INSERT INTO metamap_identity (verification_id, identity_id)
        SELECT id, id FROM verification RETURNING organization_id
    )
    SELECT count(*) FILTER (
        WHERE found.organization_id IS DISTINCT FROM verification.organization_id)
    FROM verification, (
        SELECT organization_id FROM added UNION ALL SELECT organization_id FROM verification_step
    ) AS found
"""
UNKNOWN = """
    INSERT INTO {table} SELECT (jsonb_populate_record(known, '{{"type": "X", "kind": "X"}}')).*
    FROM {table} AS known LIMIT 1
"""


async def test_steps_history_and_watchlists_in_use_are_migrated_also_after_a_failed_run(
    database_at,
):
    database_url = await database_at("0029")
    connection = await asyncpg.connect(_plain(database_url))
    try:
        await connection.execute(MONITORED.format(id=ORGANIZATION))
        await connection.execute(PREPARED)
        await asyncio.to_thread(upgrade, database_url)
        await asyncio.to_thread(command.check, configuration(database_url))
        assert await connection.fetchval(OF_FORMER_RELEASE) == 0
        await connection.execute(ADMITTED)
        for table in ("verification_step", "verification_history"):
            with pytest.raises(asyncpg.CheckViolationError):
                await connection.execute(UNKNOWN.format(table=table))
        assert await connection.fetchval("SELECT validators FROM aml_list") == "{}"
        kept = "SELECT details, link_keys, cluster_id, hit_id FROM aml_entity, aml_monitor_match"
        assert tuple(await connection.fetchrow(kept)) == ("{}", [], None, None)
        assert not await connection.fetch("SELECT FROM pg_constraint WHERE NOT convalidated")
        assert not await connection.fetch("SELECT FROM pg_index WHERE NOT indisvalid")
    finally:
        await connection.close()


LOCKS = """
    SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE locktype = 'advisory' AND granted AND datname = current_database()
"""


async def test_two_migrations_at_once_take_turns(empty_database):
    environment = os.environ | {"ACREDITA_DATABASE_URL": empty_database}
    first = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "acredita.cli", "migrate", env=environment
    )
    connection = await asyncpg.connect(_plain(empty_database))
    try:
        while not await connection.fetchval(LOCKS):
            assert first.returncode is None
            await asyncio.sleep(0.01)
    finally:
        await connection.close()
    await asyncio.to_thread(upgrade, empty_database)
    assert await count_tables(empty_database) > 10
    assert await first.wait() == 0


async def test_a_former_release_leaves_the_schema_of_a_later_one_as_it_is(empty_database):
    """Units and containers migrate before they start, also on the way back from an upgrade."""
    environment = {"ACREDITA_DATABASE_URL": empty_database}

    async def migrate(*revision):
        command = ["migrate", *revision]
        return await asyncio.to_thread(CliRunner().invoke, app, command, env=environment)

    await asyncio.to_thread(upgrade, empty_database)
    tables = await count_tables(empty_database)
    unknown = await migrate("9999")
    assert (unknown.exit_code, unknown.stdout) == (1, "")
    assert "acredita migrate: Can't locate revision identified by '9999'" in unknown.stderr
    connection = await asyncpg.connect(_plain(empty_database))
    try:
        await connection.execute("UPDATE alembic_version SET version_num = '9999'")
        later = await migrate()
        assert (later.exit_code, later.stderr) == (0, "")
        assert "A later release has migrated the database, to 9999." in later.stdout
        await connection.execute("UPDATE alembic_version SET version_num = 'of another program'")
        assert (await migrate()).exit_code == 1
    finally:
        await connection.close()
    assert await count_tables(empty_database) == tables
