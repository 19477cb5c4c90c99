"""Files at rest: whole contents under keys that the service makes.

What is stored is encrypted before it comes here; a storage needs to be durable, not secret.
"""

import asyncio
import contextlib
import errno
import os
import re
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, Protocol, TypeVar

# No dots, so that neither `..` nor a hidden name can be written; every segment is short.
KEY = re.compile(r"[a-z0-9_-]{1,64}(?:/[a-z0-9_-]{1,64}){0,7}")
# Half-written files live in a folder whose name is not a key, on the same file system.
INCOMING = ".incoming"
ABANDONED_AFTER = 3600.0

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class StorageUnavailable(Exception):
    """The storage cannot do its work now: full, read-only, out of reach. Nothing was stored."""


class NoSuchFile(Exception):
    """There is no file under that key."""


class Storage(Protocol):
    """Every method raises ValueError for a key of another form, StorageUnavailable on faults."""

    async def put(self, key: str, content: bytes) -> None:
        """Store durably: what was put outlives a power cut. A key is used once."""
        ...

    async def get(self, key: str) -> bytes:
        """The whole content; raise NoSuchFile."""
        ...

    async def delete(self, key: str) -> None:
        """Remove durably; a file that is not there is no fault."""
        ...

    async def exists(self, key: str) -> bool: ...


class LocalFolder:
    """Files in a folder of this machine, readable by this account alone."""

    def __init__(self, root: Path) -> None:
        self._root = root.absolute()
        self._incoming = self._root / INCOMING
        self._swept = False

    async def put(self, key: str, content: bytes) -> None:
        await _to_its_end(self._put, self._path(key), content)

    async def get(self, key: str) -> bytes:
        return await _to_its_end(self._get, self._path(key))

    async def delete(self, key: str) -> None:
        await _to_its_end(self._delete, self._path(key))

    async def exists(self, key: str) -> bool:
        return await _to_its_end(self._exists, self._path(key))

    def _path(self, key: str) -> Path:
        if not KEY.fullmatch(key):
            raise ValueError("a storage key is lower-case letters, digits, - and _ between slashes")
        return self._root.joinpath(*key.split("/"))

    def _put(self, path: Path, content: bytes) -> None:
        try:
            self._make_folder(self._incoming)
            self._sweep()
            part = self._incoming / uuid.uuid4().hex
            try:
                self._make_folder(path.parent)
                _write(part, content)
                part.replace(path)
                _sync_folder(path.parent)
            except BaseException:
                part.unlink(missing_ok=True)
                path.unlink(missing_ok=True)
                raise
        except OSError as fault:
            raise _unavailable(fault) from None

    def _get(self, path: Path) -> bytes:
        try:
            with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
                return file.read()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            raise NoSuchFile from None
        except OSError as fault:
            raise _unavailable(fault) from None

    def _delete(self, path: Path) -> None:
        try:
            path.unlink()
            _sync_folder(path.parent)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as fault:
            raise _unavailable(fault) from None

    def _exists(self, path: Path) -> bool:
        try:
            return path.is_file()
        except OSError as fault:
            raise _unavailable(fault) from None

    def _make_folder(self, folder: Path) -> None:
        """Level by level, so that each gets its mode and is durable in the one above it."""
        if folder.is_dir():
            return
        if folder != self._root:
            self._make_folder(folder.parent)
            folder.mkdir(mode=0o700, exist_ok=True)
        else:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sync_folder(folder.parent)

    def _sweep(self) -> None:
        """Once a process: remove what a killed process left half-written, and long ago."""
        if self._swept:
            return
        self._swept = True
        for part in self._incoming.iterdir():
            with contextlib.suppress(FileNotFoundError):
                if part.stat().st_mtime < time.time() - ABANDONED_AFTER:
                    part.unlink()


async def _to_its_end(
    function: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
) -> Result:
    """Run in a thread; a cancelled caller waits for it, so that it knows what there is to undo."""
    work = asyncio.ensure_future(asyncio.to_thread(function, *arguments, **named))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.wait([work])
        raise


def _write(part: Path, content: bytes) -> None:
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _unavailable(fault: OSError) -> StorageUnavailable:
    """Named by its number: the system's own message would quote the path."""
    return StorageUnavailable(errno.errorcode.get(fault.errno or 0, type(fault).__name__))
