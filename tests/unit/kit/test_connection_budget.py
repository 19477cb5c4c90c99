"""The share of PostgreSQL's connections that each process takes."""

import asyncio

from acredita.kit.connection_budget import Survey, kept_within_budget, survey
from acredita.kit.statement_pool import Reads
from tests.factories.databases import opened

NAMES = "^budgeted "


def test_everybody_may_have_an_equal_part_and_more_while_connections_are_free():
    # 97 for all, 9 in reserve, 4 of others: 84 are left for 12 processes.
    crowded = Survey(allowed=97, ours=84, others=4, processes=12)
    assert crowded.ceiling(size=20, own=7) == 7
    # Who has more than an equal part gives it back.
    assert crowded.ceiling(size=20, own=15) == 15
    assert Survey(allowed=97, ours=96, others=4, processes=12).ceiling(size=20, own=15) == 14
    quiet = Survey(allowed=97, ours=24, others=4, processes=12)
    assert quiet.ceiling(size=20, own=13) == 18
    assert quiet.ceiling(size=20, own=19) == 20
    # Fewer than two would stop a process.
    assert Survey(allowed=10, ours=40, others=4, processes=20).ceiling(size=20, own=2) == 2


async def test_processes_find_each_other_and_follow(database_url):
    async with opened(database_url, 20, "budgeted one") as one:
        async with opened(database_url, 20, "budgeted two") as two:
            for each in (one, two):
                await Reads(each).row("SELECT 1")
            found = await survey(one.pool, NAMES)
            assert (found.processes, found.ours) == (2, 2)
            limits = await Reads(one).row("SELECT current_setting('max_connections')::int AS most")
            assert 0 < found.allowed < limits["most"]
            two.pool.ceiling = 5
            async with kept_within_budget(two.pool, names=NAMES, is_pooled=False):
                async with asyncio.timeout(5):
                    while two.pool.ceiling != 20:  # noqa: ASYNC110
                        await asyncio.sleep(0.05)
        assert (await survey(one.pool, NAMES)).processes == 1
