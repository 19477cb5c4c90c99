"""Runs the migrations over asyncpg, one at a time, with time-outs that keep live traffic safe."""

import asyncio
import re
import time
from typing import Literal

from alembic import context
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from acredita.kit.database_url import resolve
from acredita.kit.sealed import SealedType
from acredita.models import Base
from acredita.settings import Settings

# A migration that cannot get its lock soon gives up instead of queueing all traffic behind it.
LOCK_TIMEOUT = "4s"
STATEMENT_TIMEOUT = "60s"
# Two `acredita migrate` at once take turns.
ADVISORY_LOCK = 7_221_105_233
# `SELECT pg_temp.lock_tables('job', 'delivery')` is the first statement of a migration that changes
# tables in use. If it does not have all locks within 0.8 s, it releases them and tries again in another
# order. So no statement of the running service waits behind it for a second (deadlock_timeout): then
# PostgreSQL would find a deadlock between the two, and end the service's statement.
LOCK_TABLES = """
CREATE FUNCTION pg_temp.lock_tables(VARIADIC names text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    name text;
    before text := current_setting('lock_timeout');
    last timestamptz := clock_timestamp() + interval '40 seconds';
BEGIN
    LOOP
        BEGIN
            PERFORM set_config('lock_timeout', '500ms', true);
            FOREACH name IN ARRAY names LOOP
                EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', name);
                -- For each of the others.
                PERFORM set_config(
                    'lock_timeout', 300 / greatest(cardinality(names) - 1, 1) || 'ms', true);
            END LOOP;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            IF clock_timestamp() > last THEN
                RAISE;
            END IF;
            names := names[2:] || names[1];
            PERFORM pg_sleep(0.1 + random() / 4);
        END;
    END LOOP;
    PERFORM set_config('lock_timeout', before, true);
END $$
"""


# Partitions come and go (the functions `keep_…partitions`); the models have only their parents.
PARTITION = re.compile(r"(event|delivery|delivery_attempt|job_finished)_(before|rest|\d{4}_\d{2})")
# Indexes that only the former release uses; the next one drops them.
FORMER = "former_"


def is_modelled(name: str | None, kind: str, _parents: object) -> bool:
    if name is None:
        return True
    return not (PARTITION.fullmatch(name) if kind == "table" else name.startswith(FORMER))


def render(kind: str, item: object, _context: object) -> str | Literal[False]:
    """Write sealed columns as plain bytes: a migration imports nothing of the product."""
    return "sa.LargeBinary()" if kind == "type" and isinstance(item, SealedType) else False


def run(connection: Connection) -> None:
    connection.execute(text(f"SET lock_timeout = '{LOCK_TIMEOUT}'"))
    connection.execute(text(f"SET statement_timeout = '{STATEMENT_TIMEOUT}'"))
    connection.execute(text(LOCK_TABLES))
    connection.commit()
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        transaction_per_migration=True,
        compare_server_default=True,
        render_item=render,
        include_name=is_modelled,
    )
    # It asks again instead of waiting in the statement: CREATE INDEX CONCURRENTLY of the migration
    # that runs would wait for this one's transaction.
    while not connection.scalar(text(f"SELECT pg_try_advisory_lock({ADVISORY_LOCK})")):
        connection.commit()
        time.sleep(0.2)
    connection.commit()
    with context.begin_transaction():
        context.run_migrations()


async def run_on_new_connection(url: str) -> None:
    address, tls = resolve(url)
    engine = create_async_engine(address, poolclass=NullPool, connect_args=tls)
    try:
        async with engine.connect() as connection:
            await connection.run_sync(run)
    finally:
        await engine.dispose()


def database_url() -> str:
    given = context.config.attributes.get("database_url")
    return str(given) if given else Settings().direct_url


def secret_key() -> str:
    """For a migration that signs what it finds; only an existing database needs it."""
    return Settings().secret_key.get_secret_value()


context.config.attributes.setdefault("secret_key", secret_key)
asyncio.run(run_on_new_connection(database_url()))
