"""The CPU time of another process, measured from outside: it could report anything itself."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK")
CHECK_SECONDS: Final = 0.25


def processor_seconds(pid: int) -> float | None:
    """Return the CPU seconds of a process so far, with those of its own processes that ended
    (proc(5)). None if it is gone, or the system has no /proc.
    """
    try:
        status = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The second field, in parentheses, is a name, which may contain spaces.
    times = status.rpartition(b")")[2].split()[11:15]
    return sum(map(int, times)) / TICKS_PER_SECOND


@contextmanager
def within(limit: asyncio.Timeout, pid: int, most: float | None) -> Iterator[None]:
    """Let `limit` expire as soon as the process has used `most` CPU seconds in this context."""
    loop, before = asyncio.get_running_loop(), processor_seconds(pid)
    if most is None or before is None:
        yield
        return

    next_check: asyncio.TimerHandle

    def check() -> None:
        nonlocal next_check
        used = processor_seconds(pid)
        if used is not None and used - before >= most and not limit.expired():
            limit.reschedule(loop.time())
        else:
            next_check = loop.call_later(CHECK_SECONDS, check)

    next_check = loop.call_later(CHECK_SECONDS, check)
    try:
        yield
    finally:
        next_check.cancel()
