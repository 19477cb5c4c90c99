"""One cache of compiled statements for all tests, as a process of the service has one.

Each test opens a database of its own, and SQLAlchemy would compile every statement once a test, and
ask the server with four statements what it is.
"""

from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.util import LRUCache

_compiled: LRUCache[Any, Any] = LRUCache(2000)
# What a dialect found out about its server, by the server's address and the dialect's options.
_servers: dict[tuple[Any, ...], dict[str, Any]] = {}


def install() -> None:
    """Share the cache between all engines whose dialects have the same options."""
    # The engine's constructor sets it; its signature is read by SQLAlchemy, so it stays.
    Engine._compiled_cache = property(  # type: ignore[assignment]
        lambda _: _compiled, lambda _engine, _own: None
    )
    # A key of the cache contains the dialect.
    PGDialect_asyncpg.__hash__ = lambda self: hash(_options(self))  # type: ignore[method-assign]
    PGDialect_asyncpg.__eq__ = _is_alike  # type: ignore[method-assign,assignment]
    initialize = PGDialect_asyncpg.initialize

    def initialize_once(self: PGDialect_asyncpg, connection: Connection) -> None:
        url = connection.engine.url
        server = (url.host, url.port, *_options(self))
        if server not in _servers:
            former = dict(vars(self))
            initialize(self, connection)
            found = {name: each for name, each in vars(self).items() if former.get(name) != each}
            _servers[server] = found
        vars(self).update(_servers[server])

    PGDialect_asyncpg.initialize = initialize_once  # type: ignore[method-assign]


def _is_alike(one: PGDialect_asyncpg, other: object) -> bool:
    return isinstance(other, PGDialect_asyncpg) and _options(one) == _options(other)


def _options(dialect: PGDialect_asyncpg) -> tuple[Any, ...]:
    return type(dialect), dialect._json_serializer, dialect._json_deserializer
