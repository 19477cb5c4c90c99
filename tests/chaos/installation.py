"""An installation of children that may be killed: PostgreSQL, Redis, API processes, workers.

Every process has its own pid and port. A dead process is restarted on its port. A process that ends
without a signal from the test is an error of the service, and is recorded.
"""

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import httpx
from sqlalchemy.engine import make_url

from acredita.embedded import EmbeddedPostgres
from acredita.embedded.ports import free_port
from acredita.kit.migrations import upgrade
from tests.factories.receiver import HOST, make_authority
from tests.loaded_processes import PROGRAM, LoadedProcess
from tests.reliability.fleet import KillableRedis

APIS, WORKERS = 2, 3
# Seconds, scaled down: what takes minutes in use must happen several times in a run.
LEASE = 4.0
FROZEN = 6.0
HURRIED = {
    "ACREDITA_JOB_LEASE": str(LEASE),
    "ACREDITA_WEBHOOK_TIMEOUT": "2",
    "ACREDITA_WEBHOOK_RETRY_DELAYS": "0.5,1,2,4",
}
WITHOUT_ENGINES = "--queues=webhooks,registries,light"
START_SECONDS = 60.0
LOOK = 0.1
Process = subprocess.Popen[bytes] | LoadedProcess

NO_LIMITS = dict.fromkeys(
    (
        "ACREDITA_ORG_RATE_LIMIT",
        "ACREDITA_ORG_RATE_BURST",
        "ACREDITA_IP_RATE_LIMIT",
        "ACREDITA_IP_RATE_BURST",
    ),
    "100000",
)


