"""The connections of a process, over a real PostgreSQL."""

import asyncio
import secrets
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from acredita.kit import connection_pool
from acredita.kit.connection_pool import PoolBusy
from acredita.kit.db import Database, is_unavailable
from acredita.kit.statement_pool import Reads
from tests.factories.databases import opened

PID = "SELECT pg_backend_pid()"


@pytest.fixture
async def database(database_url) -> AsyncIterator[Database]:
    async with opened(database_url, 2) as database:
        yield database


async def test_sessions_and_single_statements_share_connections(database):
    reads = Reads(database)
    async with database.transaction() as session:
        in_session = await session.scalar(text(PID))
    assert (await reads.row(PID))[0] == in_session
    async with database.reading() as connection:
        assert await connection.scalar(text(PID)) == in_session
    assert database.pool.usage() == (0, 1)


async def test_who_comes_over_the_ceiling_waits_in_turn_and_then_hears_that_it_is_busy(database):
    reads, pool = Reads(database), database.pool
    held = [await pool.take(), await pool.take()]
    first, second = (asyncio.create_task(reads.row("SELECT $1::int", n)) for n in (1, 2))
    await asyncio.sleep(0.05)
    assert (pool.usage(), pool.waiting) == ((2, 0), 2)
    pool.give(held.pop())
    assert [(await each)[0] for each in (first, second)] == [1, 2]
    held.append(await pool.take())
    pool._timeout = 0.05
    with pytest.raises(PoolBusy) as fault:
        await reads.row("SELECT 1")
    assert is_unavailable(fault.value)
    with pytest.raises(PoolBusy):
        async with database.transaction() as session:
            await session.execute(text("SELECT 1"))
    waiting = asyncio.create_task(reads.row("SELECT 1"))
    await asyncio.sleep(0)
    # The connection arrives together with the cancellation, and is not lost.
    pool.give(held.pop())
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    pool.give(held.pop())
    assert (pool.usage(), pool.waiting) == ((0, 2), 0)


async def test_connections_that_rest_are_closed_but_for_one(database, monkeypatch):
    monkeypatch.setattr(connection_pool, "LONGEST_REST", 0.1)
    reads = Reads(database)
    await asyncio.gather(*(reads.row("SELECT pg_sleep(0.05)") for _ in range(4)))
    assert database.pool.usage() == (0, 2)
    await asyncio.sleep(0.3)
    assert database.pool.usage() == (0, 1)
    database.pool.ceiling = 1
    await asyncio.gather(*(reads.row("SELECT 1") for _ in range(4)))
    assert database.pool.usage() == (0, 1)


async def test_a_connection_that_postgresql_closed_is_replaced_before_use(database):
    reads = Reads(database)
    mine = (await reads.row(PID))[0]
    async with opened(database.url, 1) as other:
        await Reads(other).row("SELECT pg_terminate_backend($1)", mine)
    await asyncio.sleep(0.1)
    async with database.reading() as connection:
        assert await connection.scalar(text(PID)) != mine
    assert database.pool.usage() == (0, 1)


async def test_a_statement_that_is_cancelled_leaves_its_connection_to_others(database):
    reads = Reads(database)
    database.pool.ceiling = 1
    mine = (await reads.row(PID))[0]
    for query in (reads.row, reads.rows):
        asleep = asyncio.create_task(query("SELECT pg_sleep(20)"))
        await asyncio.sleep(0.05)
        asleep.cancel()
        async with asyncio.timeout(5):
            assert (await reads.row(PID))[0] == mine
            async with database.transaction() as session:
                assert await session.scalar(text(PID)) == mine


async def test_a_full_postgresql_makes_callers_wait_and_is_no_failure(database_url):
    name = f"narrow_{secrets.token_hex(4)}"
    async with opened(database_url, 1) as owner:
        await Reads(owner).row(f"CREATE ROLE {name} LOGIN PASSWORD 'narrow' CONNECTION LIMIT 2")
    url = make_url(database_url).set(username=name, password="narrow")
    async with opened(url.render_as_string(hide_password=False), 6) as database:
        heard = []
        database.pool.on_full = lambda: heard.append("full")
        reads = Reads(database)
        rows = await asyncio.gather(*(reads.row("SELECT pg_sleep(0.02), 7") for _ in range(12)))
        assert [row[1] for row in rows] == [7] * 12
        assert heard
        assert sum(database.pool.usage()) == 2
        async with opened(database.url, 6) as sibling:
            sibling.pool._timeout = 0.5
            with pytest.raises(PoolBusy):
                await Reads(sibling).row("SELECT 1")
            await database.dispose()
            # It opens as soon as there is room.
            assert (await Reads(sibling).row("SELECT 1"))[0] == 1
    async with opened(database_url, 1) as owner:
        await Reads(owner).row(f"DROP ROLE {name}")


async def test_an_address_where_nobody_listens_fails_at_once(database_url, unused_tcp_port):
    url = make_url(database_url).set(host="127.0.0.1", port=unused_tcp_port)
    async with opened(url.render_as_string(hide_password=False), 2) as database:
        async with asyncio.timeout(2):
            faults = await asyncio.gather(
                *(Reads(database).row("SELECT 1") for _ in range(5)), return_exceptions=True
            )
        assert all(is_unavailable(fault) for fault in faults)
