"""Runs the product's processes in one terminal, for `make dev` and `make demo`."""

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
    """A process ended that should keep running."""

    def __init__(self, name: str, exit_code: int) -> None:
        super().__init__(f"The process {name!r} ended with exit code {exit_code}.")
        self.name = name
        self.exit_code = exit_code


class Supervisor:
    """Runs child processes and copies their output lines, prefixed with their names, to `output`.

    On exit, the context manager sends SIGTERM to all of them, and SIGKILL after `grace` seconds; a
    Ctrl-C during that time kills them at once. They also die if this process is killed. Ctrl-C in
    the terminal does not reach them directly, so that they stop in the right order.
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
        """Starts a command that runs until we stop it. `env` is added to our environment."""
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
        """Runs a command and waits. Raises ProcessEndedError unless its exit code is 0."""
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

    def wait_healthy(self, url: str, note_every: float = 30.0) -> None:
        """Waits until `url` answers 200, however long the children take: a busy machine is slow.

        Writes a line to standard error every `note_every` seconds. Raises ProcessEndedError as soon
        as a child ends.
        """
        began = noted = time.monotonic()
        while not _answers_ok(url):
            now = time.monotonic()
            if now - noted > note_every:
                noted = now
                sys.stderr.write(
                    f"{url} does not answer 200 after {now - began:.0f} s. The processes run,"
                    " so the wait goes on (Ctrl-C stops it).\n"
                )
            try:
                raise self._ended.get(timeout=_HEALTH_PAUSE_SECONDS)
            except queue.Empty:
                continue

    def wait(self) -> NoReturn:
        """Waits until the first child ends, then raises ProcessEndedError."""
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
    """Makes SIGTERM exit through the context managers, like Ctrl-C. Call it in the main thread."""

    def leave(*_: object) -> NoReturn:
        raise SystemExit(128 + signal.SIGTERM)

    signal.signal(signal.SIGTERM, leave)


def _answers_ok(url: str) -> bool:
    # A proxy from the environment cannot reach loopback ports.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=_HEALTH_TRY_SECONDS) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False
