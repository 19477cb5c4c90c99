"""Two organizations with a verification each, a TLS authority, and a worker of the real ledger."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import pytest
from sqlalchemy import select, union_all, update

from acredita.domain.caller import Caller, CallerKind
from acredita.domain.events import EventKind
from acredita.domain.roles import Role
from acredita.domain.verification import VerificationStatus
from acredita.jobs import Queue, ledger
from acredita.jobs.runner import Runner
from acredita.kit import ids
from acredita.models import (
    Delivery,
    DeliveryAttempt,
    DeliveryState,
    Job,
    JobState,
    Organization,
    Verification,
    Workflow,
)
from acredita.resources.webhooks import (
    events,
    jobs,  # noqa: F401 (declares the kind of job)
    queries,
    service,
)
from acredita.resources.webhooks.schemas import CreatedWebhook, WebhookCreate
from acredita.services import Services
from acredita.settings import Settings
from tests.factories.receiver import Authority

# The specified 10, 60, 300 and 1800 seconds, scaled.
DELAYS = (0.1, 0.2, 0.3, 0.4)
CALLBACK_SECRET = "a callback's own secret"


@pytest.fixture
def settings(settings: Settings, authority: Authority) -> Settings:
    changes = {"webhook_retry_delays": DELAYS, "webhook_timeout": 1.0}
    return settings.model_copy(update=authority.settings | changes)


@dataclass
class Tenant:
    services: Services
    id: UUID
    workflow_id: UUID
    verification_id: UUID

    @property
    def caller(self) -> Caller:
        return Caller(self.id, CallerKind.CLIENT, ids.sortable(), Role.ADMIN)

    async def register(self, url: str, *kinds: EventKind, **options) -> CreatedWebhook:
        data = WebhookCreate(url=url, events=list(kinds or EventKind), **options)
        async with self.services.database.transaction() as session:
            return await service.create(
                session, self.services.http, self.services.keys, self.caller, data
            )

    async def record(self, kind: EventKind = EventKind.VERIFICATION_APPROVED, **data) -> UUID:
        data = {"verificationId": str(self.verification_id), **data}
        async with self.services.database.transaction() as session:
            return await events.record(
                session,
                organization_id=self.id,
                verification_id=self.verification_id,
                kind=kind,
                data=data,
            )

    async def set_callback(self, url: str) -> None:
        sealed = Verification.callback_secret.seal(
            self.services.keys, self.verification_id, CALLBACK_SECRET
        )
        async with self.services.database.transaction() as session:
            await session.execute(
                update(Verification)
                .where(Verification.id == self.verification_id)
                .values(callback_url=url, callback_secret_sealed=sealed)
            )

    async def remove(self, endpoint_id: UUID) -> None:
        async with self.services.database.transaction() as session:
            await queries.remove(session, self.caller, endpoint_id)

    async def deliveries(self) -> list[Delivery]:
        query = select(Delivery).where(Delivery.organization_id == self.id)
        async with self.services.database.transaction() as session:
            return list(await session.scalars(query.order_by(Delivery.created_at)))

    async def attempts(self) -> list[DeliveryAttempt]:
        query = (
            select(DeliveryAttempt)
            .join(Delivery, Delivery.id == DeliveryAttempt.delivery_id)
            .where(Delivery.organization_id == self.id)
            .order_by(DeliveryAttempt.number)
        )
        async with self.services.database.transaction() as session:
            return list(await session.scalars(query))


async def make_tenant(services: Services, name: str) -> Tenant:
    async with services.database.transaction() as session:
        organization = Organization(name=name, slug=name.lower())
        session.add(organization)
    return await add_verification(services, organization.id)


async def add_verification(services: Services, organization_id: UUID) -> Tenant:
    """A workflow and a verification of an organization."""
    async with services.database.transaction() as session:
        workflow = Workflow(organization_id=organization_id, name="Alta", steps=[])
        session.add(workflow)
        await session.flush()
        verification = Verification(
            organization_id=organization_id,
            workflow_id=workflow.id,
            status=VerificationStatus.PENDING,
            expires_at=services.clock.now() + timedelta(days=1),
        )
        session.add(verification)
        await session.flush()
        return Tenant(services, organization_id, workflow.id, verification.id)


@pytest.fixture
async def tenant(services: Services) -> Tenant:
    return await make_tenant(services, "Uno")


@pytest.fixture
async def neighbour(services: Services) -> Tenant:
    """Another organization, subscribed to nothing unless the test says so."""
    return await make_tenant(services, "Dos")


@dataclass
class Worker:
    """Makes deliveries as a worker process does, only looking more often."""

    services: Services
    runner: Runner

    async def until_idle(self, *, within: float = 15.0) -> None:
        """Nothing is on its way or being worked at any more, now or later."""
        query = union_all(
            select(Job.id).where(Job.state.in_([JobState.PENDING, JobState.RUNNING])),
            select(Delivery.id).where(Delivery.state == DeliveryState.PENDING),
        ).limit(1)
        async with asyncio.timeout(within):
            while True:
                async with self.services.database.reading() as connection:
                    if (await connection.execute(query)).one_or_none() is None:
                        return
                await asyncio.sleep(0.05)


@asynccontextmanager
async def working(services: Services, places: int = 16) -> AsyncIterator[Worker]:
    runner = Runner(services, {Queue.WEBHOOKS: places})

    async def look_often() -> None:
        while True:
            await ledger.rouse(services.database, Queue.WEBHOOKS)
            await runner.pull(Queue.WEBHOOKS)
            await asyncio.sleep(0.02)

    looking = asyncio.create_task(look_often())
    try:
        yield Worker(services, runner)
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
        await runner.stop(grace=2)


@pytest.fixture
async def worker(services: Services) -> AsyncIterator[Worker]:
    async with working(services) as worker:
        yield worker
