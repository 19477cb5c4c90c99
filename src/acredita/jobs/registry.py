"""The kinds of jobs and their handlers.

@job("verification.step", queue=Queue.ENGINES, timeout=60, on_dead=send_to_review)
async def run_step(context: JobContext, step_id: UUID) -> None: ...

await jobs.add(session, run_step, {"step_id": step.id}, once_key=f"step:{step.id}")
"""

import inspect
import typing
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

if TYPE_CHECKING:
    from acredita.jobs.ledger import LeasedJob
    from acredita.ports import JobEnding

# A payload has ids and small facts, never personal data.
Payload = Mapping[str, UUID | str | int | bool | None]
Handler = Callable[..., Awaitable[None]]
OnDead = Callable[[AsyncSession, "JobEnding", "LeasedJob"], Awaitable[None]]


class Queue(StrEnum):
    """Queues keep kinds of work apart that must not wait for each other."""

    ENGINES = "engines"
    WEBHOOKS = "webhooks"
    # Requests to government registries. All of them may hang until their time-outs.
    REGISTRIES = "registries"
    LIGHT = "light"


class Priority(IntEnum):
    """Only three levels, because a claim scans the index once per level."""

    BULK = -1
    NORMAL = 0
    URGENT = 1


class Lane(IntEnum):
    """Who caused a job: an organization's own systems, or a browser that proved nothing."""

    SERVER = 0
    BROWSER = 1


@dataclass(frozen=True, slots=True, eq=False)
class JobDefinition:
    """A kind of job: its handler, its limits and its schedule."""

    kind: str
    queue: Queue
    handler: Handler
    timeout: float
    max_attempts: int
    on_dead: OnDead | None
    # Seconds between the runs of a recurring job; None for other jobs.
    every: float | None = None
    # SQL that selects the keys with work now, for a standing job; None for other jobs.
    waiting: str | None = None
    # The same of work that was added in the last seconds.
    new: str | None = None

    def check(self, payload: Payload) -> None:
        """Raise TypeError if the handler does not accept the payload."""
        _signature(self.handler).bind(None, **payload)

    async def __call__(self, context: Any, **payload: Any) -> None:
        """Call the handler. Converts ids, which the ledger stores as text, to UUID as declared."""
        for name in _id_parameters(self.handler) & payload.keys():
            if isinstance(payload[name], str):
                payload[name] = UUID(payload[name])
        await self.handler(context, **payload)


# Reading a signature or its types takes longer than most statements.
_signature = cache(inspect.signature)


@cache
def _id_parameters(handler: Handler) -> frozenset[str]:
    hints = typing.get_type_hints(handler).items()
    return frozenset(name for name, hint in hints if UUID in (hint, *typing.get_args(hint)))


_definitions: dict[str, JobDefinition] = {}


def _register(definition: JobDefinition) -> JobDefinition:
    if definition.kind in _definitions:
        raise ValueError(f"two handlers for jobs of kind {definition.kind!r}")
    _definitions[definition.kind] = definition
    return definition


def job(
    kind: str,
    *,
    queue: Queue,
    timeout: float,
    max_attempts: int = 5,
    on_dead: OnDead | None = None,
) -> Callable[[Handler], JobDefinition]:
    """Declare the handler of a kind of job. It receives a JobContext and the payload as keywords.

    A handler may run twice, so it reads current state. It is cancelled after `timeout` seconds.
    `on_dead(session, services, job)` runs in the transaction that makes the job dead, after
    `max_attempts` failures or crashes, or after PermanentFailure.
    """
    return lambda handler: _register(
        JobDefinition(kind, queue, handler, timeout, max_attempts, on_dead)
    )


def recurring(
    kind: str, *, every: float, queue: Queue = Queue.LIGHT, timeout: float = 60
) -> Callable[[Handler], JobDefinition]:
    """Declare a job that runs every `every` seconds, in one worker at a time.

    It is one ledger row that is never done. After an outage it runs late, but only once.
    """
    return lambda handler: _register(
        JobDefinition(kind, queue, handler, timeout, max_attempts=3, on_dead=None, every=every)
    )


def standing(
    kind: str,
    *,
    waiting: str,
    new: str,
    queue: Queue,
    timeout: float,
    max_attempts: int = 5,
    on_dead: OnDead | None = None,
) -> Callable[[Handler], JobDefinition]:
    """Declare a job that handles all work of one `key`, such as one webhook receiver.

    No caller adds it. `waiting` is SQL that selects (key, organization_id) of the keys that have
    work now, each key once. Workers keep one permanent ledger row per key and make it due, soon
    after a wake-up of its queue, otherwise within a second. So transactions that
    create work for the same key never wait for each other, and only one worker at a time handles a
    key. The handler ends in `context.finish` and schedules its next run there. So only new work has
    to be looked for often: `new` selects the keys with work that became due in the last seconds.
    """
    return lambda handler: _register(
        JobDefinition(
            kind, queue, handler, timeout, max_attempts, on_dead, waiting=waiting, new=new
        )
    )


def standing_definitions(queue: str) -> list[JobDefinition]:
    return [each for each in _definitions.values() if each.waiting and each.queue == queue]


def definition(kind: str) -> JobDefinition:
    return _definitions[kind]


def known_kinds() -> list[str]:
    """The kinds that this process can run. Jobs of newer releases stay for newer processes."""
    return list(_definitions)


def recurring_definitions() -> list[JobDefinition]:
    return [each for each in _definitions.values() if each.every is not None]
