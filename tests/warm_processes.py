"""Engine processes that outlive the test that started them.

A process loads its models for seconds and then takes one task after the other, in production as
here. So a pool of the service's that closes hands its idle processes to the next pool of the same
engine, settings and environment. A process that died, was killed or is in the middle of a task is
never handed on. Pools that tests make themselves start and end their own processes.

The engines are functions of their input. So the answer to a task is kept, and a test that sends a
picture that an earlier test of the run sent gets the engine's answer of then.
"""

import pickle
from typing import Any

from acredita.kit.processes import ProcessPool
from tests import kept_in_run

# Of all engines together: each keeps its models in memory.
MOST = 8
_idle: list[tuple[Any, Any]] = []
# Pools whose answers are kept, of at most how many bytes.
ENGINES = {"documents", "faces"}
LARGEST_ANSWER = 4_000_000


def install() -> None:
    """Let every pool of the service's in this process hand on its idle processes."""
    start, close_pool, ask = ProcessPool._start, ProcessPool.close, ProcessPool._answer

    async def take_over_or_start(self: ProcessPool) -> Any:
        hands_on = _is_of_the_service(self) and not self._closed
        process = _taken(_terms(self)) if hands_on else None
        if process is None:
            return await start(self)
        self._all.add(process)
        return process

    async def hand_on_and_close(self: ProcessPool) -> None:
        if _is_of_the_service(self):
            for process in self._idle:
                self._all.discard(process)
                _idle.append((_terms(self), process))
            self._idle.clear()
            while len(_idle) > MOST:
                _end(_idle.pop(0)[1])
        await close_pool(self)

    async def remember_or_ask(self: ProcessPool, task: bytes, *how: Any) -> bytes:
        is_engines = self._name in ENGINES and b"acredita.engines" in task[:100]
        key = (repr(_terms(self)).encode(), task)
        if is_engines and (kept := kept_in_run.find(*key)):
            return kept
        answer = await ask(self, task, *how)
        # A fault, such as a lack of memory, may be of the moment: the next test asks again.
        has_result = is_engines and pickle.loads(answer)[0] is None  # noqa: S301 (our own process)
        if has_result and len(answer) <= LARGEST_ANSWER:
            kept_in_run.keep(answer, *key)
        return answer

    ProcessPool._answer = remember_or_ask  # type: ignore[method-assign]
    ProcessPool._start = take_over_or_start  # type: ignore[method-assign]
    ProcessPool.close = hand_on_and_close  # type: ignore[method-assign]


def close() -> None:
    """End the processes that no pool has taken."""
    while _idle:
        _end(_idle.pop()[1])


def _is_of_the_service(pool: ProcessPool) -> bool:
    takes_our_classes = any(each.startswith("acredita.") for each in pool._plain_data_from)
    return takes_our_classes or pool._name == "screening_index"


def _terms(pool: ProcessPool) -> Any:
    environment = pool._environment.items()
    seen = sorted(item for item in environment if not item[0].startswith("PYTEST_"))
    return pool._name, pool._start_data, pool._memory_limit, seen


def _taken(kind: Any) -> Any:
    for place in reversed(range(len(_idle))):
        if _idle[place][0] == kind:
            process = _idle.pop(place)[1]
            if process.is_alive():
                return process
            process.close()
    return None


def _end(process: Any) -> None:
    process.kill()
    process.wait()
    process.close()
