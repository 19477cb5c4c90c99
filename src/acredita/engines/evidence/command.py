"""`acredita-verify FILE`: check an evidence file offline. `acredita verify-decision` does the same.

The distribution `acredita-verifier` has this program, and of the service only what it imports.
"""

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from acredita.engines.evidence.container import LARGEST
from acredita.engines.evidence.verification import verify

DESCRIPTION: Final = (
    "Check an evidence file, evaluate its decision again, and say what was not checked. Exit code"
    " 1 if something is wrong; 3 if nothing is, but anyone could have made the file: its report is"
    " not signed, or --trusted is absent."
)
FILE: Final = "Evidence file, from GET /v1/verifications/{id}/evidence."
TRUSTED: Final = "PEM of the trust anchors of the signature and the time stamp."
# Exit codes.
WRONG: Final = 1
OF_ANYONE: Final = 3


class CannotRead(Exception):
    """A file that an argument names cannot be read. The message is for the caller."""


def check(file: Path, trusted: Path | None) -> int:
    """Print what was checked, what was not and what is wrong. Return the exit code. Raise
    CannotRead."""
    # pyHanko logs tracebacks of certificates without a known issuer; the findings say it in words.
    for library in ("pyhanko", "pyhanko_certvalidator"):
        logging.getLogger(library).setLevel(logging.CRITICAL)
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST + 1)
    except OSError as fault:
        raise CannotRead(f"{file} cannot be read") from fault
    try:
        findings = verify(content, trusted)
    except (OSError, ValueError) as fault:
        raise CannotRead(f"{trusted} has no certificates in PEM") from fault
    for heading, sentences in (
        ("Checked", findings.checked),
        ("Not checked", findings.not_checked),
        ("WRONG", findings.faults),
    ):
        for sentence in sentences:
            sys.stdout.write(f"{heading}: {_on_one_line(sentence)}.\n")
    if findings.faults:
        return WRONG
    return 0 if findings.is_trusted else OF_ANYONE


def _on_one_line(sentence: str) -> str:
    """Return it without control characters: what a file says of itself must not look like another
    line of the program."""
    return "".join(letter if letter.isprintable() else "?" for letter in sentence)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser("acredita-verify", description=DESCRIPTION)
    parser.add_argument("file", type=Path, help=FILE)
    parser.add_argument("--trusted", type=Path, help=TRUSTED)
    given = parser.parse_args(arguments)
    try:
        code = check(given.file, given.trusted)
    except CannotRead as fault:
        parser.error(str(fault))
    sys.exit(code)
