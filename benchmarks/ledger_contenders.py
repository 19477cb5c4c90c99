"""The CPU time of a job that does nothing: this ledger, a former one, procrastinate, pgqueuer.

Each run has a process and an empty database of its own. Runs alternate, so that whatever else the
machine does falls on all alike. The peers are installed on first use into an environment that may
be deleted. What cannot be had is skipped, and the report says so.
"""

import asyncio
import os
import subprocess
import sys
import venv
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import asyncpg
from sqlalchemy.engine import make_url

from benchmarks.bars import Bar
from benchmarks.other_commit import unpack

SCRIPT = Path(__file__).with_name("ledger_contender.py")
# The last commit whose runs each ended in a transaction of SQLAlchemy's.
BEFORE = "3c26afbd~1"
PACKAGES = ("procrastinate==3.10.0", "psycopg[binary]==3.3.9", "pgqueuer==1.6.0", "asyncpg")
ROUNDS = 3
# Of the CPU time of the former ledger.
MOST = 1 / 3
LONGEST_RUN = 300.0


@dataclass(frozen=True, slots=True)
class Contender:
    """A queue: the interpreter that has it, and the folder of its sources if it is of a commit."""

    name: str
    python: Path = Path(sys.executable)
    sources: Path | None = None


def measure(server_url: str, peers: Path | None, jobs: int) -> list[Bar]:
    """Print the costs. `peers`: the folder of the environment of the peers; None skips them."""
    with TemporaryDirectory(prefix="acredita-bench-") as folder:
        contenders = {"acredita": Contender("acredita"), **_others(Path(folder), peers)}
        costs: dict[str, list[float]] = {name: [] for name in contenders}
        for _ in range(ROUNDS):
            for name, contender in contenders.items():
                costs[name].append(cost(contender, server_url, jobs))
    ours = median(costs["acredita"])
    for name, found in costs.items():
        print(f"a job that does nothing, {name:13} {median(found):6.0f} us of CPU,", end=" ")
        print(f"{median(found) / ours:.2f} times acredita's")
    if BEFORE not in costs:
        return []
    ratio = median(costs["acredita"]) / median(costs[BEFORE])
    return [Bar.at_most("CPU of a job that does nothing, to the former ledger's", ratio, MOST)]


def _others(folder: Path, peers: Path | None) -> Mapping[str, Contender]:
    found = {}
    try:
        found[BEFORE] = Contender(
            "acredita", sources=unpack(BEFORE, folder / "former", "migrations")
        )
    except (subprocess.CalledProcessError, OSError) as fault:
        print(f"SKIPPED: the former ledger; the history has no {BEFORE}: {_last_line(fault)}")
    if peers is None:
        print("SKIPPED: procrastinate and pgqueuer; PEERS=1 installs and measures them")
        return found
    try:
        python = _environment(peers)
    except (subprocess.CalledProcessError, OSError) as fault:
        print(f"SKIPPED: procrastinate and pgqueuer; not installed: {_last_line(fault)}")
        return found
    return found | {name: Contender(name, python) for name in ("procrastinate", "pgqueuer")}


def _last_line(fault: Exception) -> str:
    output = getattr(fault, "stderr", None) or b""
    lines = output.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else str(fault)


def _environment(folder: Path) -> Path:
    """The interpreter of the peers' environment, made if it is absent."""
    python = folder / "bin" / "python"
    if not (folder / ".ready").exists():
        venv.create(folder, clear=True, with_pip=True)
        install = [python, "-m", "pip", "install", "--quiet", *PACKAGES]
        subprocess.run(install, check=True, capture_output=True)
        (folder / ".ready").touch()
    return python


def cost(contender: Contender, server_url: str, jobs: int) -> float:
    """CPU microseconds of one run of a contender, per job."""
    with empty_database(server_url) as url:
        plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        path = {} if contender.sources is None else {"PYTHONPATH": str(contender.sources)}
        run = subprocess.run(
            [contender.python, SCRIPT, contender.name, plain, str(jobs)],
            env=os.environ | path,
            stdout=subprocess.PIPE,
            timeout=LONGEST_RUN,
            check=True,
        )
    return float(run.stdout.split()[-1])


@contextmanager
def empty_database(server_url: str) -> Iterator[str]:
    """A database without tables, on the server that `server_url` names."""
    server = make_url(server_url)
    name = f"acredita_contender_{os.getpid()}"
    admin = server.set(drivername="postgresql").render_as_string(hide_password=False)
    asyncio.run(_execute(admin, f'CREATE DATABASE "{name}"'))
    try:
        yield server.set(database=name).render_as_string(hide_password=False)
    finally:
        asyncio.run(_execute(admin, f'DROP DATABASE "{name}" WITH (FORCE)'))


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()
