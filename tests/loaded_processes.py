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
from collections.abc import Mapping, Sequence
from multiprocessing import connection, forkserver, reduction
from pathlib import Path
from typing import IO, Any, Self

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
_METHOD = multiprocessing.get_context("forkserver")
_METHOD.set_forkserver_preload(IMPORTED)
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
        self._process = _METHOD.Process(
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
