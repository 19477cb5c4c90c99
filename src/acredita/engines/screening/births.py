"""Compare dates of birth. Lists have days, months, years, and now and then a slip of the pen."""

from collections.abc import Iterable
from typing import Literal

BirthLevel = Literal["same_day", "slip", "same_year", "other_year"]
"""How a date of birth agrees with a listed one, best first.

`slip`: day and month changed places, or one digit differs. `same_year`: the days differ, or one of
the two has none.
"""

LEVELS: tuple[BirthLevel, ...] = ("same_day", "slip", "same_year", "other_year")
_DAY = len("1970-01-01")


def best_level(asked: Iterable[str], listed: Iterable[str]) -> tuple[BirthLevel, str, str]:
    """The best agreement of any pair with the pair: (level, asked, listed). Neither is empty.

    Dates are ISO dates, months (1970-05) or years.
    """
    theirs = list(listed)
    pairs = [(birth_level(ours, each), ours, each) for ours in asked for each in theirs]
    return min(pairs, key=lambda pair: LEVELS.index(pair[0]))


def birth_level(one: str, other: str) -> BirthLevel:
    """Compare two ISO dates, months or years."""
    is_year = one[:4] == other[:4]
    if len(one) == len(other) == _DAY:
        if one == other:
            return "same_day"
        is_swapped = is_year and (one[5:7], one[8:]) == (other[8:], other[5:7])
        if is_swapped or sum(map(str.__ne__, one, other)) == 1:
            return "slip"
    return "same_year" if is_year else "other_year"
