"""Processes of the service that are forked from one which has imported it.

Importing the service takes a second or two of the processor. Tests that kill processes and start
them again spent most of their time on that. Such a process runs the same program from its first
line, with the arguments and the environment that it is given; only what it imports is there.
"""

import contextlib
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing import connection, forkserver, reduction
from pathlib import Path
from typing import IO, Any, Self

import httpx

from acredita.embedded.ports import HOST, free_port
from acredita.settings import Settings
from acredita.worker import JOB_MODULES

PROGRAM = [sys.executable, "-m"]
IMPORTED = [
    "uvloop",
    "acredita.cli",
    "acredita.settings_check.check_all",
    "acredita.api.processes",
    "acredita.api.server",
    "acredita.main",
    "acredita.worker",
    *JOB_MODULES,
]
TOLD_WITHIN = 10.0
START_SECONDS = 120.0
METHOD = multiprocessing.get_context("forkserver")
METHOD.set_forkserver_preload(IMPORTED)
Output = IO[Any] | int | None


class LoadedProcess:
    """In the place of `subprocess.Popen([sys.executable, "-m", …])`, as far as tests use that."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: Path | None = None,
        stdin: int = subprocess.DEVNULL,
        stdout: Output = None,
        stderr: Output = None,
        start_new_session: bool = False,
    ) -> None:
        assert [*argv[:2]] == PROGRAM
        assert stdin == subprocess.DEVNULL
        self.args, self._asking = argv, threading.Lock()
        self._process = METHOD.Process(
            target=_run,
            args=(
                list(argv[2:]),
                dict(env),
                cwd or Path.cwd(),
                [_Descriptor(stdout), _Descriptor(stderr)],
                start_new_session,
            ),
            daemon=True,
        )
        _start_server()
        self._process.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self.poll()

    def poll(self) -> int | None:
        with self._asking:
            return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        if self.poll() is None:
            connection.wait([self._process.sentinel], timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)
            if number == signal.SIGKILL:
                # Its parent learns it first: `poll` would still call it alive for a moment.
                connection.wait([self._process.sentinel], TOLD_WITHIN)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@contextmanager
def loaded_api(settings: Settings, log: Path, **more: str) -> Iterator[int]:
    """Yield the port of an API process over the database and Redis of `settings`, as `acredita api`
    starts it."""
    port = free_port()
    environment = {
        "ACREDITA_ENV": "test",
        "ACREDITA_HOST": HOST,
        "ACREDITA_PORT": str(port),
        "ACREDITA_DATABASE_URL": settings.database_url,
        "ACREDITA_REDIS_URL": settings.redis_url,
        "ACREDITA_DATA_DIR": str(settings.data_dir),
    }
    with log.open("w") as output:
        process = LoadedProcess(
            [*PROGRAM, "acredita.cli", "api"],
            env=os.environ | environment | more,
            stdout=output,
            stderr=output,
        )
        try:
            deadline = time.monotonic() + START_SECONDS
            while not _is_healthy(port):
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.1)
            yield port
        finally:
            process.terminate()
            process.wait(30)


def _is_healthy(port: int) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(f"http://{HOST}:{port}/health", trust_env=False).status_code == 200
    return False


class _Descriptor:
    """Standard output or error of a process; as a number, one of the process itself."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def __reduce__(self) -> tuple[Any, ...]:
        if self._output is None or self._output == subprocess.DEVNULL:
            return _opened, (self._output,)
        number = self._output if isinstance(self._output, int) else self._output.fileno()
        return _opened, (reduction.DupFd(number),)


def _opened(output: Any) -> int | None:
    if output is None:
        return None
    return os.open(os.devnull, os.O_WRONLY) if isinstance(output, int) else output.detach()


def _start_server() -> None:
    """Start the process that forks. It imports what this one would, and no library's threads."""
    before = dict(os.environ)
    os.environ |= {"PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"}
    try:
        forkserver.ensure_running()
    finally:
        os.environ.clear()
        os.environ.update(before)


def _run(
    program: list[str],
    environment: dict[str, str],
    folder: Path,
    outputs: list[int | None],
    is_session: bool,
) -> None:
    """Become the process: nothing but its imports is left of the one that forked it."""
    if is_session:
        os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for standard, output in enumerate(outputs, start=1):
        if output is not None:
            os.dup2(output, standard)
    sys.argv = program
    runpy.run_module(program[0], run_name="__main__", alter_sys=True)
