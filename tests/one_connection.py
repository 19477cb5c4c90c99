"""A guard for the whole test-suite: a task that holds a connection takes no second one.

Tasks that hold one connection each and wait for another would wait for each other when the pool is
at its ceiling. A test that holds one lets code of ours take another in a task of its own.
"""

import asyncio
import sys
from typing import Any
from weakref import WeakKeyDictionary

import greenlet

from acredita.kit.connection_pool import SharedPool

violations: set[str] = set()
_holders: WeakKeyDictionary[Any, "asyncio.Task[Any] | None"] = WeakKeyDictionary()


def install() -> None:
    """Watch every pool of this process."""
    take_idle, take, give = SharedPool.take_idle, SharedPool.take, SharedPool.give

    def take_idle_watched(self: SharedPool) -> Any:
        entry = take_idle(self)
        if entry is not None:
            _note(self, entry)
        return entry

    async def take_watched(self: SharedPool) -> Any:
        entry = await take(self)
        if entry not in _holders:
            _note(self, entry)
        return entry

    def give_watched(self: SharedPool, entry: Any) -> None:
        _holders.pop(entry, None)
        give(self, entry)

    SharedPool.take_idle = take_idle_watched  # type: ignore[method-assign]
    SharedPool.take = take_watched  # type: ignore[method-assign]
    SharedPool.give = give_watched  # type: ignore[method-assign]


def _note(pool: SharedPool, entry: Any) -> None:
    task = asyncio.current_task()
    callers = _callers()
    # What a test itself takes is left out.
    if any(part in each for each in callers for part in ("resources/", "api/", "jobs/")):
        if task in _holders.values():
            violations.add(" ".join(callers))
        _holders[entry] = task


def _callers() -> list[str]:
    """Our own frames, also those of the greenlets above: SQLAlchemy takes connections in one."""
    found = []
    greenlet_, frame = greenlet.getcurrent(), sys._getframe()
    while True:
        while frame is not None:
            file = frame.f_code.co_filename
            if "/src/acredita/" in file:
                found.append(f"{file.rpartition('/acredita/')[2]}:{frame.f_lineno}")
            frame = frame.f_back
        greenlet_ = greenlet_.parent
        if greenlet_ is None:
            return found[::-1]
        frame = greenlet_.gr_frame
