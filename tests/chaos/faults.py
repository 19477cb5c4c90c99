"""Misfortunes, drawn beforehand: the same seed has the same ones at the same moments."""

import asyncio
import random
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping

from tests.chaos.installation import FROZEN, Child, Installation

TICK = 0.1
# How many in a minute. The proportions are those of a loop that, ten times a second, kills a worker
# with a chance of 15 %, freezes one with 10, kills an API with 5, ...; the rate leaves processes
# that take seconds to start the time to do something in between.
A_MINUTE = {
    "worker killed": 18.0,
    "worker frozen": 12.0,
    "API killed": 6.0,
    "Redis emptied": 3.6,
    "Redis killed": 2.4,
    "PostgreSQL crashed": 1.2,
}
REDIS_AWAY = 2.0


class Faults:
    def __init__(
        self,
        installation: Installation,
        *,
        seconds: float,
        seed: int,
        a_minute: Mapping[str, float] = A_MINUTE,
        frozen: float = FROZEN,
    ) -> None:
        """`frozen`: seconds that a worker is frozen. Every fault strikes once at least."""
        self.count: Counter[str] = Counter()
        # Of each crash of PostgreSQL, by the monotonic clock: when it was begun, and overcome.
        self.crashes: list[tuple[float, float]] = []
        self.seconds, self._frozen = seconds, frozen
        self._installation = installation
        self._chance = random.Random(seed)
        self._ticks = round(seconds / TICK)
        self._planned: dict[int, list[str]] = {}
        for fault, rate in a_minute.items():
            for _ in range(max(1, round(rate * seconds / 60))):
                tick = self._chance.randrange(self._ticks)
                self._planned.setdefault(tick, []).append(fault)
        self._later: set[asyncio.Task[None]] = set()
        self._inflict: dict[str, Callable[[], Awaitable[None]]] = {
            "worker killed": self._kill_a_worker,
            "worker frozen": self._freeze_a_worker,
            "API killed": self._kill_an_api,
            "Redis emptied": self._empty_redis,
            "Redis killed": self._kill_redis,
            "PostgreSQL crashed": self._crash_postgres,
        }

    async def strike(self) -> None:
        """Inflict everything that is planned, then let everything run again."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        for tick in range(self._ticks):
            for fault in self._planned.get(tick, ()):
                await self._inflict[fault]()
                self.count[fault] += 1
            await asyncio.sleep(max(0.0, began + (tick + 1) * TICK - loop.time()))
        await asyncio.gather(*self._later)
        for worker in self._installation.workers:
            worker.send(signal.SIGCONT)

    async def _kill_a_worker(self) -> None:
        self._chance.choice(self._installation.workers).send(signal.SIGKILL)

    async def _kill_an_api(self) -> None:
        self._chance.choice(self._installation.apis).send(signal.SIGKILL)

    async def _freeze_a_worker(self) -> None:
        worker = self._chance.choice(self._installation.workers)
        worker.send(signal.SIGSTOP)
        self._in_a_while(self._thaw(worker))

    async def _thaw(self, worker: Child) -> None:
        await asyncio.sleep(self._frozen)
        worker.send(signal.SIGCONT)

    async def _empty_redis(self) -> None:
        if self._installation.redis.is_up:
            await asyncio.to_thread(self._installation.redis.flush)

    async def _kill_redis(self) -> None:
        if self._installation.redis.is_up:
            self._installation.redis.kill()
            self._in_a_while(self._bring_redis_back())

    async def _bring_redis_back(self) -> None:
        await asyncio.sleep(REDIS_AWAY)
        await asyncio.to_thread(self._installation.redis.start)

    async def _crash_postgres(self) -> None:
        began = time.monotonic()
        await asyncio.to_thread(self._installation.crash_postgres)
        self.crashes.append((began, time.monotonic()))

    def _in_a_while(self, what: Awaitable[None]) -> None:
        self._later.add(asyncio.ensure_future(what))
