"""Lines of CSV that a spreadsheet opens without running anything."""

import csv
import io
from collections.abc import Iterable
from typing import Any

# A spreadsheet runs a cell that starts with one of these as a formula (CWE-1236).
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def line(cells: Iterable[Any]) -> str:
    """Return one line with its end (RFC 4180). A text that begins like a formula gets a quote."""
    written = io.StringIO()
    csv.writer(written).writerow(map(_cell, cells))
    return written.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return value
