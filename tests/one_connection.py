"""A guard for the whole test-suite: a task that holds a connection takes no second one.

Tasks that hold one connection each and wait for another would wait for each other when the pool is
at its ceiling.
"""

import asyncio
import traceback
from typing import Any
from weakref import WeakKeyDictionary

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
    if task in _holders.values():
        frames = traceback.extract_stack()
        ours = [f"{each.filename}:{each.lineno}" for each in frames if "acredita/" in each.filename]
        # A test may hold one itself.
        if any("/resources/" in each or "/api/" in each or "/jobs/" in each for each in ours):
            violations.add(" ".join(each.rpartition("acredita/")[2] for each in ours))
    _holders[entry] = task
