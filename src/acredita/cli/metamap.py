"""`acredita metamap`: the MetaMap-compatible API."""

import asyncio
from typing import Annotated

import typer

from acredita.cli.settings import load_settings_with_database

app = typer.Typer(help="MetaMap-compatible API, for customers who migrate from MetaMap.")


@app.callback()
def _group() -> None:
    """Commands of the MetaMap-compatible API."""


@app.command("alias")
def alias(
    target: Annotated[
        str, typer.Argument(help="A workflow's id, or an organization's id or slug.")
    ],
    alias: Annotated[
        str | None, typer.Argument(help="24 hex digits to add as an id; default: print the ids.")
    ] = None,
) -> None:
    """Give a workflow its former MetaMap flowId, or an organization its former clientId."""
    from acredita.resources.metamap.commands import manage_alias

    asyncio.run(manage_alias(load_settings_with_database(), target, alias, typer.echo))


@app.command("default")
def default(
    workflow: Annotated[str, typer.Argument(help="The workflow's id.")],
    *,
    is_default: Annotated[
        bool, typer.Option("--set/--unset", help="Whether it is the default.")
    ] = True,
) -> None:
    """Choose the workflow of compatible calls that name no flowId."""
    from acredita.resources.metamap.commands import choose_default

    settings = load_settings_with_database()
    asyncio.run(choose_default(settings, workflow, typer.echo, is_default=is_default))
