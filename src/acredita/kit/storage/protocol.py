"""The interface of a file storage."""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from acredita.kit.dependencies import DependencyUnavailable

# No dots, so that a key cannot contain `..` or a hidden name.
SEGMENT = r"[a-z0-9_-]{1,64}"
KEY = re.compile(rf"{SEGMENT}(?:/{SEGMENT}){{0,7}}")
MAX_LISTED = 1000


class StorageUnavailable(DependencyUnavailable):
    """The storage is full, read-only or unreachable. Nothing was stored."""


class NoSuchFile(Exception):
    """No file has this key."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    key: str
    size: int
    modified: datetime


@dataclass(frozen=True, slots=True)
class Listing:
    files: list[StoredFile]
    # Pass as `after` to get the next page; None on the last page.
    after: str | None


class Storage(Protocol):
    """Every method raises ValueError for an invalid key, and StorageUnavailable."""

    async def put(self, key: str, content: bytes) -> None:
        """Store durably: the file survives a power failure. Every key is used only once."""
        ...

    async def get(self, key: str) -> bytes:
        """Return the whole content. Raise NoSuchFile."""
        ...

    async def put_file(self, key: str, path: Path) -> None:
        """Store the content of the file `path`, which may exceed the memory. See `put`."""
        ...

    async def get_file(self, key: str, path: Path) -> None:
        """Write the content to the file `path`, which may exceed the memory. See `get`.

        After an error, `path` may hold a part of the content.
        """
        ...

    async def delete(self, key: str) -> None:
        """Delete durably. A missing file is not an error."""
        ...

    async def exists(self, key: str) -> bool: ...

    async def list(self, prefix: str = "", *, after: str = "", limit: int = 1000) -> Listing:
        """List files below `prefix/` with keys greater than `after`, in key order.

        A page has at most `limit` files (1 to 1000), and may have fewer even if more follow. Files
        whose names are not valid keys are skipped.
        """
        ...


def check_key(key: str) -> str:
    """Return the key. Raise ValueError if it is invalid."""
    if not KEY.fullmatch(key):
        raise ValueError("a storage key has lower-case letters, digits, - and _ between slashes")
    return key


def check_page(prefix: str, limit: int) -> None:
    if prefix:
        check_key(prefix)
    if not 1 <= limit <= MAX_LISTED:
        raise ValueError(f"a listing has 1 to {MAX_LISTED} files")
