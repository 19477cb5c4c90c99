"""Kill everything, again and again, while customers come; then see what the promises are worth.

    python -m tests.chaos [--n 1500] [--minutes 6] [--seed 1] [--keep]

Two API processes, three workers, PostgreSQL and Redis run as children. For so many minutes N
verifications come in, evenly, through clients that repeat what fails, while workers, API and Redis
are killed, workers frozen beyond their lease, Redis emptied, PostgreSQL crashed. A policy with a
branch decides them, beside a shadow. A receiver that misbehaves writes down every webhook. Then the
faults stop; within a minute everything must have come to its end. Exits with 1 when a promise is
broken. The same seed has the same faults.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

from acredita.embedded.processes import unwind_on_sigterm
from tests.chaos.course import run
from tests.chaos.customers import Customers
from tests.chaos.faults import Faults
from tests.chaos.installation import Installation


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--n", type=int, default=1500, help="verifications")
    parser.add_argument("--minutes", type=float, default=6.0, help="of faults")
    parser.add_argument("--seed", type=int, default=1, help="of faults and customers")
    parser.add_argument("--keep", action="store_true", help="keep the folder with data and logs")
    chosen = parser.parse_args()
    unwind_on_sigterm()
    folder = Path(tempfile.mkdtemp(prefix="acredita-chaos-"))
    keep = chosen.keep
    try:
        with Installation(folder, chosen.seed).running() as installation:
            seconds = chosen.minutes * 60
            customers = Customers(installation, seed=chosen.seed, has_policies=True)
            faults = Faults(installation, seconds=seconds, seed=chosen.seed)
            told = asyncio.run(run(installation, customers, faults, count=chosen.n))
        sys.stdout.write(told.text() + "\n")
        keep = keep or not told.is_kept
        return 0 if told.is_kept else 1
    finally:
        if keep:
            sys.stdout.write(f"Data and logs: {folder}\n")
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
