"""`acredita aml`: the watchlists."""

import asyncio
import re
from pathlib import Path
from typing import Annotated

import typer

from acredita.cli.settings import load_settings_with_database

app = typer.Typer(help="Watchlists: import files, fetch lists, show them.", no_args_is_help=True)


@app.command("import")
def import_lists(
    files: Annotated[
        list[Path], typer.Argument(exists=True, dir_okay=False, readable=True, help="The files.")
    ],
    *,
    list_id: Annotated[
        str | None, typer.Option("--list", help="Which list they are; else found out.")
    ] = None,
    format_name: Annotated[
        str | None, typer.Option("--format", help="Their format; else found out.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="What a list of your own is called.")] = None,
    force: Annotated[
        bool, typer.Option(help="Take it although more than a fifth of its entries is gone.")
    ] = False,
) -> None:
    """Make a watchlist what these files say; all files of a list at once."""
    from rich.console import Console

    from acredita.providers.watchlists.formats import BY_NAME
    from acredita.providers.watchlists.protocol import ListFault
    from acredita.resources.aml.lists.commands import import_files

    if format_name is not None and format_name not in BY_NAME:
        raise typer.BadParameter(f"formats are {', '.join(BY_NAME)}")
    if list_id is not None and not re.fullmatch("[a-z0-9-]{1,50}", list_id):
        raise typer.BadParameter("a list's id is up to 50 of a-z, 0-9 and -")
    settings = load_settings_with_database()
    console = Console(highlight=False, markup=True)
    try:
        asyncio.run(
            import_files(
                settings,
                console,
                files,
                list_id=list_id,
                format_name=format_name,
                name=name,
                force=force,
            )
        )
    except ListFault as fault:
        typer.echo(f"acredita aml: {fault}\nThe list is as it was.", err=True)
        raise typer.Exit(1) from None


@app.command("refresh")
def refresh_lists(
    lists: Annotated[
        list[str] | None, typer.Argument(help="Which; else those of ACREDITA_AML_REFRESH.")
    ] = None,
    *,
    force: Annotated[
        bool,
        typer.Option(help="Fetch and take them although they seem unchanged, or shrank."),
    ] = False,
) -> None:
    """Fetch watchlists from their publishers; exit code 1 if one could not be had."""
    from rich.console import Console

    from acredita.resources.aml.lists.commands import refresh

    settings = load_settings_with_database()
    console = Console(highlight=False)
    if not asyncio.run(refresh(settings, console, lists or [], force=force)):
        raise typer.Exit(1)


@app.command("lists")
def show_lists() -> None:
    """Show the watchlists: entries, versions, how current each is and what is wrong."""
    from rich.console import Console

    from acredita.resources.aml.lists.commands import show

    asyncio.run(show(load_settings_with_database(), Console(highlight=False)))
