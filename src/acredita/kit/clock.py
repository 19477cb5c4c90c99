"""The time, injected, so that tests need not freeze it.

Leases and due times use PostgreSQL's now() instead: one clock per purpose.
"""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """The present moment, in UTC."""
        ...


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


def timestamp(moment: datetime) -> str:
    """The wire form of a moment (DECISIONS, wire conventions): UTC, ISO 8601, milliseconds, Z."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    return utc.isoformat(timespec="milliseconds") + "Z"
