"""`acredita keys`: the keys of data at rest."""

import asyncio

import typer

from acredita.cli.settings import load_settings_with_database

app = typer.Typer(help="Encryption keys of data at rest: generate, count usage, rotate.")


@app.command("new")
def new_key() -> None:
    """Generate a key for ACREDITA_ENCRYPTION_KEYS and print how to start using it."""
    from datetime import UTC, datetime

    from acredita.kit.crypto import new_key as make
    from acredita.resources.encryption.commands import ADVICE

    typer.echo(make(datetime.now(UTC).date()))
    typer.echo(ADVICE, err=True)


@app.command("status")
def show_keys() -> None:
    """Count the values encrypted with each key; exit code 1 if a required key is missing."""
    from acredita.resources.encryption.commands import show_status

    complete = asyncio.run(show_status(load_settings_with_database(), typer.echo))
    raise typer.Exit(0 if complete else 1)


@app.command("rotate")
def rotate_keys() -> None:
    """Re-encrypt everything with the newest key. Safe while the service runs; can be resumed."""
    from rich.console import Console

    from acredita.resources.encryption.commands import rotate

    done = asyncio.run(rotate(load_settings_with_database(), Console(highlight=False)))
    raise typer.Exit(0 if done else 1)
