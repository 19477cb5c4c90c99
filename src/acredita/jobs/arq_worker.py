"""arq's worker as the doorbell: it receives the wake-ups that `ledger.wake_ups` sends.

arq is in maintenance mode, and only `jobs` imports it. It only has to deliver a message soon,
usually. The jobs run in the Runner, so that neither arq's time-outs nor its exit when Redis drops
affect them.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from arq.connections import ArqRedis
from arq.worker import Worker, func
from redis.asyncio import ConnectionPool

from acredita.jobs.ledger.wake_ups import WAKE, queue_name, to_json
from acredita.jobs.registry import Queue
from acredita.jobs.runner import Runner

# Seconds: between an idle worker's polls for wake-ups; the limit of receiving one.
POLL = 0.1
RECEIVE_TIMEOUT = 5
REDIS_TIMEOUT = 5.0


@asynccontextmanager
async def open_arq(redis_url: str) -> AsyncIterator[ArqRedis]:
    """arq's client, with time-outs and with JSON instead of pickle."""
    pool: Any = ConnectionPool.from_url(
        redis_url, socket_connect_timeout=1.0, socket_timeout=REDIS_TIMEOUT
    )
    redis = ArqRedis(pool, job_serializer=to_json, job_deserializer=json.loads)
    try:
        yield redis
    finally:
        await redis.aclose(close_connection_pool=True)


async def _receive(ctx: dict[Any, Any], *args: Any, **kwargs: Any) -> None:
    """Do nothing: the worker acts when the wake-up is gone from Redis."""


class _Listener(Worker):
    """An arq worker that takes wake-ups only while its process has free places."""

    def __init__(self, runner: Runner, queue: Queue, places: int, redis: ArqRedis) -> None:
        super().__init__(
            functions=[func(_receive, name=WAKE)],
            queue_name=queue_name(queue),
            redis_pool=redis,
            handle_signals=False,
            max_jobs=places,
            job_timeout=RECEIVE_TIMEOUT,
            keep_result=0,
            retry_jobs=False,
            poll_delay=POLL,
            job_serializer=to_json,
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

    # A queue has one wake-up at most. A commit that finds it in Redis adds none. So the ledger must
    # be read after the wake-up is gone, or the job of that commit would wait for the next poll.

    async def finish_job(self, *args: Any, **kwargs: Any) -> None:
        await super().finish_job(*args, **kwargs)
        self._runner.ring(self._queue)

    async def finish_failed_job(self, *args: Any, **kwargs: Any) -> None:
        await super().finish_failed_job(*args, **kwargs)
        self._runner.ring(self._queue)


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
