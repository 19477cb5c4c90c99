"""Runs the product's own processes side by side in one terminal, for `make dev` and `make demo`."""

import os
import queue
import signal
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from subprocess import PIPE
from typing import IO, NoReturn, Self, TextIO

from acredita.embedded.errors import EmbeddedError
from acredita.embedded.guarded import GuardedProcess

_HEALTH_TRY_SECONDS = 2.0
_HEALTH_PAUSE_SECONDS = 0.1
_LAST_OUTPUT_SECONDS = 2.0
_PREFIX_WIDTH = 8


class ProcessEndedError(EmbeddedError):
    """A process that should be running has ended."""

    def __init__(self, name: str, exit_code: int) -> None:
        super().__init__(f"The process {name!r} ended with exit code {exit_code}.")
        self.name = name
        self.exit_code = exit_code


class Supervisor:
    """Children whose lines appear in `output` under their names, and which all end with us.

    As a context manager it stops them all on leaving: SIGTERM, and after `grace` seconds SIGKILL;
    a Ctrl-C meanwhile kills at once. They die too when this process is killed. Ctrl-C in a
    terminal doesn't reach them directly, so that they end in the order that we choose.
    """

    def __init__(self, *, output: TextIO | None = None, grace: float = 20.0) -> None:
        self._output = output or sys.stdout
        self._grace = grace
        self._processes: list[GuardedProcess] = []
        self._threads: list[threading.Thread] = []
        self._writing = threading.Lock()
        self._ended: queue.SimpleQueue[ProcessEndedError] = queue.SimpleQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(
        self,
        name: str,
        argv: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> GuardedProcess:
        """Starts a command that is to run until we end; `env` is added to our own environment."""
        process = self._launch(name, argv, env, cwd)
        self._in_background(self._report_end, name, process)
        return process

    def run(
        self,
        name: str,
        argv: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        """Runs a command to its end; raises ProcessEndedError unless its exit code is 0."""
        process = self._launch(name, argv, env, cwd)
        if code := process.wait():
            raise ProcessEndedError(name, code)

    def _launch(
        self, name: str, argv: Sequence[str], env: Mapping[str, str] | None, cwd: Path | None
    ) -> GuardedProcess:
        process = GuardedProcess(
            argv,
            output=PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **(env or {})},
            cwd=cwd,
            grace=self._grace,
        )
        self._processes.append(process)
        self._in_background(self._relay, name, process.output)
        return process

    def _in_background(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        thread.start()
        self._threads.append(thread)

    def wait_healthy(self, url: str, timeout: float = 60.0) -> None:
        """Returns when `url` answers 200.

        Raises ProcessEndedError as soon as a child ends, EmbeddedError after `timeout` seconds.
        """
        deadline = time.monotonic() + timeout
        while not _answers_ok(url):
            if time.monotonic() > deadline:
                raise EmbeddedError(f"{url} did not answer 200 within {timeout:.0f} s.")
            try:
                raise self._ended.get(timeout=_HEALTH_PAUSE_SECONDS)
            except queue.Empty:
                continue

    def wait(self) -> NoReturn:
        """Raises ProcessEndedError when the first child ends."""
        raise self._ended.get()

    def stop(self) -> None:
        try:
            for process in self._processes:
                process.ask_to_stop()
            for process in self._processes:
                process.stop()
        except KeyboardInterrupt:
            for process in self._processes:
                process.kill()
            raise
        finally:
            for thread in self._threads:
                thread.join(_LAST_OUTPUT_SECONDS)
            self._processes.clear()
            self._threads.clear()

    def _relay(self, name: str, output: IO[bytes]) -> None:
        with output:
            for line in output:
                text = line.decode("utf-8", "replace").rstrip("\r\n")
                with self._writing:
                    self._output.write(f"{name:<{_PREFIX_WIDTH}}| {text}\n")
                    self._output.flush()

    def _report_end(self, name: str, process: GuardedProcess) -> None:
        self._ended.put(ProcessEndedError(name, process.wait()))


def unwind_on_sigterm() -> None:
    """Makes SIGTERM leave through the context managers, as Ctrl-C does; for a main thread."""

    def leave(*_: object) -> NoReturn:
        raise SystemExit(128 + signal.SIGTERM)

    signal.signal(signal.SIGTERM, leave)


def _answers_ok(url: str) -> bool:
    # A proxy of the environment is no way to this machine's own ports.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=_HEALTH_TRY_SECONDS) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False
