"""A guard of tenancy for the whole test-suite.

While the application answers a request of a known caller, it checks every statement that names a
table of organizations. The parameters must contain the caller's organization, or no other ids than
those that an earlier checked statement of the same request found. So an id from the request selects
nothing until a statement has found it in the caller's organization. The guard reads the statements
of SQLAlchemy and of the pools of `kit/statement_pool`, with their parameters and rows. It needs no
rows of another organization to notice a query that forgets the caller's.

It does not watch jobs, commands and public endpoints, which have no caller, and does not check what
an INSERT writes.
"""

import re
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, event

from acredita.api import permissions
from acredita.api.middleware import Edge
from acredita.domain.caller import Caller
from acredita.kit.statement_pool import StatementPool
from acredita.models import Base
from acredita.models.tenancy import Owned

IS_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# How SQLAlchemy writes the condition of an empty IN.
NOTHING = "IN (NULL) AND (1 != 1)"
# Statements for the whole service that a request makes: a part of the statement, and the reason.
SERVICE_WIDE = {
    "FROM first_answer": "its key is a keyed hash of the organization and the request",
    "WHERE lower(user_account.email) =": "an address belongs to one user of the whole service",
}


def _tables_of_organizations() -> frozenset[str]:
    """Tables with an organization_id, and those that refer to one of them."""
    models = [mapper.class_ for mapper in Base.registry.mappers]
    tables = {each.__tablename__ for each in models if issubclass(each, Owned)}
    for table in Base.metadata.sorted_tables:
        if any(key.column.table.name in tables for key in table.foreign_keys):
            tables.add(table.name)
    return frozenset(tables)


TABLES = _tables_of_organizations()


@dataclass
class Request:
    """One request of a known caller, and the ids that were held against its organization."""

    caller: Caller
    trusted: set[UUID] = field(default_factory=set)


current: ContextVar[Request | None] = ContextVar("tenancy", default=None)
violations: list[str] = []


@lru_cache(maxsize=4096)
def _is_of_organizations(statement: str) -> bool:
    if NOTHING in statement:
        return False
    words = set(re.findall(r"\w+", re.sub(r"'[^']*'", "", statement.lower())))
    return bool(words & TABLES) and not any(part in statement for part in SERVICE_WIDE)


def _ids(values: Any) -> Iterator[UUID]:
    if isinstance(values, UUID):
        yield values
    elif isinstance(values, str):
        if IS_ID.fullmatch(values):
            yield UUID(values)
    elif isinstance(values, dict):
        yield from _ids(list(values.values()))
    elif isinstance(values, Iterable) and not isinstance(values, bytes):
        for value in values:
            yield from _ids(value)


def _check(statement: str, parameters: Any) -> bool:
    """Note a violation; whether what the statement returns is the caller's."""
    request = current.get()
    if request is None or not _is_of_organizations(statement):
        return False
    ids = set(_ids(parameters))
    if request.caller.organization_id in ids and "organization" in statement:
        return True
    known = ids & request.trusted
    if re.match(r"\s*INSERT\b(?!.*\bSELECT\b)", statement, re.IGNORECASE | re.DOTALL):
        return bool(known)
    if ids and known == ids:
        return True
    violations.append(f"{' '.join(statement.split())} {sorted(ids - known)}")
    return False


def _learn(parameters: Any, rows: Iterable[Any], *, is_found: bool) -> None:
    request = current.get()
    assert request is not None
    request.trusted.update(_ids(rows))
    if is_found:
        request.trusted.update(_ids(parameters))


def install() -> None:
    """Watch every request that this process answers."""
    answer, identify = Edge.__call__, permissions.RoleNeeded.__call__

    async def answer_and_forget(self: Edge, *arguments: Any) -> None:
        token = current.set(None)
        try:
            await answer(self, *arguments)
        finally:
            current.reset(token)

    async def identify_and_watch(self: permissions.RoleNeeded, request: Any) -> Caller:
        caller = await identify(self, request)
        current.set(Request(caller, {caller.id}))
        return caller

    Edge.__call__ = answer_and_forget  # type: ignore[method-assign]
    permissions.RoleNeeded.__call__ = identify_and_watch  # type: ignore[method-assign]
    for name in ("row", "rows"):
        _watch_pool(name)
    event.listen(Engine, "before_cursor_execute", _before)
    event.listen(Engine, "after_cursor_execute", _after)


def _watch_pool(name: str) -> None:
    run = getattr(StatementPool, name)

    async def run_watched(self: StatementPool, query: str, *arguments: Any) -> Any:
        is_own = _check(query, arguments)
        found = await run(self, query, *arguments)
        if is_own and found is not None:
            rows = [found] if name == "row" else found
            _learn(arguments, rows, is_found=any(any(row) for row in rows))
        return found

    setattr(StatementPool, name, run_watched)


def _before(
    _connection: Any, _cursor: Any, statement: str, parameters: Any, context: Any, _many: bool
) -> None:
    if context is not None:
        context.is_of_the_caller = _check(statement, parameters)


def _after(
    _connection: Any, cursor: Any, _statement: str, parameters: Any, context: Any, _many: bool
) -> None:
    if context is not None and context.is_of_the_caller:
        # What the driver has fetched, before the result takes it.
        rows = list(getattr(cursor, "_rows", ()) or getattr(cursor._cursor, "_rows", ()))
        changed = not context.is_crud or cursor.rowcount > 0
        found = any(any(row) for row in rows) if cursor.description else changed
        _learn(parameters, rows, is_found=found)
