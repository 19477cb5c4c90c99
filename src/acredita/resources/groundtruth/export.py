"""Exports a dataset as a stream of CSV or JSON lines: one page in memory, no open transaction."""

import asyncio
import csv
import io
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, select, tuple_
from starlette.responses import StreamingResponse

from acredita.api.schemas import Shape
from acredita.kit.db import Database
from acredita.models import LicenceTruth, SelfieTruth

PAGE = 500
# A spreadsheet runs a cell that starts with one of these as a formula (CWE-1236).
FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Format(StrEnum):
    CSV = "csv"
    JSON_LINES = "jsonl"


MEDIA_TYPES = {Format.CSV: "text/csv; charset=utf-8", Format.JSON_LINES: "application/x-ndjson"}


def answer(
    database: Database,
    table: type[LicenceTruth] | type[SelfieTruth],
    wanted: list[ColumnElement[bool]],
    shape: Callable[[Any], Shape],
    columns: Callable[[Any], dict[str, Any]],
    *,
    name: str,
    form: Format,
) -> StreamingResponse:
    """`shape` converts a row to an API object; `columns` converts such an object to CSV cells."""
    rows = _rows(database, table, wanted, shape)
    lines = _csv(rows, columns) if form is Format.CSV else _json_lines(rows)
    return StreamingResponse(
        lines,
        media_type=MEDIA_TYPES[form],
        headers={
            "Cache-Control": "no-store",
            "Content-Disposition": f'attachment; filename="{name}.{form}"',
        },
    )


async def _rows(
    database: Database,
    table: type[LicenceTruth] | type[SelfieTruth],
    wanted: list[ColumnElement[bool]],
    shape: Callable[[Any], Shape],
) -> AsyncIterator[list[Shape]]:
    """Yield the pages, oldest first, so that rows added meanwhile come at the end."""
    last: tuple[Any, Any] | None = None
    while True:
        query = select(table.__table__).where(*wanted)
        if last is not None:
            query = query.where(tuple_(table.created_at, table.id) > last)
        query = query.order_by(table.created_at, table.id).limit(PAGE)
        async with database.reading() as connection:
            rows = (await connection.execute(query)).all()
        # Unsealing 500 rows takes a tenth of a second.
        yield await asyncio.to_thread(_shaped, rows, shape)
        if len(rows) < PAGE:
            return
        last = (rows[-1].created_at, rows[-1].id)


def _shaped(rows: Sequence[Any], shape: Callable[[Any], Shape]) -> list[Shape]:
    return [shape(row) for row in rows]


async def _json_lines(pages: AsyncIterator[list[Shape]]) -> AsyncIterator[bytes]:
    async for page in pages:
        yield await asyncio.to_thread(_json, page)


def _json(rows: Sequence[Shape]) -> bytes:
    return b"".join(row.model_dump_json(by_alias=True).encode() + b"\n" for row in rows)


async def _csv(
    pages: AsyncIterator[list[Shape]], columns: Callable[[Any], dict[str, Any]]
) -> AsyncIterator[bytes]:
    header: list[str] | None = None
    async for page in pages:
        if header is None and page:
            header = list(columns(page[0]))
            yield _line(header)
        yield await asyncio.to_thread(_lines, page, columns)


def _lines(rows: Sequence[Shape], columns: Callable[[Any], dict[str, Any]]) -> bytes:
    return b"".join(_line(map(_cell, columns(row).values())) for row in rows)


def _line(cells: Iterable[Any]) -> bytes:
    written = io.StringIO()
    csv.writer(written).writerow(cells)
    return written.getvalue().encode()


def _cell(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return value
