"""What a handler is given: the services, its job, and the one way to make its effects count."""

import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.jobs import ledger, registry
from acredita.jobs.ledger import LeasedJob
from acredita.services import Services


class JobContext:
    def __init__(self, services: Services, job: LeasedJob) -> None:
        self.services = services
        self.job = job
        self.finished = False
        # By this process's monotonic clock; the database's expiry is a little later.
        self.lease_ends = math.inf
        self.stopping = False
        self._again: datetime | float | None = None

    @property
    def may_go_on(self) -> bool:
        """Whether a run of many pieces may begin another one.

        Not when the process is about to stop, nor when it was paused past its lease: whoever has
        the job now does that piece.
        """
        return not self.stopping and time.monotonic() < self.lease_ends

    def run_again(self, *, at: datetime | None = None, delay: float | None = None) -> None:
        """Let the finishing transaction leave the job pending, for a moment or after seconds.

        The run counts as a success: the next one has all its attempts. A webhook's next attempt
        and a recurring job's next run are made this way.
        """
        if (at is None) is (delay is None):
            raise ValueError("say either when or after how long")
        self._again = at if at is not None else delay

    @property
    def again_after(self) -> float | None:
        """Seconds until the next run that was asked for, if they were said in seconds."""
        return self._again if isinstance(self._again, float | int) else None

    @asynccontextmanager
    async def finish(self) -> AsyncIterator[AsyncSession]:
        """The transaction of the job's effects and of its completion: both happen or neither.

        Raise LeaseLost, with nothing written, if the job is no longer this run's. The job's row
        is locked first, so nobody else can take it while the transaction lasts; keep it short.
        """
        async with self.services.database.transaction() as session:
            await ledger.hold(session, self.job)
            yield session
            if self._again is None:
                await ledger.complete(session, self.job)
            else:
                await ledger.run_again(session, self.job, self._again)
            if registry.definition(self.job.kind).waiting is not None:
                # Whatever came to wait between this run's last look and now is asked for anew.
                await ledger.ring(session, self.job.queue)
        self.finished = True
