"""Runs the whole product on this machine: servers, migrations, API and worker."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from acredita.embedded.ports import HOST, require_free
from acredita.embedded.processes import Supervisor
from acredita.embedded.servers import EmbeddedServers
from acredita.settings import Settings


@dataclass(frozen=True, slots=True)
class Stack:
    base_url: str
    # The settings of the processes, with the servers' URLs.
    environment: Mapping[str, str]
    supervisor: Supervisor


@contextmanager
def running_stack(
    settings: Settings,
    data_dir: Path,
    *,
    host: str = HOST,
    port: int,
    durable: bool,
    output: TextIO,
    extra: Mapping[str, str] | None = None,
) -> Iterator[Stack]:
    """Run the API on `port` and one worker, with the servers from the settings or embedded ones.

    Raise EmbeddedError, with a message for the terminal, if something does not start.
    """
    require_free(port, host)
    with ExitStack() as running:
        servers = running.enter_context(
            EmbeddedServers(
                data_dir,
                postgres=not settings.database_url,
                redis=not settings.redis_url,
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
        supervisor = running.enter_context(Supervisor(output=output))
        supervisor.run("migrate", _acredita("migrate"), env=environment)
        supervisor.start("api", _acredita("api"), env=environment)
        supervisor.start("worker", _acredita("worker"), env=environment | _own_port(settings))
        base_url = f"http://{host}:{port}"
        supervisor.wait_healthy(f"{base_url}/health")
        yield Stack(base_url, environment, supervisor)


def _own_port(settings: Settings) -> dict[str, str]:
    """The worker's metrics port. The API on the same machine already uses METRICS_PORT."""
    port = settings.metrics_port
    return {"ACREDITA_METRICS_PORT": str(port + 1)} if port else {}


def _acredita(command: str) -> list[str]:
    return [sys.executable, "-m", "acredita.cli", command]
