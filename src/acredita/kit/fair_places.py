"""A limited number of places for concurrent work, which groups and their members get in turn."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager


class QueueFull(Exception):
    """Too many requests of the member or its group are waiting."""


class FairPlaces:
    """Places for concurrent work. A free place goes to the groups in turn; within a group, to its
    members in turn; within a member, to the request that waits longest.

    A group holds at most `most_of_group` places, also while others are free: another group then
    does not wait for the tasks of the first one.

    One event loop uses it. A request that is cancelled while it waits loses its turn.
    """

    def __init__(
        self,
        places: int,
        *,
        longest_queue: int,
        longest_group_queue: int,
        most_of_group: Callable[[Hashable], int] | None = None,
    ) -> None:
        self._free = places
        self._most_of_group = most_of_group
        self._held: Counter[Hashable] = Counter()
        self._longest_queue = longest_queue
        self._longest_group_queue = longest_group_queue
        # The first group, and the first member in it, are next. Nothing here is empty.
        self._groups: OrderedDict[Hashable, OrderedDict[Hashable, deque[asyncio.Future[None]]]] = (
            OrderedDict()
        )

    @asynccontextmanager
    async def place(self, group: Hashable, member: Hashable = None) -> AsyncIterator[None]:
        """Wait for a place and hold it. Raise QueueFull at once if the queue of the member or of
        its group is full."""
        await self._acquire(group, member)
        try:
            yield
        finally:
            self._release(group)

    async def _acquire(self, group: Hashable, member: Hashable) -> None:
        # A limit may have risen since the last release. Those who wait come first.
        self._hand_out()
        if self._free and self._may_hold_another(group):
            self._free -= 1
            self._held[group] += 1
            return
        members = self._groups.get(group, OrderedDict())
        if (
            len(members.get(member, ())) >= self._longest_queue
            or sum(map(len, members.values())) >= self._longest_group_queue
        ):
            raise QueueFull
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        lines = self._groups.setdefault(group, OrderedDict())
        lines.setdefault(member, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._release(group)  # the place came at the same moment
            elif turn in self._groups.get(group, OrderedDict()).get(member, ()):
                self._remove(group, member, turn)
            raise

    def _may_hold_another(self, group: Hashable) -> bool:
        return self._most_of_group is None or self._held[group] < self._most_of_group(group)

    def _release(self, group: Hashable) -> None:
        """Free the place of the group, and give the free places to the next requests."""
        self._free += 1
        self._held[group] -= 1
        if not self._held[group]:
            del self._held[group]
        self._hand_out()

    def _hand_out(self) -> None:
        """Give the free places to the next requests."""
        while self._free and (found := self._next_turn()) is not None:
            next_group, turn = found
            # A request that was cancelled may not have run since, to leave its line.
            if not turn.cancelled():
                self._free -= 1
                self._held[next_group] += 1
                turn.set_result(None)

    def _next_turn(self) -> tuple[Hashable, asyncio.Future[None]] | None:
        """Take the next request from its line; its group and its member go to the end."""
        group = next(filter(self._may_hold_another, self._groups), None)
        if group is None:
            return None
        members = self._groups[group]
        member, line = next(iter(members.items()))
        turn = line[0]
        self._remove(group, member, turn)
        if member in members:
            members.move_to_end(member)
        if group in self._groups:
            self._groups.move_to_end(group)
        return group, turn

    def _remove(self, group: Hashable, member: Hashable, turn: asyncio.Future[None]) -> None:
        members = self._groups[group]
        members[member].remove(turn)
        if not members[member]:
            del members[member]
        if not members:
            del self._groups[group]
