"""Databases of their own pool, beside that of the services."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from acredita.kit.db import Database


@asynccontextmanager
async def opened(url: str, size: int, name: str = "pool") -> AsyncIterator[Database]:
    database = Database(url, pool_size=size, statement_timeout=10, application_name=name)
    try:
        yield database
    finally:
        await database.dispose()
