"""TCP settings that detect a dead peer: a host that lost power, a network that is cut.

A dead peer closes no connection. By default the kernel waits for 15 minutes, and meanwhile every
running statement hangs, and with them every connection of the pool.
"""

import os
import socket

from asyncpg import Connection

# Seconds until sent data must be acknowledged.
UNACKNOWLEDGED = 8
# Seconds until the first keepalive probe and between probes; the number of unanswered probes.
FIRST_PROBE, NEXT_PROBE, PROBES = 4, 2, 2
# The options that this operating system supports.
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


def enable_keepalive(connection: Connection) -> None:
    """Make the kernel close this connection after about ten seconds without a response."""
    ours = connection._transport.get_extra_info("socket")  # noqa: SLF001 (asyncpg offers no other way)
    # uvloop's socket object accepts no options, so duplicate the descriptor.
    with socket.socket(fileno=os.dup(ours.fileno())) as same:
        if same.family is socket.AF_UNIX:
            return
        same.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in OPTIONS.items():
            same.setsockopt(socket.IPPROTO_TCP, option, value)
