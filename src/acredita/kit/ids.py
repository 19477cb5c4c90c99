"""UUIDs: version 4 where knowing the id grants access (verification, document); 7 elsewhere."""

import os
import re
import threading
import time
from uuid import UUID, uuid4

RANDOM_BITS = 74
CANONICAL = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def capability() -> UUID:
    """An unguessable UUIDv4: 122 bits from the system's cryptographic random source."""
    return uuid4()


class _Sequence:
    """UUIDv7s (RFC 9562, method 2): Unix milliseconds, then 74 monotonically increasing bits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._milliseconds = 0
        self._tail = 0

    def take(self, count: int) -> list[int]:
        steps = memoryview(os.urandom(4 * count)).cast("I").tolist()
        with self._lock:
            now = time.time_ns() // 1_000_000
            return [self._next(now, step) for step in steps]

    def _next(self, now: int, step: int) -> int:
        if now > self._milliseconds:
            # The first bit is 0, so that the counter does not overflow within a millisecond.
            self._milliseconds, self._tail = now, _random_bits(RANDOM_BITS - 1)
        else:
            self._tail += 1 + step
            if self._tail >> RANDOM_BITS:
                self._milliseconds += 1
                self._tail = _random_bits(RANDOM_BITS - 1)
        head, tail = self._tail >> 62, self._tail & ((1 << 62) - 1)
        return self._milliseconds << 80 | 0x7 << 76 | head << 64 | 0x2 << 62 | tail


def _random_bits(count: int) -> int:
    return int.from_bytes(os.urandom(10), "big") >> (80 - count)


_sequence = _Sequence()


def sortable() -> UUID:
    """A UUIDv7 greater than all earlier ones of this process."""
    return sortable_many(1)[0]


def sortable_many(count: int) -> list[UUID]:
    """As many UUIDv7s, ascending, each greater than all earlier ones of this process."""
    return [UUID(int=number) for number in _sequence.take(count)]


def parse(text: str) -> UUID | None:
    """Parse a UUID in canonical form (lower case, with hyphens). None for any other text."""
    return UUID(text) if CANONICAL.fullmatch(text) else None
