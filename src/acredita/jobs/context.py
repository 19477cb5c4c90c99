"""What a handler is given: the services, its job, and the one way to make its effects count."""

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
        self._again: datetime | float | None = None

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
        self.finished = True
