"""The time zone of the dates on documents and certificates."""

from datetime import date, datetime, timedelta, timezone
from typing import Final

MEXICO_CITY: Final = timezone(timedelta(hours=-6))
"""Central Mexico keeps one time all year (Ley de los Husos Horarios, 2022)."""


def mexican_date(moment: datetime) -> date:
    """Return the calendar day in central Mexico at that moment."""
    return moment.astimezone(MEXICO_CITY).date()
