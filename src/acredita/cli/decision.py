"""`acredita verify-decision`: check an evidence file offline, without database and settings."""

from pathlib import Path
from typing import Annotated

import typer


def verify_decision(
    file: Annotated[
        Path,
        typer.Argument(help="Evidence file, from GET /v1/verifications/{id}/evidence."),
    ],
    trusted: Annotated[
        Path | None,
        typer.Option(help="PEM of the trust anchors of the signature and the time stamp."),
    ] = None,
) -> None:
    """Check an evidence file, evaluate its decision again, and say what was not checked.

    Exit code 1 if something is wrong; 3 if nothing is, but anyone could have made the file: its
    report is not signed, or --trusted is absent.
    """
    from acredita.engines.evidence.command import CannotRead, check

    try:
        code = check(file, trusted)
    except CannotRead as fault:
        raise typer.BadParameter(str(fault)) from None
    raise typer.Exit(code)
