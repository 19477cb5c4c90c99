"""arq as the doorbell: it sends wake-ups through Redis from dispatchers to idle workers.

Only this file imports arq, which is in maintenance mode. It relies on arq only to deliver a message
soon, usually. An arq job lasts as long as a claim. The claimed job runs in the Runner, so that
neither arq's time-outs nor its exit when Redis drops affect running jobs.
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

from acredita.jobs.error_descriptions import describe
from acredita.jobs.ledger import WakeUp
from acredita.jobs.registry import Queue
from acredita.jobs.runner import Runner
from acredita.kit import ids

log = structlog.get_logger()

PREFIX = "acredita:jobs:"
# If this key is missing, Redis was wiped or restarted.
SENTINEL = PREFIX + "sentinel"
WAKE = "wake"
# Seconds: between an idle worker's polls for wake-ups; the limit of a claim; until a wake-up
# expires (the ledger repeats it after 30, and workers poll the ledger each second).
POLL = 0.1
CLAIM_TIMEOUT = 5
WAKE_UP_LIFETIME = 600
REDIS_TIMEOUT = 5.0


def _to_json(value: Any) -> bytes:
    return json.dumps(value, default=str).encode()


@asynccontextmanager
async def open_arq(redis_url: str) -> AsyncIterator[ArqRedis]:
    """arq's client, with time-outs and with JSON instead of pickle.

    Unpickling would let anyone who can write to Redis run code here.
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
    """The Doorbell (jobs.dispatcher) over arq."""

    def __init__(self, redis: ArqRedis) -> None:
        self._redis = redis

    async def has_lost_wake_ups(self) -> bool:
        try:
            return bool(await self._redis.set(SENTINEL, b"1", nx=True))
        except RedisError as fault:
            raise ConnectionError("Redis is unavailable") from fault

    async def waiting(self, queue: str) -> int:
        try:
            return int(await self._redis.zcard(queue_name(queue)))
        except RedisError as fault:
            raise ConnectionError("Redis is unavailable") from fault

    async def ring(self, wake_ups: list[WakeUp]) -> None:
        try:
            for wake_up in wake_ups:
                await self._redis.enqueue_job(
                    WAKE,
                    str(wake_up.job_id),
                    # arq rejects an id that it has seen, so each repetition needs a new one.
                    _job_id=f"{wake_up.job_id}:{wake_up.publishes}",
                    _queue_name=queue_name(wake_up.queue),
                )
        except RedisError as fault:
            raise ConnectionError("Redis is unavailable") from fault


class _Listener(Worker):
    """An arq worker that takes at most as many wake-ups as its process has free places."""

    def __init__(self, runner: Runner, queue: Queue, places: int, redis: ArqRedis) -> None:
        async def wake(ctx: dict[Any, Any], *args: Any, **kwargs: Any) -> None:  # noqa: ARG001 (arq's signature)
            job_id = ids.parse(str(args[0])) if args else None
            if job_id is None:
                return
            try:
                await runner.wake(queue, job_id)
            except Exception as fault:
                # PostgreSQL is unavailable, and the ledger repeats the wake-up. If this raised, arq
                # would log the whole message.
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
        # A busy worker must leave wake-ups to idle ones. The limit must be set before each poll:
        # otherwise a worker that once had no free place never polls again.
        self._limit_to_free_places()
        await super()._poll_iteration()

    async def start_jobs(self, job_ids: list[bytes]) -> None:
        self._limit_to_free_places()
        await super().start_jobs(job_ids)

    def _limit_to_free_places(self) -> None:
        self.max_jobs = self.job_counter + self._runner.free(self._queue)


async def listen(redis: ArqRedis, runner: Runner, queue: Queue, *, places: int) -> None:
    """Handle the wake-ups of a queue until cancelled. Raise when Redis drops."""
    logging.getLogger("arq").setLevel(logging.ERROR)  # it logs every wake-up as a job
    listener = _Listener(runner, queue, places, redis)
    try:
        await listener.async_run()
    finally:
        for task in listener.tasks.values():
            task.cancel()
        await asyncio.gather(*listener.tasks.values(), return_exceptions=True)
