"""What a handler receives: the services, its job, and `finish`, which commits its effects."""

import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.jobs import ledger
from acredita.jobs.ledger import LeasedJob
from acredita.services import Services


class JobContext:
    def __init__(self, services: Services, job: LeasedJob) -> None:
        self.services = services
        self.job = job
        self.finished = False
        # By this process's monotonic clock. The lease expires slightly later in the database.
        self.lease_ends = math.inf
        self.stopping = False
        self._again: datetime | float | None = None

    @property
    def may_go_on(self) -> bool:
        """Whether a run of many parts may start the next part.

        False when the process is stopping or was paused past its lease. Another worker then does
        that part.
        """
        return not self.stopping and time.monotonic() < self.lease_ends

    def run_again(self, *, at: datetime | None = None, delay: float | None = None) -> None:
        """Make the finishing transaction leave the job pending, until `at` or for `delay` seconds.

        The run counts as a success, so the attempts start at 0 again. Webhook retries and recurring
        jobs work this way.
        """
        if (at is None) is (delay is None):
            raise ValueError("pass either `at` or `delay`")
        self._again = at if at is not None else delay

    @property
    def runs_again(self) -> bool:
        """Whether the finishing transaction leaves the job pending."""
        return self._again is not None

    @property
    def next_run_delay(self) -> float | None:
        """The delay in seconds until the next run, if `run_again` received one."""
        return self._again if isinstance(self._again, float | int) else None

    @asynccontextmanager
    async def checkpoint(self) -> AsyncIterator[AsyncSession]:
        """A transaction that commits a part of the job's effects; the job goes on. A run that
        crashes later is the first one without progress.

        Raise LeaseLost, with nothing written, if this run has lost its lease.
        """
        async with self.services.database.transaction() as session:
            await ledger.lock_lease(session, self.job)
            yield session
            await ledger.prove_progress(session, self.job)

    @asynccontextmanager
    async def finish(self) -> AsyncIterator[AsyncSession]:
        """A transaction that commits the job's effects together with its completion.

        Raise LeaseLost, with nothing written, if this run has lost its lease. The job's row is
        locked first, so that no other worker can claim it. Keep the transaction short.
        """
        async with self.services.database.transaction() as session:
            await ledger.lock_lease(session, self.job)
            yield session
            if self._again is None:
                await ledger.complete(session, self.job)
            else:
                await ledger.run_again(session, self.job, self._again)
        self.finished = True
