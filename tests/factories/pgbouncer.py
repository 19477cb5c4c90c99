"""PgBouncer in transaction mode, in front of the database of the tests."""

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from acredita.embedded.ports import HOST, free_port

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
START_SECONDS = 20.0
CONFIGURATION = """
[databases]
{database} = host={host} port={port} user={user} password={password}
[pgbouncer]
listen_addr = {listen_addr}
listen_port = {listen_port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {connections}
max_client_conn = {clients}
"""


@contextmanager
def pooler(
    database_url: str, folder: Path, *, connections: int, clients: int = 100
) -> Iterator[str]:
    """The URL of a PgBouncer with so many connections to PostgreSQL, and for so many clients.

    Skips the test where PgBouncer is not installed.
    """
    if PROGRAM is None:
        pytest.skip("pgbouncer is not installed: nothing shows that poolers work")
    url, port = make_url(database_url), free_port()
    file = folder / "pgbouncer.ini"
    file.write_text(
        CONFIGURATION.format(
            database=url.database,
            host=url.host,
            port=url.port,
            user=url.username,
            password=url.password or "''",
            listen_addr=HOST,
            listen_port=port,
            connections=connections,
            clients=clients,
        )
    )
    file.chmod(0o644)
    command = [PROGRAM, "-q", str(file)]
    if os.geteuid() == 0:
        # PgBouncer refuses to run as root, and drops to another user only by itself.
        for parent in (folder, *folder.parents[:3]):
            with contextlib.suppress(PermissionError):
                parent.chmod(parent.stat().st_mode | 0o055)
        command[1:1] = ["-u", "nobody"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        _await_port(port, process)
        pooled = url.set(host=HOST, port=port).update_query_dict({"pgbouncer": "true"})
        yield pooled.render_as_string(hide_password=False)
    finally:
        process.terminate()
        process.wait(timeout=20)


def _await_port(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection((HOST, port), 1):
            return
        time.sleep(0.05)
    pytest.fail("pgbouncer does not start")
