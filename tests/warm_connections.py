"""Connections to PostgreSQL that outlive the test that opened them.

A new connection starts a process of PostgreSQL, which reads the catalogue of every table that it
meets, and each statement is prepared once more. So a pool of the service's that closes hands its
idle connections to the next one of the same database and settings. What the session set and holds
is reset.

It does so only in the event loop of the tests, for the worker's own database. Pools that tests make
themselves close theirs.
"""

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

import asyncpg
from sqlalchemy import Engine, event
from sqlalchemy.util import LRUCache, await_only

from acredita.kit.connection_pool import SharedPool, driver_of

MOST = 8
OF_THE_SERVICE = "acredita api "
# asyncpg's own reset, and a name that no process of the service has.
RESET = """
    SELECT pg_advisory_unlock_all();
    CLOSE ALL; UNLISTEN *; RESET ALL;
    SET application_name = 'kept for the next test'
"""
RENAME = "SELECT set_config('application_name', $1, false)"
STATEMENTS = 2000
_kinds: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
_idle: list[tuple[str, Any]] = []
# The event loop of the connections that are kept, by the name of their database.
_kept_for: dict[str, asyncio.AbstractEventLoop] = {}


def install() -> None:
    """Let every pool of the service's in this process hand on its idle connections."""
    close_pool = SharedPool.close

    async def hand_on_and_close(self: SharedPool) -> None:
        for place in list(self._idle):
            entry, _ = place
            driver = driver_of(entry) if entry.dbapi_connection is not None else None
            if driver not in _kinds or len(_idle) >= MOST:
                continue
            self._idle.remove(place)
            if await _is_reset(driver):
                _idle.append((_kinds[driver], entry.dbapi_connection))
                entry.dbapi_connection = None
                self._open -= 1
            else:
                self._idle.append(place)
        await close_pool(self)

    SharedPool.close = hand_on_and_close  # type: ignore[method-assign]
    event.listen(Engine, "do_connect", _connect)


def keep_for(database: str, loop: asyncio.AbstractEventLoop) -> None:
    """Keep connections to the database of that name which this loop opens."""
    _kept_for[database] = loop


async def close() -> None:
    """Close the connections that no pool has taken, and keep no more."""
    _kept_for.clear()
    while _idle:
        await _idle.pop()[1]._connection.close()


async def _is_reset(driver: Any) -> bool:
    if driver.is_closed() or driver.is_in_transaction() or driver._listeners:
        return False
    try:
        await driver.execute(RESET)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
        return False
    return True


def _connect(dialect: Any, _record: Any, arguments: list[Any], options: dict[str, Any]) -> Any:
    settings = dict(options.get("server_settings", ()))
    name = settings.pop("application_name", "")
    if not name.startswith(OF_THE_SERVICE) or (
        _kept_for.get(options.get("database", "")) is not asyncio.get_running_loop()
    ):
        return None
    kind = repr(sorted((options | {"server_settings": settings}).items()))
    while (connection := _taken(kind)) is not None:
        driver = connection._connection
        if not driver.is_closed():
            await_only(driver.execute(RENAME, name))
            return connection
    connection = dialect.connect(*arguments, **options)
    if connection._prepared_statement_cache is not None:
        # A process of the service meets its statements again; this one, those of all tests.
        connection._prepared_statement_cache = LRUCache(STATEMENTS)
        _kinds[connection._connection] = kind
    return connection


def _taken(kind: str) -> Any:
    for place in reversed(range(len(_idle))):
        if _idle[place][0] == kind:
            return _idle.pop(place)[1]
    return None
