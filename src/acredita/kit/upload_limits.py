"""Uploaded files: what a request holds after its form was read, and how much it may hold."""

import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

LARGEST_FILE = 10 * 1024 * 1024
MOST_FILES = 10
# Boundaries, headers and text fields.
REST_OF_BODY = 1024 * 1024
LARGEST_TEXT = 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """How many files one request may hold, and how many bytes each."""

    files: int = MOST_FILES
    file_bytes: int = LARGEST_FILE
    text_bytes: int = LARGEST_TEXT
    # A file that is too large is skipped and marked, because the request can succeed without it.
    passes_over_large: bool = False
    # Fields of files may have a number, as in `document[1]`: PHP's arrays hold a name once.
    takes_numbered: bool = False
    # Of all files together; None: that many files of the largest size.
    total_bytes: int | None = None

    @property
    def body_bytes(self) -> int:
        return (self.total_bytes or self.files * self.file_bytes) + REST_OF_BODY


LIMITS = Limits()


@dataclass(slots=True)
class UploadedFile:
    """A file of a request, in a temporary file. Readable while the request is read."""

    role: str
    # The sender's name for it. Nothing on disk is named after it.
    name: str
    file: IO[bytes]
    size: int = 0
    sha256: bytes = b""
    # Its content was not kept.
    is_too_large: bool = False

    def read(self) -> bytes:
        """Return the whole content. Blocks, so call it in a thread."""
        self.file.seek(0)
        return self.file.read()

    @contextmanager
    def mapped(self) -> Iterator[mmap.mmap | bytes]:
        """Yield the content as a map of the file, which takes no memory of its own."""
        if not self.size:
            yield b""
            return
        with mmap.mmap(self.file.fileno(), self.size, access=mmap.ACCESS_READ) as content:
            yield content


@dataclass(slots=True)
class Form:
    """The files of a request, and the text of its other fields by name."""

    files: list[UploadedFile]
    texts: dict[str, str]