class Child:
    """A process of the product's; its lines go to a file, over all its lives."""

    def __init__(
        self,
        name: str,
        argv: list[str],
        environment: Mapping[str, str],
        folder: Path,
        *,
        launch: Callable[..., Process] = subprocess.Popen,
    ) -> None:
        self.name = name
        self._argv, self._environment, self._folder = argv, environment, folder
        self.log = folder / f"{name}.log"
        self._output: IO[bytes] | None = None
        self._launch = launch
        self._process: Process | None = None
        self._is_condemned = False
        # Exit codes of the runs that ended without a signal from the test.
        self.ended: list[int] = []

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it, unless it runs."""
        if self._process is not None:
            code = self._process.poll()
            if code is None:
                return
            if not self._is_condemned:
                self.ended.append(code)
        self._is_condemned = False
        self._output = self._output or self.log.open("ab")
        self._process = self._launch(
            self._argv,
            env=os.environ | self._environment,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            # Ctrl-C is for the program, which ends its children in order.
            start_new_session=True,
        )

    def send(self, number: signal.Signals) -> None:
        if self._process is not None and self.is_alive:
            self._is_condemned = self._is_condemned or number in {signal.SIGKILL, signal.SIGTERM}
            self._process.send_signal(number)

    def stop(self, patience: float) -> int | None:
        """End it gently; its exit code, or None if it had to be killed."""
        if self._process is None:
            return None
        self.send(signal.SIGCONT)
        self.send(signal.SIGTERM)
        try:
            return self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return None
        finally:
            if self._output is not None:
                self._output.close()
                self._output = None


class Installation:
    def __init__(
        self,
        folder: Path,
        seed: int,
        *,
        is_calm: bool = False,
        apis: int = APIS,
        workers: int = WORKERS,
        readers: int = WORKERS,
    ) -> None:
        """`is_calm`: leases and time-outs are those of use, and the receiver behaves. `readers`:
        how many workers have engines, which take seconds of the processor to start."""
        self.folder = folder
        self._workers, self._readers = workers, readers
        # Durable: what is lost with a crash must not be what was committed.
        self.postgres = EmbeddedPostgres(folder / "postgres", port=free_port(), durable=True)
        self.redis = KillableRedis()
        self.api_ports = [free_port() for _ in range(apis)]
        self.receiver_port = free_port()
        self.received = folder / "received.jsonl"
        self.apis: list[Child] = []
        self.workers: list[Child] = []
        self._seed, self._is_calm = seed, is_calm

    @property
    def database_url(self) -> str:
        return self.postgres.database_url

    @property
    def files(self) -> Path:
        return self.folder / "files"

    @property
    def children(self) -> list[Child]:
        return [*self.apis, *self.workers]

    def hook(self, name: str) -> str:
        return f"https://{HOST}:{self.receiver_port}/{name}"

    @contextmanager
    def running(self) -> Iterator["Installation"]:
        with ExitStack() as running:
            running.enter_context(self.postgres)
            upgrade(self.database_url)
            self.redis.start()
            running.callback(self.redis.kill)
            authority = make_authority(self.folder)
            self._environment = self._settings(authority.ca_file, authority.names)
            certificate = self.folder / "receiver.pem"
            authority.ca.issue_cert(HOST).private_key_and_cert_chain_pem.write_to_path(
                str(certificate)
            )
            receiver = self._child("receiver", "tests.chaos.receiver", *self._hears(certificate))
            self.apis = [
                self._child(f"api{number}", "acredita.cli", "api", f"--port={port}")
                for number, port in enumerate(self.api_ports)
            ]
            self.workers = [
                self._child(
                    f"worker{number}",
                    *("acredita.cli", "worker"),
                    *([] if number < self._readers else [WITHOUT_ENGINES]),
                )
                for number in range(self._workers)
            ]
            for child in (receiver, *self.children):
                child.start()
                running.callback(child.stop, 5.0)
            self._wait_until_healthy()
            yield self

    async def keep_up(self) -> None:
        """Restart dead processes until cancelled, as a process supervisor does."""
        while True:
            for child in self.children:
                child.start()
            await asyncio.sleep(LOOK)

    def crash_postgres(self) -> None:
        """`pg_ctl restart -m immediate`: no goodbye to anybody, recovery from the log."""
        pid_file = self.postgres.folder / "data" / "postmaster.pid"
        os.kill(int(pid_file.read_text().split()[0]), signal.SIGQUIT)
        self.postgres.stop()
        self.postgres.start()

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        argv = [*PROGRAM, "acredita.cli", *arguments]
        with TemporaryFile("w+") as output, TemporaryFile("w+") as errors:
            code = LoadedProcess(
                argv,
                env=os.environ | self._environment,
                cwd=self.folder,
                stdout=output,
                stderr=errors,
            ).wait()
            output.seek(0)
            errors.seek(0)
            return subprocess.CompletedProcess(argv, code, output.read(), errors.read())

    def _child(self, name: str, module: str, *arguments: str) -> Child:
        argv = [*PROGRAM, module, *arguments]
        return Child(name, argv, self._environment, self.folder, launch=LoadedProcess)

    def _hears(self, certificate: Path) -> list[str]:
        return [
            *(str(self.receiver_port), str(certificate), str(self.received), str(self._seed)),
            *(["well-behaved"] if self._is_calm else []),
        ]

    def _settings(self, ca_file: Path, names: Path) -> dict[str, str]:
        project = str(Path(__file__).parents[2])
        return NO_LIMITS | {
            # They run in the folder, where no `.env` is.
            "PYTHONPATH": os.pathsep.join([project, os.environ.get("PYTHONPATH", "")]),
            "ACREDITA_ENV": "test",
            "ACREDITA_DATABASE_URL": self.database_url,
            "ACREDITA_DATABASE_POOL_SIZE": "8",
            "ACREDITA_REDIS_URL": self.redis.url,
            "ACREDITA_DATA_DIR": str(self.folder),
            "ACREDITA_WEBHOOK_CA_FILE": str(ca_file),
            "ACREDITA_WEBHOOK_RESOLVER": str(names),
            "ACREDITA_WEBHOOK_ALLOW_PRIVATE": "true",
            "ACREDITA_ENGINE_THREADS": "1",
            **({} if self._is_calm else HURRIED),
        }

    def _wait_until_healthy(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        with httpx.Client(trust_env=False) as client:
            for api, port in zip(self.apis, self.api_ports, strict=True):
                while not _answers(client, port):
                    if not api.is_alive or time.monotonic() > deadline:
                        lines = api.log.read_text().splitlines()[-5:]
                        raise RuntimeError("\n".join(["the API does not start:", *lines]))
                    time.sleep(0.1)


def _answers(client: httpx.Client, port: int) -> bool:
    try:
        client.get(f"http://127.0.0.1:{port}/health")
    except httpx.TransportError:
        return False
    return True


def plain_url(database_url: str) -> str:
    """For asyncpg."""
    return make_url(database_url).set(drivername="postgresql").render_as_string(hide_password=False)
