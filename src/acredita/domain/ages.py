"""The age of a person."""

from datetime import date


def age_on(born: date, day: date) -> int:
    """Return the age in whole years. Who was born on 29 February is older on 1 March of a common
    year."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))
