"""What a storage of files promises, wherever it keeps them."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

# No dots, so that neither `..` nor a hidden name can be written; every segment is short.
SEGMENT = r"[a-z0-9_-]{1,64}"
KEY = re.compile(rf"{SEGMENT}(?:/{SEGMENT}){{0,7}}")
MOST_LISTED = 1000


class StorageUnavailable(Exception):
    """The storage cannot do its work now: full, read-only, out of reach. Nothing was stored."""


class NoSuchFile(Exception):
    """There is no file under that key."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    key: str
    size: int
    modified: datetime


@dataclass(frozen=True, slots=True)
class Listing:
    files: list[StoredFile]
    # Where the next listing goes on; None after the last.
    after: str | None


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

    async def list(self, prefix: str = "", *, after: str = "", limit: int = 1000) -> Listing:
        """Files below `prefix/`, by their keys in order, from behind `after`.

        At most `limit` (1 to 1000), perhaps fewer although more follow. What somebody else put
        there under a name that is no key is left out.
        """
        ...


def check_key(key: str) -> str:
    if not KEY.fullmatch(key):
        raise ValueError("a storage key is lower-case letters, digits, - and _ between slashes")
    return key


def check_page(prefix: str, limit: int) -> None:
    if prefix:
        check_key(prefix)
    if not 1 <= limit <= MOST_LISTED:
        raise ValueError(f"a listing has 1 to {MOST_LISTED} files")
