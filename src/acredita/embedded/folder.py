"""A server's folder: held by one live server at a time, with its log."""

import fcntl
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from acredita.embedded.errors import DiskFullError, EmbeddedError, FolderInUseError, PortTakenError
from acredita.embedded.guarded import GuardedProcess

_LEAST_FREE_BYTES = 128 << 20  # a new cluster takes 40 MB, a running one a few WAL files of 16 MB
_LARGEST_LOG_BYTES = 8 << 20
_TAIL_BYTES = 2_000
# How long a folder may stay held before it counts as taken: a holder that is alive may be just
# leaving; the server of one that was killed may have much to write before it ends.
_PATIENCE_WITH_LIVE_SECONDS = 1.0
_PATIENCE_WITH_DEAD_SECONDS = 20.0


def open_folder(folder: Path) -> None:
    """Creates the folder, private to us, on a file system with room for a server."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise EmbeddedError(f"The folder {folder} can't be used: {error.strerror}.") from error
    if free < _LEAST_FREE_BYTES:
        raise DiskFullError(
            f"The disk of {folder} is full: {free >> 20} MB free, "
            f"{_LEAST_FREE_BYTES >> 20} MB needed."
        )


def lock_folder(folder: Path, *, patient: bool = True) -> int:
    """Takes the folder; the returned descriptor holds it until its last copy is closed.

    The guardian of the server inherits the descriptor, so the folder is free exactly when the
    server has ended, however the holder did. Raises FolderInUseError while the holder lives.
    """
    try:
        descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise EmbeddedError(
            f"The folder {folder} can't be used: {error.strerror}. "
            "Was it made by another user, or by root?"
        ) from error
    began = time.monotonic()
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _read_holder(descriptor)
            patience = (
                _PATIENCE_WITH_LIVE_SECONDS if _alive(holder) else _PATIENCE_WITH_DEAD_SECONDS
            )
            if not patient or time.monotonic() - began > patience:
                os.close(descriptor)
                raise FolderInUseError(
                    f"The folder {folder} is in use by process {holder or 'unknown'}. Stop that "
                    "process, or choose another folder with ACREDITA_DATA_DIR."
                ) from None
            time.sleep(0.02)
        else:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, str(os.getpid()).encode(), 0)
            return descriptor


def _read_holder(descriptor: int) -> int:
    written = os.pread(descriptor, 32, 0).decode("ascii", "replace")
    return int(written) if written.isdigit() else 0


def _alive(pid: int) -> bool:
    import psutil  # noqa: PLC0415 (an installation without the embedded servers lacks it)

    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


class ServerLog:
    """A server's log file; knows where this run begins."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if path.exists() and path.stat().st_size > _LARGEST_LOG_BYTES:
            path.replace(path.with_suffix(".old.log"))
        self.file = path.open("ab")
        self._start = self.file.tell()

    def close(self) -> None:
        self.file.close()

    def written(self) -> str:
        with self.path.open("rb") as file:
            file.seek(self._start)
            return file.read().decode("utf-8", "replace")


def check_finished(process: GuardedProcess, log: ServerLog, what: str, timeout: float) -> None:
    """Waits for a command that must end well."""
    wait_until(lambda: process.exit_code() is not None, process, log, what, timeout)
    if process.exit_code() != 0:
        raise failure(log, what)


def wait_until(
    ready: Callable[[], bool], process: GuardedProcess, log: ServerLog, what: str, timeout: float
) -> None:
    """Returns when `ready`; otherwise ends the process and raises what its log tells."""
    deadline = time.monotonic() + timeout
    try:
        while not ready():
            if process.exit_code() is not None:
                raise failure(log, what)
            if time.monotonic() > deadline:
                raise EmbeddedError(f"{what} was not ready after {timeout:.0f} s; see {log.path}.")
            time.sleep(0.01)
    except BaseException:
        process.stop()
        raise


def failure(log: ServerLog, what: str) -> EmbeddedError:
    text = log.written()
    if "No space left on device" in text or "Disk quota exceeded" in text:
        return DiskFullError(f"{what} could not start: the disk of {log.path.parent} is full.")
    if "Address already in use" in text:
        return PortTakenError(f"{what} could not start: its port is taken by another program.")
    return EmbeddedError(f"{what} could not start; {log.path} ends:\n{text[-_TAIL_BYTES:].strip()}")
