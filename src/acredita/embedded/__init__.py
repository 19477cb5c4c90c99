"""Starts PostgreSQL and Redis from Python packages, for development, tests and the demo.

Nothing needs to be installed on the machine, and nothing stays running on it: a small guardian
process (guardian.py) watches each server and stops it when this process ends, even if killed.
"""

from acredita.embedded.errors import (
    DiskFullError,
    EmbeddedError,
    FolderInUseError,
    MissingBinariesError,
    PortTakenError,
)
from acredita.embedded.postgres import EmbeddedPostgres, client_program
from acredita.embedded.redis import EmbeddedRedis
from acredita.embedded.servers import EmbeddedServers, temporary_servers
