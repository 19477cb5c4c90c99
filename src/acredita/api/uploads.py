"""Reads multipart/form-data as a stream, with limits on size, number, time and memory.

Starlette's own form() limits neither the size of files nor the time, and takes a truncated body
for an empty form, so this module uses the parser below it. Parsing, hashing and writing happen in a
thread, in pieces of a quarter of a megabyte. Files are spooled to unnamed temporary files, so
nothing remains however the process ends.
"""

import asyncio
import errno
import hashlib
import re
import tempfile
import time
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from acredita.api.errors import (
    MUST_CLOSE,
    FileTooLarge,
    PayloadTooLarge,
    RequestTimeout,
    UnsupportedMediaType,
)
from acredita.domain.errors import (
    DomainError,
    FileTooComplex,
    ServiceUnavailable,
    UnsupportedFileType,
    ValidationFailed,
)
from acredita.kit.upload_limits import LIMITS, Form, Limits, UploadedFile

LONGEST_BOUNDARY = 70  # RFC 2046, section 5.1.1
MOST_PART_HEADERS = 8
# Allows a file name of 4,096 characters of three bytes each; the name is discarded.
LARGEST_PART_HEADER = 16 * 1024
PIECE = 256 * 1024
DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}

# The errors of an endpoint that stores uploaded images and PDFs.
FAULTS = (
    FileTooLarge,
    PayloadTooLarge,
    UnsupportedFileType,
    UnsupportedMediaType,
    RequestTimeout,
    ValidationFailed,
    FileTooComplex,
)
MALFORMED = "body: is not well-formed multipart/form-data"
CUT_OFF = "body: ends before its closing boundary"


@dataclass(frozen=True, slots=True)
class Pace:
    """The slowest accepted arrival of a body, in seconds and bytes."""

    idle: float = 15.0
    # Each window must bring this many bytes: a slow body ends within two windows and one pause.
    window: float = 20.0
    window_bytes: int = 20 * 1024
    longest: float = 900.0


PACE = Pace()
# After the name of a field.
NUMBER = re.compile(rb"\[[0-9]{0,3}\]$")


@asynccontextmanager
async def received(
    request: Request,
    *,
    roles: Collection[str],
    texts: Collection[str] = (),
    optional_texts: Collection[str] = (),
    limits: Limits = LIMITS,
    pace: Pace = PACE,
) -> AsyncIterator[Form]:
    """Yield the form of a request: at least one file, each in a field with the name of a role, and
    each of the fields `texts` once. The fields `optional_texts` may be absent.

    Raise UnsupportedMediaType, PayloadTooLarge, FileTooLarge, RequestTimeout, ServiceUnavailable
    (no space to spool), ValidationFailed (malformed, cut off, too many, none, another field).
    """
    body = _Body(request, pace, limits.body_bytes)
    files = _Files(roles, texts, optional_texts, limits)
    try:
        try:
            boundary = _boundary(request)
            body.refuse_declared_size()
            await files.read_from(body, boundary)
        except DomainError:
            if body.closes_connection:
                request.scope[MUST_CLOSE] = True
            raise
        except ClientDisconnect:
            raise ValidationFailed(details=[CUT_OFF]) from None
        yield Form(files.all, files.texts)
    finally:
        files.close()


def _boundary(request: Request) -> bytes:
    media_type, options = parse_options_header(request.headers.get("content-type"))
    if media_type != b"multipart/form-data":
        raise UnsupportedMediaType
    boundary = options.get(b"boundary", b"")
    if not 0 < len(boundary) <= LONGEST_BOUNDARY:
        raise ValidationFailed(
            details=[f"header.content-type: needs a boundary of 1 to {LONGEST_BOUNDARY} characters"]
        )
    return boundary


class _Body:
    """A request's body in pieces, within the limits of size and pace."""

    def __init__(self, request: Request, pace: Pace, largest: int) -> None:
        self._headers = request.headers
        self._largest = largest
        self._stream = request.stream()
        self._pace = pace
        self._started = self._window_started = time.monotonic()
        self._total = self._in_window = 0
        self._timed_out = False

    def refuse_declared_size(self) -> None:
        declared = self._headers.get("content-length", "0")
        if declared.isdecimal() and int(declared[:20]) > self._largest:
            raise PayloadTooLarge

    @property
    def closes_connection(self) -> bool:
        """Whether the connection closes after the response.

        It does for a slow body, and for a client that waits for "100 Continue" and so never sends
        its body. The server reads and discards the rest of any other body: closing earlier would
        reset the connection, and the client might not see the response.
        """
        return self._timed_out or (not self._total and "expect" in self._headers)

    async def read(self) -> bytes:
        """Return PIECE bytes or slightly more; fewer only at the end, and then none."""
        held = bytearray()
        while len(held) < PIECE and (arrived := await self._arrival()):
            held += arrived
        return bytes(held)

    async def _arrival(self) -> bytes:
        try:
            async with asyncio.timeout(self._pace.idle):
                arrived = await anext(self._stream, b"")
        except TimeoutError:
            self._timed_out = True
            raise RequestTimeout from None
        self._total += len(arrived)
        if self._total > self._largest:
            raise PayloadTooLarge
        if arrived:
            self._check_pace(len(arrived))
        return arrived

    def _check_pace(self, arrived: int) -> None:
        now = time.monotonic()
        self._in_window += arrived
        crawls = False
        if now - self._window_started > self._pace.window:
            crawls = self._in_window < self._pace.window_bytes
            self._window_started, self._in_window = now, 0
        if crawls or now - self._started > self._pace.longest:
            self._timed_out = True
            raise RequestTimeout


