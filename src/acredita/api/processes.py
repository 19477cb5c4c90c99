"""Several API processes that share a port. Each listens by itself (SO_REUSEPORT), and the kernel
distributes the connections. The parent serves nothing: it starts the processes again that die."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

import structlog
from uvicorn.config import STARTUP_FAILURE

log = structlog.get_logger()

WRONG_SETTINGS = 2
# Seconds before a process that died is started again.
PAUSE = 1.0
PR_SET_PDEATHSIG = 1


def supervise(command: Sequence[str], environments: Sequence[Mapping[str, str]]) -> int:
    """Run the command once for each environment until SIGTERM or SIGINT. Return the exit code.

    A process that cannot start (wrong settings, a failed start-up) ends all of them.
    """
    children: dict[int, subprocess.Popen[bytes]] = {}
    stopping = False
    result = 0

    def stop(*_: object) -> None:
        nonlocal stopping
        stopping = True
        for child in children.values():
            child.terminate()

    def start(number: int) -> None:
        environment = os.environ | environments[number]
        children[number] = subprocess.Popen([*command, str(os.getpid())], env=environment)  # noqa: S603 (our own command)
        if stopping:
            children[number].terminate()

    for signal_number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signal_number, stop)
    for number in range(len(environments)):
        start(number)
    while children:
        pid, status = os.wait()
        number = next(n for n, child in children.items() if child.pid == pid)
        code = os.waitstatus_to_exitcode(status)
        children.pop(number).returncode = code
        if stopping:
            continue
        if code in (WRONG_SETTINGS, STARTUP_FAILURE):
            result = code
            stop()
            continue
        log.error("api.process_died", number=number, exit_code=code)
        time.sleep(PAUSE)
        if not stopping:
            start(number)
    return result


def end_with_parent() -> None:
    """End this process when the parent, whose id is the last argument, ends in any way."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(sys.argv[-1]):
        raise SystemExit(0)


def shared_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket on a port that other processes of this user may share."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listening.bind((host, port))
    listening.set_inheritable(False)
    return listening
