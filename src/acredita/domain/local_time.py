"""The time of day that documents and certificates are dated by."""

from datetime import timedelta, timezone
from typing import Final

MEXICO_CITY: Final = timezone(timedelta(hours=-6))
"""Central Mexico keeps one time all year (Ley de los Husos Horarios, 2022)."""
