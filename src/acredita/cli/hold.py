"""`acredita hold`: legal holds."""

import asyncio
from typing import Annotated
from uuid import UUID

import typer

from acredita.cli.settings import load_settings_with_database

app = typer.Typer(help="Legal holds: what retention leaves alone.")


@app.command("set")
def set_hold(
    verification: Annotated[UUID, typer.Argument(help="The verification's or credit check's id.")],
    reason: Annotated[str | None, typer.Option(help="Why; kept sealed.")] = None,
) -> None:
    """Keep a verification's or credit check's data until the hold is cleared."""
    from acredita.resources.retention.commands import set_hold
    from acredita.resources.retention.holds import NotHeld

    try:
        asyncio.run(set_hold(load_settings_with_database(), verification, reason, typer.echo))
    except NotHeld as fault:
        typer.echo(f"acredita: {fault}", err=True)
        raise typer.Exit(1) from None


@app.command("clear")
def clear_hold(
    verification: Annotated[UUID, typer.Argument(help="The verification's or credit check's id.")],
) -> None:
    """Let retention have a verification or credit check again."""
    from acredita.resources.retention.commands import clear_hold
    from acredita.resources.retention.holds import NotHeld

    try:
        asyncio.run(clear_hold(load_settings_with_database(), verification, typer.echo))
    except NotHeld as fault:
        typer.echo(f"acredita: {fault}", err=True)
        raise typer.Exit(1) from None


@app.command("list")
def list_holds() -> None:
    """Show what is held: verification, organization, since when, why."""
    from acredita.resources.retention.commands import list_holds

    asyncio.run(list_holds(load_settings_with_database(), typer.echo))
