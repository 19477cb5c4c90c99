"""Processes of a parallel run that are forked from one which has imported all tests.

To import the service, its libraries and the tests takes each process ten seconds of the processor.
So the first process of the run forks one that imports them, once; in place of a new interpreter,
xdist gets a fork of that. It has imported what a new one would when it collects the tests, and has
nothing else: no thread, no connection, no child, no folder of the run. What a module of tests reads
of its environment when it is imported is the same in all processes.
"""

import atexit
import gc
import json
import os
import select
import signal
import socket
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from _pytest.config import apply_warning_filters
from _pytest.outcomes import OutcomeException
from _pytest.pathlib import import_path
from execnet import gateway_io
from execnet.gateway_base import Popen2IO
from execnet.gateway_io import popen_bootstrapline

LARGEST_REQUEST = 1_000_000


def install(config: pytest.Config) -> Callable[[], None]:
    """Let xdist fork its processes in this run. Return what ends it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LARGEST_REQUEST)
    pid = _fork(lambda: _serve(config, ours, theirs))
    theirs.close()
    create = gateway_io.create_io

    def fork_or_create(spec: Any, execmodel: Any) -> Any:
        is_usual = spec.popen and not spec.python
        return _Forked(ours, execmodel) if is_usual else create(spec, execmodel)

    def end() -> None:
        gateway_io.create_io = create
        ours.close()
        os.waitpid(pid, 0)

    gateway_io.create_io = fork_or_create  # type: ignore[assignment]
    return end


class _Forked(Popen2IO):
    """In place of execnet's `Popen2IOMaster`: a process of the same protocol, but forked."""

    def __init__(self, server: socket.socket, execmodel: Any) -> None:
        standard_input, to_process = os.pipe()
        from_process, standard_output = os.pipe()
        state = json.dumps([str(Path.cwd()), dict(os.environ)]).encode()
        socket.send_fds(server, [state], [standard_input, standard_output])
        os.close(standard_input)
        os.close(standard_output)
        self._pid = int(server.recv(100))
        # The number stays its own until its parent forks the next one.
        self._process = os.pidfd_open(self._pid)
        super().__init__(os.fdopen(to_process, "wb"), os.fdopen(from_process, "rb"), execmodel)

    def wait(self) -> None:
        select.select([self._process], [], [])

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._process, signal.SIGKILL)


def _fork(run: Callable[[], object]) -> int:
    """Run the function in a process that ends with it: what called this is not its own."""
    if pid := os.fork():
        return pid
    try:
        run()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    finally:
        os._exit(0)


def _serve(config: pytest.Config, ours: socket.socket, server: socket.socket) -> None:
    ours.close()
    # Ctrl-C reaches all processes of the run: the others end, and then this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stop_capturing(config)
    _import_tests(config)
    gc.collect()
    gc.freeze()
    while True:
        state, descriptors, *_ = socket.recv_fds(server, LARGEST_REQUEST, 2)
        _bury_dead(0 if not state else os.WNOHANG)
        if not state:
            return
        server.send(b"%d" % _fork(partial(_become_worker, server, state, *descriptors)))
        for descriptor in descriptors:
            os.close(descriptor)


def _stop_capturing(config: pytest.Config) -> None:
    """Give standard input, output and error back. A library that has noted the output while it was
    captured (alembic does) may write to it: to nowhere."""
    if capturing := config.pluginmanager.getplugin("capturemanager")._global_capturing:
        capturing.suspend_capturing(in_=True)
        for capture in (capturing.out, capturing.err):
            if hasattr(capture, "tmpfile"):
                os.dup2(os.open(os.devnull, os.O_WRONLY), capture.tmpfile.fileno())


def _import_tests(config: pytest.Config) -> None:
    """Import what the run will collect, as it would. What fails there fails again in the run."""
    with warnings.catch_warnings():
        apply_warning_filters(config.getini("filterwarnings"), config.option.pythonwarnings or [])
        for file in _files(config):
            with suppress(Exception, OutcomeException):
                import_path(file, root=config.rootpath, consider_namespace_packages=False)


def _files(config: pytest.Config) -> Iterator[Path]:
    for argument in config.args:
        path = config.invocation_params.dir / argument.partition("::")[0]
        yield from [path] if path.is_file() else sorted(path.rglob("test_*.py"))


def _bury_dead(options: int) -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, options)[0]:
            pass


def _become_worker(
    server: socket.socket, state: bytes, standard_input: int, standard_output: int
) -> None:
    """Do what `python -c` with execnet's line would."""
    server.close()
    os.dup2(standard_input, 0)
    os.dup2(standard_output, 1)
    os.close(standard_input)
    os.close(standard_output)
    folder, environment = json.loads(state)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.unraisablehook, threading.excepthook = sys.__unraisablehook__, threading.__excepthook__
    sys.argv = ["-c"]
    # The children of `multiprocessing` would run the file of this one again.
    sys.modules["__main__"] = ModuleType("__main__")
    exec(popen_bootstrapline, {"__name__": "__main__"})  # noqa: S102 (execnet's)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
