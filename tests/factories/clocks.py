"""Time, moved."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass(frozen=True)
class ShiftedClock:
    by: timedelta

    def now(self) -> datetime:
        return datetime.now(UTC) + self.by


@dataclass(frozen=True)
class StoppedClock:
    at: datetime

    def now(self) -> datetime:
        return self.at
