"""The whole product on this machine: servers, schema, API, worker; started and stopped by us."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from acredita.embedded.errors import EmbeddedError, PortTakenError
from acredita.embedded.processes import Supervisor
from acredita.embedded.servers import EmbeddedServers

HOST = "127.0.0.1"
START_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Stack:
    base_url: str
    # What the processes were given; the servers' addresses are among it.
    environment: Mapping[str, str]
    supervisor: Supervisor


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def check_port(host: str, port: int) -> None:
    """Raise PortTakenError when somebody listens there already."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            raise PortTakenError(
                f"Port {port} of {host} is taken. Stop what listens there, or set ACREDITA_PORT."
            ) from None


@contextmanager
def running_stack(
    data_dir: Path,
    *,
    host: str = HOST,
    port: int,
    durable: bool,
    output: TextIO,
    extra: Mapping[str, str] | None = None,
) -> Iterator[Stack]:
    """The API on `port` and one worker, over the servers that the environment names or our own.

    Raise EmbeddedError, in words for a terminal, when something does not start.
    """
    check_port(host, port)
    with ExitStack() as running:
        servers = running.enter_context(
            EmbeddedServers(
                data_dir,
                postgres="ACREDITA_DATABASE_URL" not in os.environ,
                redis="ACREDITA_REDIS_URL" not in os.environ,
                durable=durable,
            )
        )
        environment = {
            "ACREDITA_DATA_DIR": str(data_dir),
            "ACREDITA_HOST": host,
            "ACREDITA_PORT": str(port),
            **servers.environment(),
            **(extra or {}),
        }
        _migrate(environment)
        supervisor = running.enter_context(Supervisor(output=output))
        supervisor.start("api", _acredita("api"), env=environment)
        supervisor.start("worker", _acredita("worker"), env=environment)
        base_url = f"http://{host}:{port}"
        supervisor.wait_healthy(f"{base_url}/health", START_SECONDS)
        yield Stack(base_url, environment, supervisor)


def _acredita(command: str) -> list[str]:
    return [sys.executable, "-m", "acredita.cli", command]


def _migrate(environment: Mapping[str, str]) -> None:
    done = subprocess.run(  # noqa: S603 (our own command)
        _acredita("migrate"),
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last_words = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise EmbeddedError(f"The database could not be migrated: {last_words[0]}")
