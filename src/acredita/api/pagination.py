"""Pagination of lists: the parameters of a request and the fields of a response."""

from typing import Annotated, Self

from fastapi import Query
from pydantic import Field

from acredita.api.schemas import Shape

LARGEST_PAGE = 100
# PostgreSQL's limit. Pages beyond the end are empty.
LARGEST_OFFSET = 2**63 - 1

Limit = Annotated[int, Query(ge=1, le=LARGEST_PAGE, description="Maximum number of items.")]
Offset = Annotated[int, Query(ge=0, le=LARGEST_OFFSET, description="Number of items to skip.")]


class Pagination(Shape):
    total: int = Field(description="Number of items in all pages.")
    limit: int
    offset: int
    has_more: bool = Field(description="Whether there are more items after this page.")

    @classmethod
    def for_page(cls, *, total: int, limit: int, offset: int) -> Self:
        return cls(total=total, limit=limit, offset=offset, has_more=offset + limit < total)
