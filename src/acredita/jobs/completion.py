"""Completes runs that have no effects of their own, many with one statement."""

import asyncio

from acredita.jobs import ledger
from acredita.jobs.errors import LeaseLost
from acredita.jobs.ledger import LeasedJob
from acredita.kit.db import Database


class Completion:
    """Runs that end while a statement is under way share the next one. Each is fenced by its lease,
    as if it were completed by itself."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[tuple[LeasedJob, asyncio.Future[bool]]] = []
        self._task: asyncio.Task[None] | None = None

    async def complete(self, job: LeasedJob) -> None:
        """Record that the job is done. Raise LeaseLost if this run has lost its lease."""
        is_done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((job, is_done))
        if self._task is None:
            self._task = asyncio.create_task(self._record_all())
        if not await is_done:
            raise LeaseLost(f"job {job.id} is no longer leased to this run")

    async def _record_all(self) -> None:
        try:
            while self._waiting:
                # Runs that end in the same pass of the event loop come along.
                await asyncio.sleep(0)
                batch, self._waiting = self._waiting, []
                await self._record(batch)
        finally:
            self._task = None

    async def _record(self, batch: list[tuple[LeasedJob, asyncio.Future[bool]]]) -> None:
        try:
            done = await ledger.complete_all(self._database, [job for job, _ in batch])
        except Exception as fault:
            for _, is_done in batch:
                if not is_done.done():
                    is_done.set_exception(fault)
            return
        for job, is_done in batch:
            if not is_done.done():
                is_done.set_result(job.lease_token in done)
