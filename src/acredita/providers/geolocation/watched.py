"""A file that is replaced under a running service.

What was read stays in use until a newer version has been read and found sound; one that is not is
refused, logged and told of, and the old one goes on serving. The file is read whole: a mapping of
it into memory would kill the process when somebody overwrites the file in its place.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Generic, TypeVar

import structlog

from acredita.kit.logging import describe

log = structlog.get_logger()

Content = TypeVar("Content")
LARGEST_FILE = 1 << 30


class Unsound(Exception):
    """What was read is not what it should be; the message is a word for a log."""


class WatchedFile(Generic[Content]):
    """`load` makes of the file's bytes what is used of it, or raises."""

    def __init__(self, path: Path, load: Callable[[bytes], Content]) -> None:
        self.path = path
        self._load = load
        self._seen: tuple[int, int, int] | None = None
        self.content: Content | None = None
        self.modified: datetime | None = None
        # Why there is no content, or why it is not the newest.
        self.problem: str | None = None

    def refresh(self) -> None:
        """Read the file if it has changed since it was last looked at. Never on the event loop."""
        try:
            before = self._stamp()
        except OSError as fault:
            self._seen = None
            self._complain("missing" if isinstance(fault, FileNotFoundError) else "unreadable")
            return
        if before == self._seen:
            return
        try:
            content = self._load(self._read())
            if self._stamp() != before:
                return  # it is being written: the next look finds it whole
        except Unsound as fault:
            self._seen = before
            self._complain(str(fault))
        except Exception as fault:  # a damaged file breaks a reader in any way
            self._seen = before
            self._complain("damaged", fault)
        else:
            self._seen = before
            self.content, self.problem = content, None
            self.modified = datetime.fromtimestamp(before[0] / 1e9, UTC)
            log.info("a database is in use", name=self.path.name)

    def _stamp(self) -> tuple[int, int, int]:
        stat = self.path.stat()
        return stat.st_mtime_ns, stat.st_size, stat.st_ino

    def _read(self) -> bytes:
        with self.path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise Unsound("too large")
        return content

    def _complain(self, problem: str, fault: Exception | None = None) -> None:
        if problem != self.problem:
            log.warning(
                "a database is not in use",
                name=self.path.name,
                reason=problem,
                error=describe(fault) if fault else None,
                serves_older=self.content is not None,
            )
        self.problem = problem
