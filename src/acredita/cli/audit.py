"""`acredita audit`: the audit log."""

import asyncio
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from acredita.cli.settings import load_settings_with_database

app = typer.Typer(help="The audit log: check its chains, show their signed heads.")


@app.command("verify")
def verify_audit(
    organization: Annotated[UUID | None, typer.Option(help="One organization alone.")] = None,
    heads: Annotated[
        Path | None, typer.Option(help="Heads kept elsewhere, as `acredita audit heads` prints.")
    ] = None,
) -> None:
    """Check every entry against its hash and its signed heads; exit code 1 if a row is at fault."""
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
    """Sign and print how far every chain has grown: lines to keep out of the database's reach."""
    from acredita.resources.audit.commands import show_heads

    asyncio.run(show_heads(load_settings_with_database(), typer.echo))
