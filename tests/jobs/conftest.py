from collections.abc import AsyncIterator, Callable

import pytest
from arq.connections import ArqRedis
from sqlalchemy import text

from acredita import jobs
from acredita.jobs import ledger
from acredita.jobs.arq_worker import open_arq
from acredita.models import FinishedJob, Job
from acredita.services import Services
from tests.factories.jobs import find_jobs
from tests.jobs import kinds

LEASE = 30.0


class Desk:
    """The ledger as the tests see it."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.database = services.database

    async def add(self, definition=kinds.note, payload=None, **terms):
        async with self.database.transaction() as session:
            return await jobs.add(
                session, definition, {"number": 1} if payload is None else payload, **terms
            )

    async def claim(self, queue=jobs.Queue.LIGHT, *, limit=1, lease=LEASE):
        return await ledger.claim_due(self.database, queue, limit=limit, lease=lease)

    async def claim_one(self):
        (job,) = await self.claim()
        return job

    async def row(self, job_id) -> Job | FinishedJob:
        (row,) = await self.rows(id=job_id)
        return row

    async def rows(self, **values) -> list[Job | FinishedJob]:
        async with self.database.transaction() as session:
            return await find_jobs(session, **values)

    async def expire(self, job_id) -> None:
        """Let the lease's time be over, without waiting for it."""
        await self.run(
            "UPDATE job SET lease_expires_at = now() - interval '1 s' WHERE id = :id", job_id
        )

    async def make_due(self, job_id) -> None:
        await self.run("UPDATE job SET run_at = now() WHERE id = :id", job_id)

    async def run(self, statement, job_id, **parameters) -> None:
        async with self.database.transaction() as session:
            await session.execute(text(statement), {"id": job_id, **parameters})

    async def effects(self) -> list[int]:
        async with self.database.transaction() as session:
            return list(await session.scalars(text("SELECT number FROM effect ORDER BY number")))


@pytest.fixture
async def desk(services: Services) -> AsyncIterator[Desk]:
    async with services.database.transaction() as session:
        await session.execute(text("DROP TABLE IF EXISTS effect"))
        await session.execute(text("CREATE TABLE effect (number integer NOT NULL)"))
    yield Desk(services)
    async with services.database.transaction() as session:
        await session.execute(text("DROP TABLE effect"))


@pytest.fixture
async def redis(services: Services) -> AsyncIterator[ArqRedis]:
    async with open_arq(services.settings.redis_url) as client:
        yield client


@pytest.fixture
def handle(request: pytest.FixtureRequest) -> Callable:
    """Sets what the next runs of `kinds.flexible` do."""

    def set_handler(handler):
        kinds.behaviour["handler"] = handler

    yield set_handler
    kinds.behaviour.clear()
