"""`acredita verify-decision`: check an evidence file offline, without database and settings."""

import logging
from pathlib import Path
from typing import Annotated

import typer

# Anyone could have made the file.
OF_ANYONE = 3


def verify_decision(
    file: Annotated[
        Path,
        typer.Argument(
            exists=True,
            dir_okay=False,
            help="Evidence file, from GET /v1/verifications/{id}/evidence.",
        ),
    ],
    trusted: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="PEM of the trust anchors of the signature and the time stamp.",
        ),
    ] = None,
) -> None:
    """Check an evidence file, evaluate its decision again, and say what was not checked.

    Exit code 1 if something is wrong; 3 if nothing is, but anyone could have made the file: its
    report is not signed, or --trusted is absent.
    """
    from acredita.engines.evidence.container import LARGEST
    from acredita.engines.evidence.verification import verify

    # pyHanko logs tracebacks of certificates without a known issuer; the findings say it in words.
    for library in ("pyhanko", "pyhanko_certvalidator"):
        logging.getLogger(library).setLevel(logging.CRITICAL)
    with file.open("rb") as opened:
        content = opened.read(LARGEST + 1)
    try:
        findings = verify(content, trusted)
    except (OSError, ValueError):
        raise typer.BadParameter(f"{trusted} has no certificates in PEM") from None
    for heading, sentences in (
        ("Checked", findings.checked),
        ("Not checked", findings.not_checked),
        ("WRONG", findings.faults),
    ):
        for sentence in sentences:
            typer.echo(f"{heading}: {sentence}.")
    if findings.faults:
        raise typer.Exit(1)
    raise typer.Exit(0 if findings.is_trusted else OF_ANYONE)
