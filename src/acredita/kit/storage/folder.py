"""A Storage in a local folder."""

import asyncio
import contextlib
import errno
import os
import re
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import BinaryIO, ParamSpec, TypeVar

from acredita.kit.storage.protocol import (
    SEGMENT,
    Listing,
    NoSuchFile,
    StorageUnavailable,
    StoredFile,
    check_key,
    check_page,
)

# Partial files are in a folder on the same file system. Its name is not a valid key.
INCOMING = ".incoming"
ABANDONED_AFTER = 3600.0
NAME = re.compile(SEGMENT)
# Bytes.
_COPIED_AT_ONCE = 1 << 20

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class LocalFolder:
    """Files in a local folder that only this user account can read."""

    def __init__(self, root: Path) -> None:
        self._root = root.absolute()
        self._incoming = self._root / INCOMING
        self._swept = False

    async def put(self, key: str, content: bytes) -> None:
        await _run_to_completion(self._put, self._path(key), BytesIO(content))

    async def get(self, key: str) -> bytes:
        content = BytesIO()
        await _run_to_completion(self._get, self._path(key), content)
        return content.getvalue()

    async def put_file(self, key: str, path: Path) -> None:
        await _run_to_completion(self._put_file, self._path(key), path)

    async def get_file(self, key: str, path: Path) -> None:
        await _run_to_completion(self._get_file, self._path(key), path)

    async def delete(self, key: str) -> None:
        await _run_to_completion(self._delete, self._path(key))

    async def exists(self, key: str) -> bool:
        return await _run_to_completion(self._exists, self._path(key))

    async def list(self, prefix: str = "", *, after: str = "", limit: int = 1000) -> Listing:
        check_page(prefix, limit)
        return await _run_to_completion(self._list, prefix, after, limit)

    def _path(self, key: str) -> Path:
        return self._root.joinpath(*check_key(key).split("/"))

    def _put(self, path: Path, source: BinaryIO) -> None:
        try:
            self._make_folder(self._incoming)
            self._sweep()
            part = self._incoming / uuid.uuid4().hex
            try:
                self._make_folder(path.parent)
                _write(part, source)
                part.replace(path)
                _sync_folder(path.parent)
            except BaseException:
                part.unlink(missing_ok=True)
                path.unlink(missing_ok=True)
                raise
        except OSError as fault:
            raise _unavailable(fault) from None

    def _get(self, path: Path, target: BinaryIO) -> None:
        try:
            with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
                shutil.copyfileobj(file, target, _COPIED_AT_ONCE)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            raise NoSuchFile from None
        except OSError as fault:
            raise _unavailable(fault) from None

    def _put_file(self, path: Path, source: Path) -> None:
        with source.open("rb") as file:
            self._put(path, file)

    def _get_file(self, path: Path, target: Path) -> None:
        with target.open("wb") as file:
            self._get(path, file)

    def _delete(self, path: Path) -> None:
        try:
            path.unlink()
            _sync_folder(path.parent)
        except (FileNotFoundError, NotADirectoryError):
            # The root may be missing because its volume is not mounted.
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
        """Create each level with its mode, and sync its parent so that it is durable."""
        if folder.is_dir():
            return
        if folder != self._root:
            self._make_folder(folder.parent)
            folder.mkdir(mode=0o700, exist_ok=True)
        else:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sync_folder(folder.parent)

    def _sweep(self) -> None:
        """Once per process, delete old partial files of killed processes."""
        if self._swept:
            return
        self._swept = True
        for part in self._incoming.iterdir():
            with contextlib.suppress(FileNotFoundError):
                if part.stat().st_mtime < time.time() - ABANDONED_AFTER:
                    part.unlink()


def _files_below(folder: Path, prefix: str, after: str) -> Iterator[StoredFile]:
    """Yield files in key order. Folders that sort before `after` are not opened."""
    try:
        with os.scandir(folder) as entries:
            # A folder's sort key includes the slash, because the keys of its files do.
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
            with contextlib.suppress(FileNotFoundError):  # deleted concurrently
                state = entry.stat(follow_symlinks=False)
                yield StoredFile(key, state.st_size, datetime.fromtimestamp(state.st_mtime, UTC))


async def _run_to_completion(
    function: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
) -> Result:
    """Run in a thread. On cancellation, wait for its end, so that the caller knows what to undo."""
    work = asyncio.ensure_future(asyncio.to_thread(function, *arguments, **named))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.wait([work])
        raise


def _write(part: Path, source: BinaryIO) -> None:
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        shutil.copyfileobj(source, file, _COPIED_AT_ONCE)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _unavailable(fault: OSError) -> StorageUnavailable:
    """Use the errno name: the system's message contains the path."""
    return StorageUnavailable(errno.errorcode.get(fault.errno or 0, type(fault).__name__))
