"""Cursors: the place in a list after which its next page starts.

A page after a cursor costs the same at any depth, because the index finds its first row. A page at
an offset reads every row before it. The cursor also carries the list's total and the number of rows
before the page, so only the first page counts.
"""

import base64
import binascii
import hashlib
import struct
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Self
from uuid import UUID

# Version, the list and its filters, microseconds since 1970, id, rows before, total.
_FORM = struct.Struct(">B4sq16sQQ")
_VERSION = 1
# Of a list that has more items than `total`.
_VERSION_OF_MORE = 2
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LARGEST = 2**62
# The length of every cursor, in characters.
LENGTH = 60


class CursorUnreadable(ValueError):
    """The text is no cursor of this list."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last row of a page. `before` rows and it precede the next page; `total` is the list's."""

    created_at: datetime
    id: UUID
    before: int
    total: int
    # Whether the list has no more than `total` items.
    is_exact: bool = True

    def text(self, *scope: object) -> str:
        """Return 60 characters of base64url. `scope`: the list, and the values of its filters."""
        moment = (self.created_at - _EPOCH) // _MICROSECOND
        packed = _FORM.pack(
            _VERSION if self.is_exact else _VERSION_OF_MORE,
            _digest(scope),
            moment,
            self.id.bytes,
            self.before,
            self.total,
        )
        return base64.urlsafe_b64encode(packed).decode()

    @classmethod
    def parse(cls, text: str, *scope: object) -> Self:
        """Raise CursorUnreadable unless `text` made it for the same scope."""
        try:
            packed = base64.b64decode(text.encode("ascii"), altchars=b"-_", validate=True)
            version, digest, moment, id_, before, total = _FORM.unpack(packed)
            created_at = _EPOCH + moment * _MICROSECOND
        except (binascii.Error, UnicodeEncodeError, struct.error, OverflowError) as fault:
            raise CursorUnreadable("it is not one that this service returned") from fault
        if version not in (_VERSION, _VERSION_OF_MORE) or max(before, total) > _LARGEST:
            raise CursorUnreadable("it is not one that this service returned")
        if digest != _digest(scope):
            raise CursorUnreadable("it belongs to another list, or to other filters")
        return cls(created_at, UUID(bytes=id_), before, total, version == _VERSION)


@dataclass(frozen=True, slots=True)
class Window:
    """The rows of a list that a caller asks for: those at an offset, or those after a cursor."""

    limit: int
    offset: int = 0
    after: Cursor | None = None
    # The list, and the values of its filters.
    scope: tuple[object, ...] = ()

    @property
    def before(self) -> int:
        """The number of rows before the window."""
        return self.offset if self.after is None else self.after.before

    def next_cursor(
        self,
        total: int,
        last: tuple[datetime, UUID] | None,
        *,
        shown: int | None = None,
        is_exact: bool = True,
    ) -> str | None:
        """Return the cursor of the next page. `last`: the last row, if more rows follow it.
        `shown`: the number of rows of the page, if it may be shorter than its limit.
        """
        if last is None:
            return None
        before = self.before + (self.limit if shown is None else shown)
        return Cursor(*last, before, total, is_exact).text(*self.scope)


def _digest(scope: tuple[object, ...]) -> bytes:
    return hashlib.sha256(repr([str(part) for part in scope]).encode()).digest()[:4]
