"""An injected clock, so that tests do not patch the time.

Leases and due times use PostgreSQL's now() instead, so that all processes share one clock.
"""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """The current time, timezone-aware, in UTC."""
        ...


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


def timestamp(moment: datetime) -> str:
    """Format a timezone-aware datetime for the API: ISO 8601 in UTC with milliseconds and `Z`."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    return utc.isoformat(timespec="milliseconds") + "Z"
