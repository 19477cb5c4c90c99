"""arq as the doorbell: Redis carries wake-ups between dispatchers and idle workers.

The one file that imports arq, which is in maintenance mode. Of its promises only one is used: that
a message usually arrives soon. Its jobs here last as long as a claim; what is claimed runs in the
Runner, so that neither arq's time-outs nor its end when Redis drops touch work in flight.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import structlog
from arq.connections import ArqRedis
from arq.worker import Worker, func
from redis.asyncio import ConnectionPool
from redis.exceptions import RedisError

from acredita.jobs.faults import describe
from acredita.jobs.ledger import WakeUp
from acredita.jobs.registry import Queue
from acredita.jobs.runner import Runner
from acredita.kit import ids

log = structlog.get_logger()

PREFIX = "acredita:jobs:"
# Its absence tells that Redis was emptied, or started anew.
SENTINEL = PREFIX + "sentinel"
WAKE = "wake"
# Seconds: how often an idle worker asks for wake-ups; how long a claim may take; how long a wake-up
# is worth something (the ledger repeats it after 30, and workers look for themselves each second).
POLL = 0.1
CLAIM_TIMEOUT = 5
WAKE_UP_LIFETIME = 600
REDIS_TIMEOUT = 5.0


def _to_json(value: Any) -> bytes:
    return json.dumps(value, default=str).encode()


@asynccontextmanager
async def connected(redis_url: str) -> AsyncIterator[ArqRedis]:
    """arq's client, with time-outs, and JSON in place of pickle; closed with the block.

    Unpickling runs code, for whoever can write to Redis.
    """
    pool: Any = ConnectionPool.from_url(
        redis_url, socket_connect_timeout=1.0, socket_timeout=REDIS_TIMEOUT
    )
    redis = ArqRedis(
        pool,
        job_serializer=_to_json,
        job_deserializer=json.loads,
        expires_extra_ms=WAKE_UP_LIFETIME * 1000,
    )
    try:
        yield redis
    finally:
        await redis.aclose(close_connection_pool=True)


def queue_name(queue: str) -> str:
    return PREFIX + queue


class ArqDoorbell:
    """Doorbell over arq (jobs.dispatcher)."""

    def __init__(self, redis: ArqRedis) -> None:
        self._redis = redis

    async def has_forgotten(self) -> bool:
        try:
            return bool(await self._redis.set(SENTINEL, b"1", nx=True))
        except RedisError as fault:
            raise ConnectionError("Redis is away") from fault

    async def waiting(self, queue: str) -> int:
        try:
            return int(await self._redis.zcard(queue_name(queue)))
        except RedisError as fault:
            raise ConnectionError("Redis is away") from fault

    async def ring(self, wake_ups: list[WakeUp]) -> None:
        try:
            for wake_up in wake_ups:
                await self._redis.enqueue_job(
                    WAKE,
                    str(wake_up.job_id),
                    # arq refuses an id it has seen: each repetition needs one of its own.
                    _job_id=f"{wake_up.job_id}:{wake_up.publishes}",
                    _queue_name=queue_name(wake_up.queue),
                )
        except RedisError as fault:
            raise ConnectionError("Redis is away") from fault


class _Listener(Worker):
    """An arq worker that takes no more wake-ups than its process has free places."""

    def __init__(self, runner: Runner, queue: Queue, places: int, redis: ArqRedis) -> None:
        async def wake(ctx: dict[Any, Any], *args: Any, **kwargs: Any) -> None:  # noqa: ARG001 (arq calls it so)
            job_id = ids.parse(str(args[0])) if args else None
            if job_id is None:
                return
            try:
                await runner.wake(queue, job_id)
            except Exception as fault:
                # PostgreSQL is away; the ledger will ring again. arq would log the whole message.
                log.warning("jobs.wake_failed", job_id=str(job_id), error=describe(fault))

        super().__init__(
            functions=[func(wake, name=WAKE)],
            queue_name=queue_name(queue),
            redis_pool=redis,
            handle_signals=False,
            max_jobs=places,
            job_timeout=CLAIM_TIMEOUT,
            keep_result=0,
            retry_jobs=False,
            poll_delay=POLL,
            job_serializer=_to_json,
            job_deserializer=json.loads,
            log_results=False,
        )
        self._runner, self._queue = runner, queue

    async def _poll_iteration(self) -> None:
        # A wake-up taken by a busy worker would be lost on the idle ones. Counted anew before each
        # look, not in the middle of one: a worker that had no place once would never look again.
        self._count_places()
        await super()._poll_iteration()

    async def start_jobs(self, job_ids: list[bytes]) -> None:
        self._count_places()
        await super().start_jobs(job_ids)

    def _count_places(self) -> None:
        self.max_jobs = self.job_counter + self._runner.free(self._queue)


async def listen(redis: ArqRedis, runner: Runner, queue: Queue, *, places: int) -> None:
    """Hear the wake-ups of a queue until cancelled; raise when Redis drops."""
    logging.getLogger("arq").setLevel(logging.ERROR)  # it logs every wake-up as a job
    listener = _Listener(runner, queue, places, redis)
    try:
        await listener.async_run()
    finally:
        for task in listener.tasks.values():
            task.cancel()
        await asyncio.gather(*listener.tasks.values(), return_exceptions=True)
