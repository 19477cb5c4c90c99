"""Inspection by workers: an API process sends each file to one, and waits for the result.

So decoding takes none of the API's cores, and an upload that does not decode is still refused in
its own response. Each API process keeps the turns of organizations (`Inspection.place`).
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar, cast

import orjson
import structlog

from acredita.engines.documents.accepted_types import CannotOpen
from acredita.engines.documents.inspection import (
    COSTLY_PROCESSES,
    LONGEST,
    MEMORY_MIB,
    TASKS,
    InspectionBusy,
    Place,
    Processes,
)
from acredita.kit.crypto import KeyRing
from acredita.kit.machine import processes_that_fit
from acredita.kit.sealed_calls import CallFailed, SealedCalls, answering

log = structlog.get_logger()
Content = TypeVar("Content")
Result = TypeVar("Result")

# Bytes of a call: all frames of a film, or one film.
LARGEST: Final = 64 * 1024 * 1024
# Calls that wait for a process, for each process.
WAITING: Final = 3
HEAD_LENGTH: Final = 4
_TASKS = {task.__name__: task for task in TASKS}


class Elsewhere:
    """Decoders of workers."""

    def __init__(self, url: str, keys: KeyRing) -> None:
        self._calls = SealedCalls(url, keys, timeout=2 * LONGEST)

    async def run(
        self, task: Callable[[Content, str], Result], content: Content, kind: str, place: Place
    ) -> Result:
        asked = {"task": task.__name__, "kind": kind, "isCostly": place.is_costly}
        question = _packed(asked, content)
        try:
            head, result = _unpacked(await self._calls.call(question))
        except CallFailed as fault:
            raise InspectionBusy(f"the workers do not inspect: {fault}") from None
        place.charge(head["seconds"])
        if head["code"] is not None:
            raise CannotOpen(head["code"])
        return cast("Result", result)

    async def close(self) -> None:
        await self._calls.close()


@asynccontextmanager
async def serving(
    host: str, port: int, keys: KeyRing, *, hidden_environment: str | None = None
) -> AsyncIterator[None]:
    """Inspect files for API processes, in as many processes as this machine can hold.

    Raise OSError if the port is in use.
    """
    number = processes_that_fit(1, MEMORY_MIB)
    processes = Processes(number, hidden_environment=hidden_environment)

    async def answer(question: bytes) -> bytes:
        head, content = _unpacked(question)
        spent: list[float] = []
        code, result = None, b""
        try:
            task: Any = _TASKS[head["task"]]
            # API processes of the former release do not tell the costly ones.
            place = Place(spent.append, is_costly=head.get("isCostly", False))
            result = await processes.run(task, content, head["kind"], place)
        except CannotOpen as fault:
            code = fault.code
        return _packed({"seconds": sum(spent), "code": code}, result)

    most = (number + COSTLY_PROCESSES) * (WAITING + 1)
    try:
        async with answering(host, port, keys, answer, largest=LARGEST, most_at_once=most):
            log.info("inspection.serving", processes=number)
            yield
    finally:
        await processes.close()


def _packed(head: dict[str, Any], content: Any) -> bytes:
    """Join the head, as JSON, and one content (bytes) or several (a sequence of bytes)."""
    is_one = isinstance(content, bytes)
    contents: Sequence[bytes] = (content,) if is_one else content
    sizes = [len(each) for each in contents]
    encoded = orjson.dumps(head | {"isOne": is_one, "sizes": sizes})
    return b"".join([len(encoded).to_bytes(HEAD_LENGTH, "big"), encoded, *contents])


def _unpacked(message: bytes) -> tuple[dict[str, Any], bytes | list[bytes]]:
    start = HEAD_LENGTH + int.from_bytes(message[:HEAD_LENGTH], "big")
    head = orjson.loads(message[HEAD_LENGTH:start])
    contents = []
    for size in head["sizes"]:
        contents.append(message[start : start + size])
        start += size
    return head, contents[0] if head["isOne"] else contents
