"""Runs one command for a holder process and ensures that the command never outlives it.

A script that uses only the standard library. Its one argument is a JSON object:

    argv          the command
    holder        process id of the holder, which must be this process's parent
    stop_signal   the signal that asks the command to stop
    grace         seconds from that signal until its process group is killed
    account       [uid, gid] to run the command as, or null for the current user
    environment   the command's whole environment, or null for ours (no secrets: `ps` shows it)
    kept_fds      file descriptors that this process keeps open and the command must not get

The command stops when the holder closes our standard input, when the holder dies, or when we get
SIGTERM. SIGUSR1 kills it at once. If this process is killed, the kernel kills the command. This
needs a separate process for two reasons: the kernel's parent-death signal fires when the thread
that forked ends, which in the holder may be long before the holder ends; and dropping privileges
between fork and exec is not safe in a multi-threaded process.
"""

import contextlib
import ctypes
import json
import os
import select
import signal
import sys
import time
from typing import Any, NoReturn

_PR_SET_PDEATHSIG = 1
_CONTROL = 0
_STOP_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
_KILL_SIGNAL = signal.SIGUSR1
_HANDLED_SIGNALS = _STOP_SIGNALS | {_KILL_SIGNAL, signal.SIGCHLD}


def main() -> int:
    order = json.loads(sys.argv[1])
    for descriptor in order["kept_fds"]:
        os.set_inheritable(descriptor, False)
    signals = _signals_as_bytes()
    holder = _open_process(order["holder"])
    if os.getppid() != order["holder"]:
        return 1
    guardian = os.getpid()
    # Blocked until parent and child have their own handlers, so that no signal is lost.
    signal.pthread_sigmask(signal.SIG_BLOCK, _HANDLED_SIGNALS)
    command = os.fork()
    if command == 0:
        _exec_command(order, guardian)
    _make_group_leader(command)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _HANDLED_SIGNALS)
    return _watch(command, order, signals, holder)


def _open_process(pid: int) -> int | None:
    """A pidfd, readable when the process ends. None if the system has no pidfds.

    End-of-file on standard input means the same, but comes late if the holder's children keep the
    pipe open.
    """
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def _signals_as_bytes() -> int:
    """A descriptor from which each received signal is read as one byte."""
    readable, writable = os.pipe()
    os.set_blocking(readable, False)
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    for number in _HANDLED_SIGNALS:
        signal.signal(number, lambda *_: None)
    return readable


def _exec_command(order: dict[str, Any], guardian: int) -> NoReturn:
    try:
        _make_group_leader(0)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        if order["account"]:
            uid, gid = order["account"]
            os.setgroups([])
            os.setgid(gid)
            os.setuid(uid)
        if sys.platform == "linux":
            # After setuid, which clears it.
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != guardian:
            os._exit(1)
        for number in (*_HANDLED_SIGNALS, signal.SIGPIPE):  # Python ignores the last one
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _HANDLED_SIGNALS)
        environment = os.environ if order["environment"] is None else order["environment"]
        os.execvpe(order["argv"][0], order["argv"], environment)  # noqa: S606 (no shell on purpose)
    except BaseException as error:
        os.write(2, f"{order['argv'][0]}: {error}\n".encode())
    os._exit(127)


def _watch(command: int, order: dict[str, Any], signals: int, holder: int | None) -> int:
    poll = select.poll()
    for descriptor in (_CONTROL, signals, holder):
        if descriptor is not None:
            poll.register(descriptor, select.POLLIN)
    deadline: float | None = None
    while True:
        ended, status = os.waitpid(command, os.WNOHANG)
        if ended:
            _kill_group(command)
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        if deadline is not None and time.monotonic() >= deadline:
            _kill_group(command)
        for descriptor, _ in poll.poll(_milliseconds_until(deadline)):
            if descriptor == signals:
                received = set(_read(signals))
                if _KILL_SIGNAL in received:
                    deadline = time.monotonic()
                if not received & _STOP_SIGNALS:
                    continue
            else:
                poll.unregister(descriptor)  # it stays readable forever
            if deadline is None:
                deadline = time.monotonic() + order["grace"]
                os.kill(command, order["stop_signal"])


def _milliseconds_until(deadline: float | None) -> float | None:
    # After the deadline, repeat the kill: the first may have come before the group was complete.
    return None if deadline is None else max(0.05, deadline - time.monotonic()) * 1000


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1024)
    except BlockingIOError:
        return b""


def _make_group_leader(process: int) -> None:
    """Makes the command a process group leader. Parent and child call it: either may be first."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.setpgid(process, process)


def _kill_group(command: int) -> None:
    """Kills the command and its process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(command, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main())
