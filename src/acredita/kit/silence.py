"""Connections whose other end has fallen silent: a host that lost power, a network that is cut.

Nobody says goodbye then. By default the kernel waits for a quarter of an hour, during which every
statement under way, and with them every connection of a pool, hangs.
"""

import os
import socket

from asyncpg import Connection

# Seconds: what was sent must be acknowledged within; when a silent connection is first asked for a
# sign of life, how often then, and how many may be missing.
UNACKNOWLEDGED = 8
FIRST_PROBE, NEXT_PROBE, PROBES = 4, 2, 2
# Those that this system knows.
OPTIONS = {
    getattr(socket, name): value
    for name, value in {
        "TCP_USER_TIMEOUT": UNACKNOWLEDGED * 1000,
        "TCP_KEEPIDLE": FIRST_PROBE,
        "TCP_KEEPINTVL": NEXT_PROBE,
        "TCP_KEEPCNT": PROBES,
    }.items()
    if hasattr(socket, name)
}


def bound_silence(connection: Connection) -> None:
    """Let the kernel end this connection within some ten seconds of silence."""
    ours = connection._transport.get_extra_info("socket")  # noqa: SLF001 (asyncpg offers no other way)
    # A descriptor of the same socket: an event loop's own stand-in takes no options.
    with socket.socket(fileno=os.dup(ours.fileno())) as same:
        if same.family is socket.AF_UNIX:
            return
        same.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in OPTIONS.items():
            same.setsockopt(socket.IPPROTO_TCP, option, value)
