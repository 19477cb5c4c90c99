"""What one process holds open and hands to those who need it: the composition root.

The API and the worker open the same `Services`; tests open it with parts of their own.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from acredita.kit.clock import Clock, SystemClock
from acredita.kit.crypto import KeyRing, Signer
from acredita.kit.db import Database
from acredita.settings import Settings


@dataclass(frozen=True, slots=True)
class Services:
    settings: Settings
    clock: Clock
    database: Database
    keys: KeyRing
    signer: Signer


@asynccontextmanager
async def open_services(settings: Settings) -> AsyncIterator[Services]:
    database = Database(
        settings.database_url,
        pool_size=settings.database_pool_size,
        statement_timeout=settings.database_statement_timeout,
    )
    try:
        yield Services(
            settings=settings,
            clock=SystemClock(),
            database=database,
            keys=KeyRing.from_text(settings.encryption_keys.get_secret_value()),
            signer=Signer(settings.secret_key.get_secret_value()),
        )
    finally:
        await database.dispose()
