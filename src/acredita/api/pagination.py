"""Pagination of lists: the parameters of a request and the fields of a response."""

from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from fastapi import Query
from pydantic import ConfigDict, Field

from acredita.api.errors import InvalidCursor
from acredita.api.schemas import Shape
from acredita.kit.cursors import Cursor, CursorUnreadable, Window

LARGEST_PAGE = 100
# PostgreSQL's limit. Pages beyond the end are empty.
LARGEST_OFFSET = 2**63 - 1

Limit = Annotated[int, Query(ge=1, le=LARGEST_PAGE, description="Maximum number of items.")]
Offset = Annotated[int, Query(ge=0, le=LARGEST_OFFSET, description="Number of items to skip.")]
CursorText = Annotated[
    str | None,
    Query(
        alias="cursor",
        # A cursor has 60 characters. Anything in ASCII of about that size gets the clear 400.
        max_length=100,
        pattern="^[!-~]*$",
        description=(
            "The `nextCursor` of the previous page, with the same filters. Costs the same at any"
            " depth, and new items do not shift it. Excludes `offset`."
        ),
    ),
]


def window(limit: int, offset: int, cursor: str | None, *scope: object) -> Window:
    """Return what the request asks for. `scope`: the list's name and the values of its filters.

    Raise InvalidCursor.
    """
    if cursor is None:
        return Window(limit, offset, scope=scope)
    if offset:
        raise InvalidCursor("A request has either a cursor or an offset.")
    try:
        return Window(limit, after=Cursor.parse(cursor, *scope), scope=scope)
    except CursorUnreadable as fault:
        raise InvalidCursor(f"The cursor is not valid: {fault}.") from None


def next_page(asked: Window, total: int, last: tuple[datetime, UUID] | None) -> dict[str, str]:
    """The field `next_cursor` of a CursorPage, or nothing. `last`: as in Window.next_cursor."""
    cursor = asked.next_cursor(total, last)
    return {} if cursor is None else {"next_cursor": cursor}


class Pagination(Shape):
    total: int = Field(description="Number of items in all pages.")
    limit: int
    offset: int
    has_more: bool = Field(description="Whether there are more items after this page.")

    @classmethod
    def for_page(cls, *, total: int, limit: int, offset: int) -> Self:
        return cls(total=total, limit=limit, offset=offset, has_more=offset + limit < total)

    @classmethod
    def for_window(cls, asked: Window, *, total: int, has_more: bool) -> Self:
        return cls(total=total, limit=asked.limit, offset=asked.before, has_more=has_more)


def _leave_out_next_cursor(schema: dict[str, Any]) -> None:
    """The last page has no `nextCursor`, so it is neither required nor null."""
    schema["required"].remove("nextCursor")


class CursorPage(Shape):
    """A page of a list that can also be read by cursor. Set `next_cursor` only if there is one."""

    model_config = ConfigDict(json_schema_extra=_leave_out_next_cursor)

    next_cursor: str = Field(
        default_factory=str,
        description="The `cursor` of the next page. Absent on the last page.",
        examples=["AVHX0g0ABi5xJ6vQAAGR8mVvY3BzcZ4Ou4s1ZqAAAAAAAAAAFAAAAAAAAAAq"],
    )
