"""`acredita keys`: the keys of data at rest."""

import asyncio

import typer

from acredita.cli.settings import load_settings_with_database

app = typer.Typer(help="The keys of data at rest: make one, count what each seals, rotate.")


@app.command("new")
def new_key() -> None:
    """Print a new key for ACREDITA_ENCRYPTION_KEYS, and how to bring it into use."""
    from datetime import UTC, datetime

    from acredita.resources.encryption.commands import ADVICE
    from acredita.resources.encryption.commands import new_key as make

    typer.echo(make(datetime.now(UTC).date()))
    typer.echo(ADVICE, err=True)


@app.command("status")
def show_keys() -> None:
    """Count the values that each key seals; exit code 1 if a key that is needed is not set."""
    from acredita.resources.encryption.commands import show_status

    complete = asyncio.run(show_status(load_settings_with_database(), typer.echo))
    raise typer.Exit(0 if complete else 1)


@app.command("rotate")
def rotate_keys() -> None:
    """Seal everything with the newest key, while the service runs; may be stopped and run again."""
    from rich.console import Console

    from acredita.resources.encryption.commands import rotate

    done = asyncio.run(rotate(load_settings_with_database(), Console(highlight=False)))
    raise typer.Exit(0 if done else 1)
