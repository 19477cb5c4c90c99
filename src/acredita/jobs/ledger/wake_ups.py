"""Wake-ups: tell an idle worker of a queue, through arq's queue in Redis, that there is work.

A queue has one wake-up at most, however many jobs are due. So a flood of jobs does not fill Redis.
"""

import json
from functools import cache
from typing import Any

from arq.constants import job_key_prefix
from arq.jobs import serialize_job
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.kit.announcements import Command, after_commit
from acredita.kit.db import Database

PREFIX = "acredita:jobs:"
WAKE = "wake"
# Milliseconds after which Redis forgets a wake-up that no worker has received.
LIFETIME = 600_000
# arq starts what has a time in the past.
LONG_AGO = 1


def queue_name(queue: str) -> str:
    """The name that arq has for a queue."""
    return PREFIX + queue


@cache
def wake_up(queue: str) -> tuple[Command, ...]:
    """The Redis commands that wake an idle worker of a queue.

    They write what arq's enqueue_job writes, without its round trips: repetitions replace each
    other.
    """
    wake_up_id = f"{queue_name(queue)}:{WAKE}"
    return (
        ("SET", job_key_prefix + wake_up_id, MESSAGE, "PX", LIFETIME),
        ("ZADD", queue_name(queue), LONG_AGO, wake_up_id),
    )


def to_json(value: Any) -> bytes:
    """Serialize for arq. Unpickling would let anyone who can write to Redis run code here."""
    return json.dumps(value, default=str).encode()


MESSAGE = serialize_job(WAKE, (), {}, None, LONG_AGO, serializer=to_json)


def ring(session: AsyncSession, queue: str) -> None:
    """Wake a worker when the transaction has committed."""
    after_commit(session, *wake_up(queue))


def announce(database: Database, queue: str) -> None:
    """Wake a worker now."""
    if database.announcer is not None:
        database.announcer.send(wake_up(queue))
