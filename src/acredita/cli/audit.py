"""`acredita audit`: the audit log."""

import asyncio
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from acredita.cli.settings import load_settings_with_database

app = typer.Typer(help="Audit log: verify its hash chains, print their signed heads.")


@app.command("verify")
def verify_audit(
    organization: Annotated[
        UUID | None, typer.Option(help="Check only this organization; default: all.")
    ] = None,
    heads: Annotated[
        Path | None,
        typer.Option(help="File of heads stored elsewhere, as `acredita audit heads` prints them."),
    ] = None,
) -> None:
    """Check every entry against its hash and the signed heads; exit code 1 if a row is wrong."""
    from acredita.resources.audit.commands import verify
    from acredita.resources.audit.heads import UnreadableHead, read_kept

    try:
        kept = read_kept(heads) if heads else []
    except (OSError, UnreadableHead):
        raise typer.BadParameter(f"{heads} does not hold lines of `acredita audit heads`") from None
    sound = asyncio.run(verify(load_settings_with_database(), organization, kept, typer.echo))
    raise typer.Exit(0 if sound else 1)


@app.command("heads")
def show_audit_heads() -> None:
    """Sign and print the newest head of every chain. Store the lines outside the database."""
    from acredita.resources.audit.commands import show_heads

    asyncio.run(show_heads(load_settings_with_database(), typer.echo))
