"""A whole worker beside the API, in the same loop: ledger, wake-ups, engines in their process."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from sqlalchemy import select

from acredita import worker as worker_main
from acredita.jobs import Queue
from acredita.models import Event
from acredita.services import Services
from acredita.settings import Settings
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.specimens import make_specimen
from tests.factories.described_events import check_recorded_events
from tests.factories.housekeeping import put_off_housekeeping
from tests.factories.organizations import Member
from tests.factories.receiver import Authority

OPEN = ("PENDING", "IN_PROGRESS")


@pytest.fixture
def settings(settings: Settings, authority: Authority) -> Settings:
    return settings.model_copy(update=authority.settings)


@pytest.fixture
async def worker(services: Services) -> AsyncIterator[None]:
    for module in worker_main.JOB_MODULES:
        import_module(module)
    await put_off_housekeeping(services)
    stop = asyncio.Event()
    running = asyncio.create_task(worker_main.serve(services, tuple(Queue), stop))
    yield
    stop.set()
    await running
    await check_recorded_events(services)


async def until(condition: Callable[[], Awaitable[Any]], *, seconds: float = 40) -> Any:
    """What `condition` returns, as soon as it is true."""
    deadline = time.monotonic() + seconds
    while not (found := await condition()):
        assert time.monotonic() < deadline, "it did not come true in time"
        await asyncio.sleep(0.05)
    return found


async def show(member: Member, verification_id: str) -> dict[str, Any]:
    answer = await member.get(f"/v1/verifications/{verification_id}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def decided(member: Member, verification_id: str) -> dict[str, Any]:
    async def when_closed() -> dict[str, Any] | None:
        shown = await show(member, verification_id)
        return None if shown["verification"]["status"] in OPEN else shown

    return await until(when_closed)


async def upload(member: Member, verification_id: str, **files: bytes) -> list[dict[str, Any]]:
    """Upload files by their roles; what was answered of each."""
    answer = await member.post(
        f"/v1/verifications/{verification_id}/inputs",
        files=[(role, (f"{role}.jpg", content, "image/jpeg")) for role, content in files.items()],
    )
    assert answer.status_code == 202, answer.text
    return list(answer.json()["uploaded"])


@cache
def _drawn(kind: SpecimenKind, seed: int) -> bytes:
    return make_specimen(kind, seed, Difficulty.CLEAN).image_bytes


def picture(kind: SpecimenKind, seed: int, **options: Any) -> bytes:
    if not options:
        return _drawn(kind, seed)
    return make_specimen(kind, seed, Difficulty.CLEAN, **options).image_bytes


async def kinds_of_events(services: Services, verification_id: str) -> list[str]:
    async with services.database.transaction() as session:
        query = (
            select(Event.kind)
            .where(Event.verification_id == verification_id)
            .order_by(Event.created_at, Event.id)
        )
        return list(await session.scalars(query))
