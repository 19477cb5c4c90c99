"""`acredita hold`: legal holds."""

import asyncio
from typing import Annotated
from uuid import UUID

import typer

from acredita.cli.settings import load_settings_with_database

app = typer.Typer(help="Legal holds: exempt data from the retention purge.")


@app.command("set")
def set_hold(
    verification: Annotated[UUID, typer.Argument(help="Id of a verification or credit check.")],
    reason: Annotated[
        str | None, typer.Option(help="Reason for the hold; stored encrypted.")
    ] = None,
) -> None:
    """Keep the data of a verification or credit check until the hold is cleared."""
    from acredita.resources.retention.commands import set_hold

    asyncio.run(set_hold(load_settings_with_database(), verification, reason, typer.echo))


@app.command("clear")
def clear_hold(
    verification: Annotated[UUID, typer.Argument(help="Id of a verification or credit check.")],
) -> None:
    """Remove the hold: the retention purge applies again."""
    from acredita.resources.retention.commands import clear_hold

    asyncio.run(clear_hold(load_settings_with_database(), verification, typer.echo))


@app.command("list")
def list_holds() -> None:
    """List the holds: verification, organization, start and reason."""
    from acredita.resources.retention.commands import list_holds

    asyncio.run(list_holds(load_settings_with_database(), typer.echo))
