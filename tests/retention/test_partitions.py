"""The monthly partitions of events, deliveries, attempts and done jobs."""

from datetime import timedelta

from sqlalchemy import text

from acredita.jobs import purge
from acredita.kit.partitions import Partitions, keep_months
from acredita.resources.webhooks import ageing

NEWEST = """
    SELECT max(relname) FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'event'::regclass AND relname ~ '[0-9]$'
"""

NEWEST_OF_JOBS = NEWEST.replace("'event'", "'job_finished'")


async def keep(services, days):
    async with services.database.transaction() as session:
        return await keep_months(session, ageing.KEEP_MONTHS, kept_for=timedelta(days=days))


async def keep_jobs(services, days):
    async with services.database.transaction() as session:
        return await keep_months(session, purge.KEEP_MONTHS, kept_for=timedelta(days=days))


async def test_the_partitions_of_four_months_are_there_and_a_missing_one_is_added(services):
    assert await keep(services, 90) == Partitions(added=0, dropped=0)
    async with services.database.transaction() as session:
        newest = await session.scalar(text(NEWEST))
        await session.execute(text(f"DROP TABLE {newest}"))
    assert await keep(services, 90) == Partitions(added=1, dropped=0)
    async with services.database.reading() as connection:
        assert await connection.scalar(text(NEWEST)) == newest


async def test_no_period_drops_what_is_younger_than_thirty_days(services):
    """The right to call the function does not allow a caller to empty the tables."""
    assert await keep(services, -400) == Partitions(added=0, dropped=0)


OLD_MONTHS = """
    DO $$ DECLARE month timestamptz; BEGIN
        SET LOCAL timezone = 'UTC';
        FOR back IN 3..4 LOOP
            month := date_trunc('month', now()) - back * interval '1 month';
            EXECUTE format('CREATE TABLE %I PARTITION OF job_finished FOR VALUES FROM (%L) TO (%L)',
                           'job_finished' || to_char(month, '_YYYY_MM'),
                           month, month + interval '1 month');
        END LOOP;
    END $$
"""
# One of this month, two of those, and one of a month without a partition.
DONE = """
    INSERT INTO job_finished
        (id, kind, payload, queue, attempts, created_at, run_at, finished_at)
    SELECT gen_random_uuid(), 'x', '{}', 'light', 1, now(), now(),
           now() - months * interval '1 month'
    FROM unnest(ARRAY[0, 3, 4, 8]) AS months
"""
PLACES = """
    SELECT finished_at > now() - interval '1 hour', tableoid::regclass::text LIKE '%rest'
    FROM job_finished ORDER BY finished_at DESC
"""


async def test_months_of_done_jobs_are_added_and_dropped(services):
    async def run(statement):
        async with services.database.transaction() as session:
            result = await session.execute(text(statement))
            return [tuple(row) for row in result] if result.returns_rows else []

    [(newest,)] = await run(NEWEST_OF_JOBS)
    await run(f"DROP TABLE {newest}")
    await run(OLD_MONTHS)
    await run(DONE)
    assert await run(PLACES) == [(True, False), (False, False), (False, False), (False, True)]
    # No period drops what is younger than thirty days.
    assert await keep_jobs(services, -400) == (1, 2)
    assert await run(PLACES) == [(True, False)]
    assert await run(NEWEST_OF_JOBS) == [(newest,)]
    assert await keep_jobs(services, -400) == (0, 0)
