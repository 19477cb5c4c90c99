"""Identifiers. Version 4 where the id is a capability (verification, document); 7 elsewhere."""

import os
import re
import time
from uuid import UUID, uuid4

CANONICAL = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def capability() -> UUID:
    """An unguessable id: 122 bits from the system's cryptographic source."""
    return uuid4()


def sortable() -> UUID:
    """A UUIDv7 (RFC 9562): milliseconds since the epoch, then 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    tail = int.from_bytes(os.urandom(10), "big")
    value = (milliseconds & ((1 << 48) - 1)) << 80 | tail
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)


def parse(text: str) -> UUID | None:
    """The id that `text` writes in the one form the service uses (lower case, hyphens), if any."""
    return UUID(text) if CANONICAL.fullmatch(text) else None
