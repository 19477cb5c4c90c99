"""`python -m acredita.embedded run -- COMMAND` runs a command with its own PostgreSQL and Redis."""

import argparse
import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from acredita.embedded.errors import EmbeddedError
from acredita.embedded.servers import EmbeddedServers, temporary_servers

_PR_SET_PDEATHSIG = 1
FORWARDED = (signal.SIGTERM, signal.SIGHUP)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m acredita.embedded", description=__doc__)
    actions = parser.add_subparsers(required=True, metavar="run")
    run = actions.add_parser(
        "run",
        help="start both servers, run COMMAND with ACREDITA_DATABASE_URL and ACREDITA_REDIS_URL "
        "set, stop them; exits as COMMAND does",
    )
    run.add_argument(
        "--data-dir",
        type=Path,
        help="keep the data in this folder (default: throw-away servers in a temporary one)",
    )
    run.add_argument("command", nargs="+", metavar="COMMAND")
    arguments = parser.parse_args()
    servers = EmbeddedServers(arguments.data_dir) if arguments.data_dir else temporary_servers()
    try:
        # Until the command runs, these signals exit through the context managers. Then they are
        # forwarded to the command.
        for number in FORWARDED:
            signal.signal(number, lambda number, _: sys.exit(128 + number))
        with servers as running:
            return _run(arguments.command, running.environment())
    except EmbeddedError as error:
        print(f"acredita.embedded: {error}", file=sys.stderr)  # noqa: T201 (a command prints)
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _run(command: list[str], settings: dict[str, str]) -> int:
    """Runs the command in our terminal and process group, so that it can be interactive."""
    prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

    def prepare_child() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, FORWARDED)
        if prctl:
            prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)

    # The terminal also sends Ctrl-C to the command, and the command handles it.
    signal.signal(signal.SIGINT, lambda *_: None)
    # A signal that arrives while the command starts stays pending until `forward` is installed.
    signal.pthread_sigmask(signal.SIG_BLOCK, FORWARDED)
    try:
        process = subprocess.Popen(  # noqa: S603 (the user's own command)
            command,
            env=os.environ | settings,
            preexec_fn=prepare_child,  # noqa: PLW1509 (this process has one thread)
        )
    except OSError as error:
        raise EmbeddedError(f"Cannot run {command[0]}: {error.strerror}.") from error

    def forward(number: int, _: Any) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(number)

    for number in FORWARDED:
        signal.signal(number, forward)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, FORWARDED)
    code = process.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
