"""`acredita aml`: watchlists."""

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
        list[Path], typer.Argument(exists=True, dir_okay=False, readable=True, help="List files.")
    ],
    *,
    list_id: Annotated[
        str | None, typer.Option("--list", help="Id of the list; default: detected.")
    ] = None,
    format_name: Annotated[
        str | None, typer.Option("--format", help="File format; default: detected.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Display name of a list of your own.")] = None,
    force: Annotated[
        bool, typer.Option(help="Import even if the list loses more than 20% of its entries.")
    ] = False,
) -> None:
    """Replace watchlists with the contents of these files. Pass all files of a list together."""
    from rich.console import Console

    from acredita.providers.watchlists.formats import BY_NAME
    from acredita.providers.watchlists.protocol import ListFault
    from acredita.resources.aml.lists.commands import import_files

    if format_name is not None and format_name not in BY_NAME:
        raise typer.BadParameter(f"formats are {', '.join(BY_NAME)}")
    if list_id is not None and not re.fullmatch("[a-z0-9-]{1,50}", list_id):
        raise typer.BadParameter("a list id has 1 to 50 characters: a-z, 0-9 and -")
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
        typer.echo(f"acredita aml: {fault}\nThe list is unchanged.", err=True)
        raise typer.Exit(1) from None


@app.command("refresh")
def refresh_lists(
    lists: Annotated[
        list[str] | None, typer.Argument(help="List ids; default: those of ACREDITA_AML_REFRESH.")
    ] = None,
    *,
    force: Annotated[
        bool,
        typer.Option(
            help="Import even if a list seems unchanged or loses over 20% of its entries."
        ),
    ] = False,
) -> None:
    """Download watchlists from their publishers; exit code 1 if one fails."""
    from rich.console import Console

    from acredita.resources.aml.lists.commands import refresh

    settings = load_settings_with_database()
    console = Console(highlight=False)
    if not asyncio.run(refresh(settings, console, lists or [], force=force)):
        raise typer.Exit(1)


@app.command("lists")
def show_lists() -> None:
    """List the watchlists with their entries, versions, age and last error."""
    from rich.console import Console

    from acredita.resources.aml.lists.commands import show

    asyncio.run(show(load_settings_with_database(), Console(highlight=False)))
