"""Parses dates in lists, with any precision and in several orders."""

import re
from datetime import UTC, date, datetime

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january ene enero",
            "feb february febrero",
            "mar march marzo",
            "apr april abr abril",
            "may mayo",
            "jun june junio",
            "jul july julio",
            "aug august ago agosto",
            "sep sept september septiembre",
            "oct october octubre",
            "nov november noviembre",
            "dec december dic diciembre",
        ),
        start=1,
    )
    for name in names.split()
}
YEAR = r"((?:1[89]|20)\d\d)"
RANGE = re.compile(rf"\b{YEAR}\b(?:\s+to\s+|\s*-\s*|\s+and\s+)(?:.*\s)?\b{YEAR}\b")
ISO = re.compile(rf"\b{YEAR}(?:-(\d\d)(?:-(\d\d))?)?\b")
WHOLE = re.compile(rf"{YEAR}-(\d\d)-(\d\d)")
DAY_MONTH_YEAR = re.compile(rf"\b(\d\d?)/(\d\d?)/{YEAR}\b")
IN_WORDS = re.compile(rf"\b(?:(\d\d?)\s+)?(?:de\s+)?([a-z]{{3,}})\.?\s+(?:de\s+)?{YEAR}\b")
# In years. A wider range of birth years is useless.
WIDEST_RANGE = 10


def dates_in(text: str) -> tuple[str, ...]:
    """Return ISO dates, months or years: every year of a range, or nothing for a wide range.

    `15 Mar 1963`, `Mar 1962`, `1946`, `circa 1962`, `1962 to 1965`, `15/03/1963` (day first, 00 for
    unknown), `1963-03-15`.
    """
    if found := WHOLE.fullmatch(text):
        return (_iso(found[1], found[2], found[3]),)
    lowered = text.casefold()
    if found := RANGE.search(lowered):
        first, last = int(found[1]), int(found[2])
        if first <= last:
            years = range(first, last + 1)
            return tuple(map(str, years)) if len(years) <= WIDEST_RANGE else ()
    if found := DAY_MONTH_YEAR.search(lowered):
        return (_iso(found[3], found[2], found[1]),)
    if (found := IN_WORDS.search(lowered)) and found[2] in MONTHS:
        return (_iso(found[3], str(MONTHS[found[2]]), found[1]),)
    if found := ISO.search(lowered):
        return (_iso(found[1], found[2], found[3]),)
    return ()


def _iso(year: str, month: str | None, day: str | None) -> str:
    """The most precise valid form: a date, else a month, else a year."""
    number = int(month or 0)
    if not 1 <= number <= 12:
        return year
    try:
        return date(int(year), number, int(day or 0)).isoformat()
    except ValueError:
        return f"{year}-{number:02}"


def moment(text: str) -> datetime | None:
    """Parse a list's publication time, in UTC. A date without a time means the start of the day."""
    try:
        exact = datetime.fromisoformat(text)
    except ValueError:
        days = [day for day in dates_in(text) if len(day) == 10]
        if len(days) != 1:
            return None
        exact = datetime.fromisoformat(days[0])
    return exact.astimezone(UTC) if exact.tzinfo else exact.replace(tzinfo=UTC)


def month_first(text: str) -> datetime | None:
    """Parse the American order: `08/07/2026` is 7 August."""
    month, slash, rest = text.strip().partition("/")
    day, _, year = rest.partition("/")
    return moment(f"{day}/{month}/{year}") if slash else None
