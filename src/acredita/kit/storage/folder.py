"""Files in a folder of this machine."""

import asyncio
import contextlib
import errno
import os
import re
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import ParamSpec, TypeVar

from acredita.kit.storage.protocol import (
    SEGMENT,
    Listing,
    NoSuchFile,
    StorageUnavailable,
    StoredFile,
    check_key,
    check_page,
)

# Half-written files live in a folder whose name is not a key, on the same file system.
INCOMING = ".incoming"
ABANDONED_AFTER = 3600.0
NAME = re.compile(SEGMENT)

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


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

    async def list(self, prefix: str = "", *, after: str = "", limit: int = 1000) -> Listing:
        check_page(prefix, limit)
        return await _to_its_end(self._list, prefix, after, limit)

    def _path(self, key: str) -> Path:
        return self._root.joinpath(*check_key(key).split("/"))

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
            # A volume that is not mounted has lost no file.
            if not self._root.is_dir():
                raise StorageUnavailable("ENOENT") from None
        except OSError as fault:
            raise _unavailable(fault) from None

    def _exists(self, path: Path) -> bool:
        try:
            return path.is_file()
        except OSError as fault:
            raise _unavailable(fault) from None

    def _list(self, prefix: str, after: str, limit: int) -> Listing:
        folder = self._path(prefix) if prefix else self._root
        try:
            found = list(islice(_files_below(folder, f"{prefix}/" if prefix else "", after), limit))
        except OSError as fault:
            raise _unavailable(fault) from None
        return Listing(found, found[-1].key if len(found) == limit else None)

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


def _files_below(folder: Path, prefix: str, after: str) -> Iterator[StoredFile]:
    """In the order of their keys; folders that lie before `after` are not opened."""
    try:
        with os.scandir(folder) as entries:
            # A folder sorts by its name with the slash, as its files do.
            named = sorted(
                (entry.name + "/" * entry.is_dir(follow_symlinks=False), entry)
                for entry in entries
                if NAME.fullmatch(entry.name) and not entry.is_symlink()
            )
    except (FileNotFoundError, NotADirectoryError):
        return
    for name, entry in named:
        key = prefix + name
        if key.endswith("/"):
            if key > after or after.startswith(key):
                yield from _files_below(Path(entry.path), key, after)
        elif key > after:
            with contextlib.suppress(FileNotFoundError):  # deleted meanwhile
                state = entry.stat(follow_symlinks=False)
                yield StoredFile(key, state.st_size, datetime.fromtimestamp(state.st_mtime, UTC))


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
