"""What kinds of jobs there are, and who does them.

@job("verification.step", queue=Queue.ENGINES, timeout=60, on_dead=send_to_review)
async def run_step(context: JobContext, step_id: UUID) -> None: ...

await jobs.add(session, run_step, {"step_id": step.id}, once_key=f"step:{step.id}")
"""

import inspect
import typing
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

if TYPE_CHECKING:
    from acredita.jobs.ledger import LeasedJob
    from acredita.services import Services

# What a payload may hold: ids and small facts, never personal data.
Payload = Mapping[str, UUID | str | int | bool | None]
Handler = Callable[..., Awaitable[None]]
OnDead = Callable[[AsyncSession, "Services", "LeasedJob"], Awaitable[None]]


class Queue(StrEnum):
    """Classes of work that must not wait for each other."""

    ENGINES = "engines"
    WEBHOOKS = "webhooks"
    # Questions to registries, which may all hang for as long as a time-out lasts.
    REGISTRIES = "registries"
    LIGHT = "light"


class Priority(IntEnum):
    """Few on purpose: a claim looks at each level through the index."""

    BULK = -1
    NORMAL = 0
    URGENT = 1


@dataclass(frozen=True, slots=True, eq=False)
class JobDefinition:
    """A kind of job: its handler and the terms on which it is run."""

    kind: str
    queue: Queue
    handler: Handler
    timeout: float
    max_attempts: int
    on_dead: OnDead | None
    # Seconds between two runs; None: runs when it is added.
    every: float | None = None
    # SQL for the keys that have work now (see `standing`); None: the job is added.
    waiting: str | None = None

    def check(self, payload: Payload) -> None:
        """Raise TypeError, in the transaction that adds the job, if the handler cannot take it."""
        inspect.signature(self.handler).bind(None, **payload)

    async def __call__(self, context: Any, **payload: Any) -> None:
        """Do the job. Ids come out of the ledger as text and go in as the handler declares them."""
        hints = typing.get_type_hints(self.handler)
        for name, value in payload.items():
            hint = hints.get(name)
            if isinstance(value, str) and UUID in (hint, *typing.get_args(hint)):
                payload[name] = UUID(value)
        await self.handler(context, **payload)


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
    """Declare the handler of a kind of job. It takes a JobContext and the payload by keyword.

    The handler may run twice, reads state afresh, and is cancelled after `timeout` seconds.
    `on_dead(session, services, job)` runs in the transaction that gives the job up, after
    `max_attempts` failures or crashes, or ForGood.
    """
    return lambda handler: _register(
        JobDefinition(kind, queue, handler, timeout, max_attempts, on_dead)
    )


def recurring(
    kind: str, *, every: float, queue: Queue = Queue.LIGHT, timeout: float = 60
) -> Callable[[Handler], JobDefinition]:
    """Declare a job that runs `every` seconds, in one worker at a time.

    It is one row of the ledger that is never done: an outage makes it late, nothing more.
    """
    return lambda handler: _register(
        JobDefinition(kind, queue, handler, timeout, max_attempts=3, on_dead=None, every=every)
    )


def standing(
    kind: str,
    *,
    waiting: str,
    queue: Queue,
    timeout: float,
    max_attempts: int = 5,
    on_dead: OnDead | None = None,
) -> Callable[[Handler], JobDefinition]:
    """Declare a job that takes care of everything that is to be done for its `key`.

    Nobody adds it. `waiting` is SQL that selects (key, organization_id) of what has work now, each
    key once: their rows in the ledger, one a key for ever, are made due, soon after a transaction
    that notifies `CHANNEL` has committed and else within a second. So the transaction that makes
    work for a key never waits for another one that does, and at any time one worker alone is at it.
    The handler leaves through `context.finish`, and in there asks for its next run.
    """
    return lambda handler: _register(
        JobDefinition(kind, queue, handler, timeout, max_attempts, on_dead, waiting=waiting)
    )


def standing_definitions(queue: str) -> list[JobDefinition]:
    return [each for each in _definitions.values() if each.waiting and each.queue == queue]


def definition(kind: str) -> JobDefinition:
    return _definitions[kind]


def known_kinds() -> list[str]:
    """What this process can do. A newer release's jobs are left for the newer release."""
    return list(_definitions)


def recurring_definitions() -> list[JobDefinition]:
    return [each for each in _definitions.values() if each.every is not None]
