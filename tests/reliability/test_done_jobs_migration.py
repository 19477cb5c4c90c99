"""The migration that gives done jobs a table of their own, in an installation with many of them."""

import asyncio
import logging
import time

import asyncpg
import pytest

from acredita.jobs.ledger.finishing import COMPLETE_ALL
from acredita.jobs.purge import KEPT_FOR, purge_done
from acredita.kit.db import Database
from acredita.kit.migrations import upgrade
from tests.conftest import plain_url

log = logging.getLogger(__name__)

# Every other one is to be deleted.
DONE_BEFORE = """
    INSERT INTO job (id, kind, payload, queue, max_attempts, state, finished_at)
    SELECT gen_random_uuid(), 'x', '{}', 'light', 5, 'done',
           now() - (10 + 30 * (n % 2)) * interval '1 day'
    FROM generate_series(1, $1) AS n
"""
ADD = """
    INSERT INTO job (id, kind, payload, queue, max_attempts)
    VALUES (gen_random_uuid(), 'x', '{}', 'light', 5) RETURNING id
"""
CLAIM = """
    UPDATE job SET state = 'running', attempts = 1, lease_token = id, lease_expires_at = now()
    WHERE id = $1
"""
FORMER_END = """
    UPDATE job SET state = 'done', lease_token = NULL, lease_expires_at = NULL, finished_at = now()
    WHERE id = $1
"""


async def run_jobs_of_former_release(url, took, stop):
    connection = await asyncpg.connect(plain_url(url))
    try:
        while not stop.is_set():
            began = time.monotonic()
            job_id = await connection.fetchval(ADD)
            await connection.execute(CLAIM, job_id)
            await connection.execute(FORMER_END, job_id)
            took.append(time.monotonic() - began)
            await asyncio.sleep(0.002)
    finally:
        await connection.close()


@pytest.mark.parametrize(
    "number", [5_000, pytest.param(1_000_000, marks=pytest.mark.thorough)], ids=str
)
async def test_done_jobs_of_the_former_release_stay_and_go_after_thirty_days(database_at, number):
    """The migration moves none of them, and takes no lock on their table."""
    database_url = await database_at("0054")
    connection = await asyncpg.connect(plain_url(database_url))
    database = Database(database_url, pool_size=2, statement_timeout=60)
    took, stop = [], asyncio.Event()
    running = asyncio.create_task(run_jobs_of_former_release(database_url, took, stop))
    try:
        await connection.execute(DONE_BEFORE, number)
        before = len(took)
        began = time.monotonic()
        await asyncio.to_thread(upgrade, database_url)
        seconds = time.monotonic() - began
        assert len(took) > before
        log.info("migrated in %.2f s; the longest job took %.3f s", seconds, max(took[before:]))
        stop.set()
        await running
        by_new_release = await connection.fetchval(ADD)
        await connection.execute(CLAIM, by_new_release)
        assert await connection.fetch(COMPLETE_ALL, [by_new_release], [by_new_release])
        counts = "SELECT (SELECT count(*) FROM job), (SELECT count(*) FROM job_finished)"
        assert await connection.fetchrow(counts) == (number + len(took), 1)
        purged = 1
        while purged:
            async with database.transaction() as session:
                purged = await purge_done(session, older_than=KEPT_FOR, limit=20_000)
        assert await connection.fetchrow(counts) == (number // 2 + len(took), 1)
    finally:
        stop.set()
        await running
        await database.dispose()
        await connection.close()
