"""PostgreSQL and Redis together."""

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from acredita.embedded.errors import EmbeddedError
from acredita.embedded.folder import lock_folder
from acredita.embedded.lifecycle import Startable
from acredita.embedded.postgres import EmbeddedPostgres
from acredita.embedded.redis import EmbeddedRedis

_TEMPORARY_PREFIX = "acredita-embedded-"
# The creator of a younger folder may not have locked it yet.
_LEAST_ABANDONED_SECONDS = 60.0


class EmbeddedServers(Startable):
    """PostgreSQL and Redis under `data_dir`. Either can be left out if one already exists.

    Several instances can run at once, each in its own folder.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        postgres: bool = True,
        redis: bool = True,
        postgres_port: int | None = None,
        redis_port: int | None = None,
        durable: bool = True,
    ) -> None:
        self._postgres = (
            EmbeddedPostgres(data_dir / "postgres", port=postgres_port, durable=durable)
            if postgres
            else None
        )
        self._redis = EmbeddedRedis(data_dir / "redis", port=redis_port) if redis else None
        self._running = ExitStack()

    @property
    def database_url(self) -> str:
        if self._postgres is None:
            raise EmbeddedError("This stack does not run PostgreSQL.")
        return self._postgres.database_url

    @property
    def redis_url(self) -> str:
        if self._redis is None:
            raise EmbeddedError("This stack does not run Redis.")
        return self._redis.redis_url

    def environment(self) -> dict[str, str]:
        """The settings (environment variables) that point the product to these servers."""
        settings = {}
        if self._postgres:
            settings["ACREDITA_DATABASE_URL"] = self.database_url
            # There, the published development keys suffice.
            settings["ACREDITA_EMBEDDED_POSTGRES"] = self._postgres.address
        if self._redis:
            settings["ACREDITA_REDIS_URL"] = self.redis_url
        return settings

    def start(self) -> None:
        with ExitStack() as starting:
            for server in (self._postgres, self._redis):
                if server:
                    starting.enter_context(server)
            self._running = starting.pop_all()

    def stop(self) -> None:
        self._running.close()


@contextmanager
def temporary_servers() -> Iterator[EmbeddedServers]:
    """Runs servers in a temporary folder and removes it at the end."""
    _remove_abandoned()
    folder = Path(tempfile.mkdtemp(prefix=_TEMPORARY_PREFIX))
    lock = lock_folder(folder)
    try:
        with EmbeddedServers(folder, durable=False) as servers:
            yield servers
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _remove_abandoned() -> None:
    """Removes the temporary folders of stacks that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_TEMPORARY_PREFIX}*"):
        try:
            about = folder.lstat()
            young = time.time() - about.st_mtime < _LEAST_ABANDONED_SECONDS
            if young or not stat.S_ISDIR(about.st_mode) or about.st_uid != os.geteuid():
                continue
            with ExitStack() as held:
                for part in (folder, folder / "postgres", folder / "redis"):
                    if part.exists():
                        held.callback(os.close, lock_folder(part, patient=False))
                shutil.rmtree(folder, ignore_errors=True)
        except (EmbeddedError, OSError):
            continue  # in use, or another process removes it
