"""PostgreSQL and Redis started from Python packages: for development, tests and the demo.

Nothing has to be installed on the machine, and nothing is left running on it: each server is
watched by a small guardian process (guardian.py) that ends it when we end, in whatever way.
"""

from acredita.embedded.errors import (
    DiskFullError,
    EmbeddedError,
    FolderInUseError,
    MissingBinariesError,
    PortTakenError,
)
from acredita.embedded.postgres import EmbeddedPostgres
from acredita.embedded.redis import EmbeddedRedis
from acredita.embedded.servers import EmbeddedServers, temporary_servers

__all__ = [
    "DiskFullError",
    "EmbeddedError",
    "EmbeddedPostgres",
    "EmbeddedRedis",
    "EmbeddedServers",
    "FolderInUseError",
    "MissingBinariesError",
    "PortTakenError",
    "temporary_servers",
]
