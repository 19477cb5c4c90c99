"""How long data are kept: a number of days, or of calendar years, from a starting point."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

DEFAULT_DAYS: Final = 365
"""Of an organization that sets no other period."""


class RetentionStart(StrEnum):
    """From when the retention period of a verification counts."""

    CREATION = "CREATION"
    # From the end of the relationship with the person. As long as no end is set, the verification
    # is kept.
    RELATIONSHIP_END = "RELATIONSHIP_END"


def kept_since(now: datetime, *, days: int, years: int | None) -> datetime:
    """Return the time before which a period that ended by `now` started.

    Calendar years count by date. A period that starts on 29 February ends on 1 March in other
    years: it is never shorter than its years.
    """
    if years is None:
        return now - timedelta(days=days)
    try:
        return now.replace(year=now.year - years)
    except ValueError:
        return now.replace(year=now.year - years, day=28)


def longest_days(*, days: int, years: int | None) -> int:
    """Return the length of a period in days; of years the longest, with all their leap days."""
    return days if years is None else years * 365 + (years + 3) // 4
