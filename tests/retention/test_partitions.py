"""The monthly partitions of events, deliveries and attempts."""

from datetime import timedelta

from sqlalchemy import text

from acredita.resources.webhooks import ageing
from acredita.resources.webhooks.ageing import Partitions

NEWEST = """
    SELECT max(relname) FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'event'::regclass AND relname ~ '[0-9]$'
"""


async def keep(services, days):
    async with services.database.transaction() as session:
        return await ageing.keep_partitions(session, kept_for=timedelta(days=days))


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
