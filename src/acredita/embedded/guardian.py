"""Runs one command for a holder and makes sure that the command never outlives it.

Run as a script, on the standard library alone, with one argument, a JSON object:

    argv          the command
    holder        process id of the holder, which must be this process's parent
    stop_signal   how the command is asked to end
    grace         seconds it may take for that, before its process group is killed
    account       [uid, gid] to run the command as, or null to run it as we are
    environment   the command's whole environment, or null for ours (no secrets: `ps` shows it)
    withheld      file descriptors that this process keeps open and the command must not get

The command ends when the holder closes our standard input, when the holder dies by whatever signal,
or when we get SIGTERM; SIGUSR1 kills it at once. Should this process itself be killed, the kernel
kills the command. A process of its own is needed for that: the kernel's
parent-death signal follows the thread that forked, which in the holder may end long before the
holder does, and dropping privileges between fork and exec is not safe in a process with threads.
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
    for descriptor in order["withheld"]:
        os.set_inheritable(descriptor, False)
    signals = _signals_as_bytes()
    holder = _open_process(order["holder"])
    if os.getppid() != order["holder"]:
        return 1
    guardian = os.getpid()
    # Held back until each side of the fork answers in its own way: none may get lost in between.
    signal.pthread_sigmask(signal.SIG_BLOCK, _HANDLED_SIGNALS)
    command = os.fork()
    if command == 0:
        _become(order, guardian)
    _lead_group(command)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _HANDLED_SIGNALS)
    return _watch(command, order, signals, holder)


def _open_process(pid: int) -> int | None:
    """A descriptor that becomes readable when the process ends, where the system has such.

    Standard input tells the same, but later if the holder has forked: its children hold it open.
    """
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def _signals_as_bytes() -> int:
    """A descriptor that becomes readable, one byte a signal, when a signal arrives."""
    readable, writable = os.pipe()
    os.set_blocking(readable, False)
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    for number in _HANDLED_SIGNALS:
        signal.signal(number, lambda *_: None)
    return readable


def _become(order: dict[str, Any], guardian: int) -> NoReturn:
    try:
        _lead_group(0)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        if order["account"]:
            uid, gid = order["account"]
            os.setgroups([])
            os.setgid(gid)
            os.setuid(uid)
        if sys.platform == "linux":
            # After the change of user, which clears it.
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
                poll.unregister(descriptor)  # it stays readable for good
            if deadline is None:
                deadline = time.monotonic() + order["grace"]
                os.kill(command, order["stop_signal"])


def _milliseconds_until(deadline: float | None) -> float | None:
    # Past the deadline the kill is repeated, should the first have met a group still forming.
    return None if deadline is None else max(0.05, deadline - time.monotonic()) * 1000


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1024)
    except BlockingIOError:
        return b""


def _lead_group(process: int) -> None:
    """Makes the command the leader of a process group; both sides do, as either may come first."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.setpgid(process, process)


def _kill_group(command: int) -> None:
    """Kills the command with whatever it has started and not moved to a group of its own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(command, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main())
