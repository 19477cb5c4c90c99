"""`acredita verification`: verifications of all organizations."""

import asyncio
from typing import Annotated
from uuid import UUID

import typer

from acredita.cli.settings import load_settings_with_database

app = typer.Typer(help="Verifications of all organizations.")


@app.callback()
def group() -> None:
    """Verifications of all organizations."""


@app.command("run-again")
def run_again(
    verification: Annotated[UUID, typer.Argument(help="Id of a verification in MANUAL_REVIEW.")],
) -> None:
    """Run the steps again that ended in review because a service was unavailable."""
    from acredita.resources.verifications.commands import run_again

    asyncio.run(run_again(load_settings_with_database(), verification))
    typer.echo(f"verification {verification} runs again")


@app.command("index")
def index() -> None:
    """Add names, CURP, RFC, phones and e-mail addresses of existing verifications to the search."""
    from acredita.resources.verifications.commands import index_identifiers

    def tell(done: int) -> None:
        if done % 10_000 == 0:
            typer.echo(f"{done} verifications so far")

    done = asyncio.run(index_identifiers(load_settings_with_database(), tell))
    typer.echo(f"{done} verifications are indexed")
