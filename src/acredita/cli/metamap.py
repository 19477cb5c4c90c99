"""`acredita metamap`: what customers of the compatible API bring along."""

import asyncio
from typing import Annotated

import typer

from acredita.cli.settings import load_settings_with_database

app = typer.Typer(help="The API of MetaMap, for customers who come from there.")


@app.callback()
def _group() -> None:
    """Commands of the compatible API."""


@app.command("alias")
def alias(
    target: Annotated[
        str, typer.Argument(help="A workflow's id, or an organization's id or slug.")
    ],
    alias: Annotated[
        str | None, typer.Argument(help="24 hex digits, to be an id of it; default: show its ids.")
    ] = None,
) -> None:
    """Let a workflow answer to a former flowId, or an organization to a former clientId."""
    from acredita.resources.metamap.commands import CannotAlias, name

    try:
        asyncio.run(name(load_settings_with_database(), target, alias, typer.echo))
    except CannotAlias as fault:
        typer.echo(f"acredita: {fault}", err=True)
        raise typer.Exit(1) from None