class _Files:
    """The callbacks of the parser. All of them run in threads."""

    def __init__(
        self,
        roles: Collection[str],
        texts: Collection[str],
        optional_texts: Collection[str],
        limits: Limits,
    ) -> None:
        self.all: list[UploadedFile] = []
        self.texts: dict[str, str] = {}
        self._roles = {role.encode(): role for role in roles}
        self._texts = {name.encode(): name for name in (*texts, *optional_texts)}
        self._required_texts = texts
        self._limits = limits
        self._text: tuple[str, bytearray] | None = None
        self._current: UploadedFile | None = None
        self._digest = hashlib.sha256()
        self._header_name = bytearray()
        self._header_value = bytearray()
        self._disposition: bytes | None = None
        self._media_type = b""
        self._ended = False

    def _field(self, name: bytes) -> bytes:
        return NUMBER.sub(b"", name) if self._limits.takes_numbered else name

    async def read_from(self, body: _Body, boundary: bytes) -> None:
        parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin_part,
                "on_header_field": self._take_header_name,
                "on_header_value": self._take_header_value,
                "on_header_end": self._end_header,
                "on_headers_finished": self._begin_file,
                "on_part_data": self._take_data,
                "on_part_end": self._end_file,
                "on_end": self._end,
            },
            max_header_count=MOST_PART_HEADERS,
            max_header_size=LARGEST_PART_HEADER,
        )
        while piece := await body.read():
            await asyncio.to_thread(_parse, parser, piece)
        if not self._ended:
            raise ValidationFailed(details=[CUT_OFF])
        if not self.all:
            raise ValidationFailed(details=["body: holds no file"])
        missing = [name for name in self._required_texts if name not in self.texts]
        if missing:
            raise ValidationFailed(details=[f"body.{name}: is missing" for name in missing])

    def close(self) -> None:
        for file in self.all:
            file.file.close()

    def _begin_part(self) -> None:
        self._current, self._text, self._disposition, self._media_type = None, None, None, b""

    def _take_header_name(self, data: bytes, start: int, end: int) -> None:
        self._header_name += data[start:end]

    def _take_header_value(self, data: bytes, start: int, end: int) -> None:
        self._header_value += data[start:end]

    def _end_header(self) -> None:
        if self._header_name.lower() == b"content-disposition":
            if self._disposition is not None:
                raise ValidationFailed(details=[MALFORMED])
            self._disposition = bytes(self._header_value)
        elif self._header_name.lower() == b"content-type":
            self._media_type = bytes(self._header_value)
        self._header_name.clear()
        self._header_value.clear()

    def _begin_file(self) -> None:
        kind, options = parse_options_header(self._disposition)
        if kind != b"form-data" or b"name" not in options:
            raise ValidationFailed(details=[MALFORMED])
        text = self._texts.get(options[b"name"])
        if text is not None:
            if text in self.texts:
                raise ValidationFailed(details=[f"body.{text}: is given twice"])
            self._text = (text, bytearray())
            return
        role = self._roles.get(self._field(options[b"name"]))
        if role is None:
            known = ", ".join([*self._texts.values(), *self._roles.values()])
            raise ValidationFailed(details=[f"body: has a field that is none of {known}"])
        if not self._is_file(options):
            raise ValidationFailed(details=[f"body.{role}: is not a file"])
        if len(self.all) == self._limits.files:
            raise ValidationFailed(details=[f"body: holds more than {self._limits.files} files"])
        name = options.get(b"filename", b"").decode(errors="replace")
        spool = tempfile.TemporaryFile()  # noqa: SIM115 (see close)
        self._current = UploadedFile(role, name, spool)
        self.all.append(self._current)
        self._digest = hashlib.sha256()

    def _is_file(self, options: Mapping[bytes, bytes]) -> bool:
        # Some clients send a non-ASCII name only as `filename*`. A file that is streamed from a
        # device may have no name (RFC 7578, section 4.2); its content type identifies it.
        is_named = b"filename" in options or b"filename*" in (self._disposition or b"").lower()
        kind = self._media_type.partition(b";")[0].strip().lower()
        return is_named or kind not in {b"", b"text/plain"}

    def _take_data(self, data: bytes, start: int, end: int) -> None:
        if self._text is not None:
            name, held = self._text
            held += data[start:end]
            if len(held) > self._limits.text_bytes:
                raise ValidationFailed(details=[f"body.{name}: is too long"])
            return
        if self._current is None:
            raise ValidationFailed(details=[MALFORMED])
        self._current.size += end - start
        if self._current.size > self._limits.file_bytes:
            if self._limits.passes_over_large:
                self._current.is_too_large = True
                self._current.file.truncate(0)
                return
            largest = self._limits.file_bytes // (1024 * 1024)
            detail = f"body.{self._current.role}: is larger than {largest} MB"
            raise FileTooLarge(details=[detail])
        with memoryview(data)[start:end] as content:
            self._digest.update(content)
            self._current.file.write(content)

    def _end_file(self) -> None:
        if self._text is not None:
            name, held = self._text
            try:
                self.texts[name] = held.decode()
            except UnicodeDecodeError:
                raise ValidationFailed(details=[f"body.{name}: is not UTF-8"]) from None
            return
        if self._current is None:
            raise ValidationFailed(details=[MALFORMED])
        self._current.file.flush()
        self._current.sha256 = self._digest.digest()

    def _end(self) -> None:
        self._ended = True


def _parse(parser: MultipartParser, piece: bytes) -> None:
    try:
        parser.write(piece)
    except FormParserError:
        raise ValidationFailed(details=[MALFORMED]) from None
    except OSError as fault:
        if fault.errno in DISK_FULL:
            raise ServiceUnavailable from None
        raise
