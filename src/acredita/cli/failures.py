"""Refused commands and failures of the database, in words instead of a traceback."""

import socket
from typing import Any

import typer
from typer.core import TyperGroup

MISSING_TABLE, MISSING_COLUMN = "42P01", "42703"
FORBIDDEN = "42501"


class Commands(TyperGroup):
    """All commands. Exit with 1 if one is refused, or the database is away or lacks this release's
    schema.
    """

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as fault:
            if words := _words(fault):
                typer.echo(f"acredita: {words}", err=True)
                raise typer.Exit(1) from None
            raise


def _words(fault: Exception) -> str | None:
    from sqlalchemy.exc import DBAPIError

    from acredita.domain.errors import CommandRefused, DomainError
    from acredita.kit.db import is_unavailable
    from acredita.kit.unreachable import reason

    if isinstance(fault, CommandRefused):
        return str(fault)
    if isinstance(fault, DomainError):
        return fault.message
    source = fault.orig if isinstance(fault, DBAPIError) else fault
    state = getattr(source, "sqlstate", None)
    if state in {MISSING_TABLE, MISSING_COLUMN}:
        return "the database has not the schema of this release. Run `acredita migrate`."
    if state == FORBIDDEN:
        return (
            f"the database does not allow its user to do this ({_primary(source)}). The user of"
            " `acredita migrate` and `acredita backup` owns the database and its tables."
        )
    # asyncpg passes on the operating system's error when it cannot connect.
    unconnected = isinstance(fault, ConnectionRefusedError | socket.gaierror)
    if unconnected or (isinstance(fault, DBAPIError) and is_unavailable(fault)):
        return f"the database cannot be reached: {reason(fault)}."
    return None


def _primary(source: object) -> str:
    """PostgreSQL's message, such as `permission denied for schema public`."""
    # SQLAlchemy puts the class of the driver's error before it.
    return str(source).rpartition(">: ")[2]
