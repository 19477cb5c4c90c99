"""Writes the database to a file and loads it, with PostgreSQL's own client programs.

A dump is loaded as SQL by psql, so that a server may be older than the one it comes from.
"""

import asyncio
import os
import re
import shutil
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import text

from acredita.embedded import client_program
from acredita.kit.database_url import libpq_environment
from acredita.services import open_database
from acredita.settings import Settings

SECONDS_FOR_A_QUESTION = 30.0
# Of PostgreSQL 17, in the head of a dump: an older server refuses it. Its value is the default.
UNKNOWN_BEFORE_17 = b"SET transaction_timeout = 0;"
LINES_OF_THE_HEAD = 60
CHUNK = 1 << 16


class BackupFailed(Exception):
    """The message is for the operator."""


@dataclass(frozen=True, slots=True)
class _Program:
    version: int
    path: str | Path


async def write_dump(settings: Settings, file: Path) -> int:
    """Write the database to a new file. Return the major version of pg_dump. Raise BackupFailed."""
    server = await _server_version(settings)
    fitting = [one for one in await _found("pg_dump") if one.version >= server]
    if not fitting:
        raise await _missing("pg_dump", f"The server is PostgreSQL {server}", server)
    process = await asyncio.create_subprocess_exec(
        *(fitting[0].path, "--format=custom", f"--file={file}"),
        env=_environment(settings),
        stderr=PIPE,
    )
    _, output = await process.communicate()
    if process.returncode:
        raise BackupFailed(_said("pg_dump", output))
    return fitting[0].version


async def load_dump(settings: Settings, file: Path, version: int) -> None:
    """Load a dump that pg_dump of this version wrote, in one transaction. Raise BackupFailed."""
    fitting = [one for one in await _found("pg_restore") if one.version >= version]
    if not fitting:
        raise await _missing("pg_restore", f"The backup is of pg_dump {version}", version)
    programs = await _found("psql")
    if not programs:
        raise await _missing("psql", f"The backup is of pg_dump {version}", version)
    reader = await asyncio.create_subprocess_exec(
        *(fitting[0].path, "--no-owner", "--no-privileges", "--file=-", str(file)),
        stdout=PIPE,
        stderr=PIPE,
    )
    writer = await asyncio.create_subprocess_exec(
        *(
            programs[0].path,
            "--no-psqlrc",
            "--no-password",
            "--quiet",
            "--set=ON_ERROR_STOP=1",
            "--file=-",
        ),
        env=_environment(settings),
        stdin=PIPE,
        stdout=DEVNULL,
        stderr=PIPE,
    )
    _, of_reader, of_writer = await asyncio.gather(
        _pass_on(reader, writer), _errors(reader), _errors(writer)
    )
    # psql may end early, and pg_restore is then killed, or late, since pg_restore failed.
    if await reader.wait() > 0:
        raise BackupFailed(_said("pg_restore", of_reader))
    if await writer.wait():
        raise BackupFailed(_said("psql", of_writer))


async def _pass_on(reader: Process, writer: Process) -> None:
    """Send the statements of one program to the other. Commit only if the first one succeeds."""
    source, target = reader.stdout, writer.stdin
    if source is None or target is None:
        raise RuntimeError("the programs have no pipes")
    with suppress(ConnectionError):
        target.write(b"BEGIN;\n")
        for _ in range(LINES_OF_THE_HEAD):
            line = await source.readline()
            if line.rstrip() != UNKNOWN_BEFORE_17:
                target.write(line)
        while not target.is_closing() and (chunk := await source.read(CHUNK)):
            target.write(chunk)
            await target.drain()
        if not target.is_closing() and not await reader.wait():
            target.write(b"COMMIT;\n")
        target.close()
        await target.wait_closed()
    # It still runs if psql ended early, at an error.
    with suppress(ProcessLookupError):
        reader.kill()


async def _errors(process: Process) -> bytes:
    return await process.stderr.read() if process.stderr else b""


async def _server_version(settings: Settings) -> int:
    async with (
        open_database(settings, statement_timeout=SECONDS_FOR_A_QUESTION) as database,
        database.reading() as connection,
    ):
        number = await connection.scalar(text("SELECT current_setting('server_version_num')"))
    return int(str(number)) // 10_000


def _environment(settings: Settings) -> dict[str, str]:
    """With the database's address: a list of processes would show the password of an argument."""
    return os.environ | libpq_environment(settings.direct_url)


async def _found(program: str) -> list[_Program]:
    """Return the program of the PATH, then that of the embedded server, which speaks no TLS."""
    places = [shutil.which(program), client_program(program)]
    return [_Program(await _version_of(path), path) for path in places if path is not None]


async def _missing(program: str, why: str, version: int) -> BackupFailed:
    has = ", ".join(str(one.version) for one in await _found(program)) or "none"
    return BackupFailed(
        f"{why}, and the versions of {program} here are: {has}. Install PostgreSQL's client"
        f" programs of version {version} or newer (on Debian: postgresql-client-{version}), and put"
        " their folder first in PATH."
    )


async def _version_of(path: str | Path) -> int:
    """The major version of one of PostgreSQL's programs; 0 if it does not say."""
    process = await asyncio.create_subprocess_exec(path, "--version", stdout=PIPE, stderr=DEVNULL)
    said, _ = await process.communicate()
    major = re.search(rb"\(PostgreSQL\) (\d+)", said)
    return int(major[1]) if major else 0


def _said(program: str, output: bytes) -> str:
    """The program's messages. Other lines may quote values of rows, which are personal data."""
    lines = [line for line in output.decode().splitlines() if line.startswith(program)]
    return "\n".join(lines) or f"{program} failed"
