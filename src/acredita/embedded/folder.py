"""A server's folder, locked by one running server at a time, and its log."""

import fcntl
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from acredita.embedded.errors import DiskFullError, EmbeddedError, FolderInUseError, PortTakenError
from acredita.embedded.guarded import GuardedProcess

_LEAST_FREE_BYTES = 128 << 20  # a new cluster takes 40 MB, plus a few WAL files of 16 MB
_LARGEST_LOG_BYTES = 8 << 20
_TAIL_BYTES = 2_000
# How long to wait for a locked folder. A live holder may be about to exit. The server of a killed
# holder may have much to write before it stops.
_WAIT_FOR_LIVE_HOLDER_SECONDS = 1.0
_WAIT_FOR_DEAD_HOLDER_SECONDS = 20.0


def open_folder(folder: Path) -> None:
    """Creates the folder with mode 0700. Raises DiskFullError if a server does not fit."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise EmbeddedError(f"Cannot use the folder {folder}: {error.strerror}.") from error
    if free < _LEAST_FREE_BYTES:
        raise DiskFullError(
            f"The disk of {folder} is full: {free >> 20} MB free, "
            f"{_LEAST_FREE_BYTES >> 20} MB required."
        )


def lock_folder(folder: Path, *, patient: bool = True) -> int:
    """Locks the folder. The returned descriptor keeps the lock until its last copy is closed.

    The server's guardian inherits the descriptor, so the folder stays locked until the server has
    stopped, even if the holder was killed. Raises FolderInUseError if the folder stays locked;
    without `patient`, it does not wait.
    """
    try:
        descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise EmbeddedError(
            f"Cannot use the folder {folder}: {error.strerror}. Did another user or root create it?"
        ) from error
    began = time.monotonic()
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _read_holder(descriptor)
            longest_wait = (
                _WAIT_FOR_LIVE_HOLDER_SECONDS if _alive(holder) else _WAIT_FOR_DEAD_HOLDER_SECONDS
            )
            if not patient or time.monotonic() - began > longest_wait:
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
    """A server's log file. It knows where the current run begins."""

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
    """Waits for a command. Raises EmbeddedError if it fails or takes over `timeout` seconds."""
    wait_until(lambda: process.exit_code() is not None, process, log, what, timeout)
    if process.exit_code() != 0:
        raise failure(log, what)


def wait_until(
    ready: Callable[[], bool], process: GuardedProcess, log: ServerLog, what: str, timeout: float
) -> None:
    """Waits until `ready()`. Otherwise stops the process and raises an error with its log's end."""
    deadline = time.monotonic() + timeout
    try:
        while True:
            # Before ready(): a process that ends between the two may have become ready.
            ended = process.exit_code() is not None
            if ready():
                return
            if ended:
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
        return PortTakenError(f"{what} could not start: another program uses its port.")
    return EmbeddedError(f"{what} could not start; {log.path} ends:\n{text[-_TAIL_BYTES:].strip()}")
