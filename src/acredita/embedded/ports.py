"""Ports on the loopback address."""

import socket
from collections.abc import Callable

from acredita.embedded.errors import PortTakenError

HOST = "127.0.0.1"
_TRIES = 5


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def require_free(port: int, host: str = HOST) -> None:
    """Raises PortTakenError if the port is in use."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise PortTakenError(
                f"Cannot use port {port} on {host} ({error.strerror}). Stop the program that "
                "listens there, or choose another port."
            ) from error


def listen_at(port: int | None, start: Callable[[int], None]) -> int:
    """Calls `start` with `port` or a free port, and returns it. Retries if it gets taken."""
    if port is not None:
        require_free(port)
        start(port)
        return port
    for tries_left in reversed(range(_TRIES)):
        port = free_port()
        try:
            start(port)
        except PortTakenError:
            if not tries_left:
                raise
        else:
            return port
    raise AssertionError("unreachable")
