"""A file that may be replaced while the service runs.

The current content stays in use until a newer version is read and valid. An invalid version is
logged and reported, and the old content stays in use. The whole file is read into memory: with
mmap, overwriting the file in place would kill the process.
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


class InvalidFile(Exception):
    """The file's content is not valid. The message is safe to log."""


class WatchedFile(Generic[Content]):
    """`load` parses the file's bytes. It raises InvalidFile, or any exception for damaged bytes."""

    def __init__(self, path: Path, load: Callable[[bytes], Content]) -> None:
        self.path = path
        self._load = load
        self._seen: tuple[int, int, int] | None = None
        self.content: Content | None = None
        self.modified: datetime | None = None
        # Why there is no content, or why it is not the newest.
        self.problem: str | None = None

    def refresh(self) -> None:
        """Read the file if it has changed. Blocking: do not call it on the event loop."""
        try:
            before = self._stamp()
        except OSError as fault:
            self._seen = None
            self._report_problem(
                "missing" if isinstance(fault, FileNotFoundError) else "unreadable"
            )
            return
        if before == self._seen:
            return
        try:
            content = self._load(self._read())
            if self._stamp() != before:
                return  # it is being written: the next check reads it
        except InvalidFile as fault:
            self._seen = before
            self._report_problem(str(fault))
        except Exception as fault:  # a damaged file can raise any exception
            self._seen = before
            self._report_problem("damaged", fault)
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
            raise InvalidFile("too large")
        return content

    def _report_problem(self, problem: str, fault: Exception | None = None) -> None:
        if problem != self.problem:
            log.warning(
                "a database is not in use",
                name=self.path.name,
                reason=problem,
                error=describe(fault) if fault else None,
                serves_older=self.content is not None,
            )
        self.problem = problem
