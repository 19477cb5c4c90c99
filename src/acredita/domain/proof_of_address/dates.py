"""Dates as bills print them: 12 ENE 26, 12/01/2026, 12 de enero de 2026, ENERO 2026, periods."""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from acredita.domain.documents.spelled_dates import MONTHS
from acredita.domain.names import fold

_SHORT: Final = {month[:3]: number for number, month in enumerate(MONTHS, start=1)}
_MONTH: Final = (  # the longest first; print without spaces has the DE of the year after it
    rf"(?P<month>{'|'.join(MONTHS)}|SEPT|SETIEMBRE|{'|'.join(_SHORT)})(?=DEL?[0-9]|[^A-Z]|$)"
)
_YEAR: Final = r"(?P<year>20[0-9]{2}|[0-9]{2})(?![0-9])"
_DAY: Final = r"(?<![0-9])(?P<day>[0-9]{1,2})"
# Small print often loses its spaces.
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        rf"{_DAY}\s*(?:DE\s*|[-/.]\s*)?{_MONTH}\.?\s*(?:DEL?\s*|[-/.,]\s*)?{_YEAR}",
        rf"(?<![A-Z]){_MONTH}\.?\s*(?P<day>[0-9]{{1,2}})\s*,\s*{_YEAR}",
        rf"{_DAY}\s*[-/.]\s*(?P<month>[0-9]{{1,2}})\s*[-/.]\s*{_YEAR}",
        r"(?<![0-9])(?P<year>20[0-9]{2})\s*[-/.]\s*(?P<month>[0-9]{2})\s*[-/.]\s*(?P<day>[0-9]{2})(?![0-9])",
        # A month alone, of which the last day counts.
        rf"(?<![A-Z]){_MONTH}\.?\s*(?:DEL?\s*|[-/.,]\s*)?(?P<year>20[0-9]{{2}})(?P<day>)(?![0-9])",
    )
)


@dataclass(frozen=True, slots=True)
class FoundDay:
    """A date, and its place in the text: from `start` to before `end`."""

    day: date
    start: int
    end: int


def latest_day(text: str) -> FoundDay | None:
    """Return the latest date of a text: of a period its end, of a month alone its last day. None
    without a date. Years of two digits are of this century.
    """
    return max(_days(_plain(text)), key=lambda found: found.day, default=None)


def read_latest_day(text: str) -> str:
    """Return the latest date as YYYY-MM-DD; empty without one."""
    found = latest_day(text)
    return found.day.isoformat() if found else ""


def months_before(day: date, months: int) -> date:
    """Return the same day so many months earlier; the last of that month if it is shorter."""
    number = day.year * 12 + day.month - 1 - months
    year, month = divmod(number, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _plain(text: str) -> str:
    """Return the text in capitals without accents, each character at its place."""
    return "".join(fold(character)[:1] or " " for character in text)


def _days(text: str) -> Iterator[FoundDay]:
    """Yield the dates from left to right. The year of one begins no other: 12 SEP 2026 - 12/11/2026
    has no 2026 - 12/11.
    """
    start = 0
    while found := min(
        (match for form in _FORMS if (match := form.search(text, start))),
        key=re.Match.start,
        default=None,
    ):
        day = _date(found["year"], found["month"], found["day"])
        if day is None:
            start = found.start() + 1
        else:
            yield FoundDay(day, found.start(), found.end())
            start = found.end()


def _date(year: str, month: str, day: str) -> date | None:
    whole_year = int(year) + (2000 if len(year) == 2 else 0)
    number = int(month) if month.isdigit() else _SHORT["SEP" if month[:3] == "SET" else month[:3]]
    try:
        return date(whole_year, number, int(day or monthrange(whole_year, number)[1]))
    except ValueError:
        return None
