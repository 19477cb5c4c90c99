"""Lists as an operator imports them, and an application that screens against them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
from sqlalchemy import select, text

import acredita.resources.aml.lists.jobs
import acredita.resources.webhooks.jobs  # noqa: F401 (what a worker knows)
from acredita.jobs import Queue
from acredita.jobs.runner import Runner
from acredita.models import Event
from acredita.providers.watchlists.catalogue import BY_ID, KnownList
from acredita.providers.watchlists.formats import detect
from acredita.providers.watchlists.protocol import ListFile
from acredita.resources.aml.index import building
from acredita.resources.aml.jobs import queue_build
from acredita.resources.aml.lists import loading, parsing
from acredita.resources.aml.lists.loading import Change
from acredita.services import Services
from acredita.settings import Settings
from tests.factories.clocks import ShiftedClock
from tests.factories.organizations import Member, make_verification
from tests.factories.receiver import Authority

PRIVATE = KnownList("private", "Our own list", "", ("csv",))
HEADER = "id,type,name,aliases,dates_of_birth,countries,rfc"


@dataclass
class Lists:
    """Imports lists and lets the application have them."""

    services: Services
    folder: Path

    async def load(
        self, files: Sequence[Path], known: KnownList = PRIVATE, *, force: bool = False
    ) -> Change:
        opened = [ListFile(path, path.name) for path in files]
        parsed = await parsing.parse(known, detect(opened), opened, self.folder)
        try:
            async with self.services.database.transaction() as session:
                change = await loading.load(
                    session, known, parsed, self.services.clock.now(), force=force
                )
                await queue_build(session)
                return change
        finally:
            parsed.close()

    async def write(self, *rows: str, known: KnownList = PRIVATE, force: bool = False) -> Change:
        """Make the list what these lines of our own format say."""
        path = self.folder / "own.csv"
        path.write_text("\n".join([HEADER, *rows]))
        return await self.load([path], known, force=force)

    async def serve(self, *services: Services) -> None:
        """Build the index, and let these processes' services have it at once."""
        await building.build(self.services)
        for each in services or (self.services,):
            await each.screener.refresh()


@pytest.fixture
def settings(settings: Settings, authority: Authority) -> Settings:
    return settings.model_copy(update=authority.settings | {"aml_ca_file": authority.ca_file})


@pytest.fixture
def lists(app, services, tmp_path) -> Lists:
    """Over the database of the application that `banco` and `rival` ask."""
    return Lists(app.state.services, tmp_path)


@pytest.fixture
async def sandbox(lists) -> Lists:
    """The names that a fresh installation screens."""
    sample = Path(loading.__file__).parents[3] / "providers" / "watchlists" / "sample.csv"
    await lists.load([sample], BY_ID["sandbox"])
    await lists.serve()
    return lists


@dataclass
class Days:
    """The jobs of watchlists, as a worker would do them so many days from now."""

    services: Services

    def at(self, days: float) -> Services:
        return replace(self.services, clock=ShiftedClock(timedelta(days=days)))

    async def pass_to(self, days: float) -> None:
        """Do every job once that is due then, and what those leave to be done at once."""
        services = self.at(days)
        due = text(
            "UPDATE job SET run_at = now() WHERE state = 'pending' AND kind LIKE 'aml.%'"
            " AND run_at <= :then RETURNING id"
        )
        runner = Runner(services, {Queue.LIGHT: 8})
        try:
            async with asyncio.timeout(30):
                while True:
                    async with services.database.transaction() as session:
                        then = services.clock.now()
                        if not (await session.execute(due, {"then": then})).all():
                            return
                    await runner.pull(Queue.LIGHT)
                    while runner.in_flight:  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
        finally:
            await runner.stop(grace=5)


@pytest.fixture
def days(app) -> Days:
    return Days(app.state.services)


async def monitored(
    member: Member, name: str, *, external_id: str | None = None, **body: Any
) -> str:
    """A verification whose person is monitored under that name; its id."""
    verification_id = await make_verification(member, externalId=external_id)
    answer = await member.post(
        "/v1/aml/monitor",
        json={"verificationId": verification_id, "fullName": name, "enabled": True, **body},
    )
    assert answer.status_code == 200, answer.text
    return verification_id


async def shown(member: Member, verification_id: str) -> dict[str, Any]:
    answer = await member.get(f"/v1/aml/monitor/{verification_id}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def told(services: Services) -> list[dict[str, Any]]:
    """The data of the aml.match events, in their order."""
    query = select(Event).where(Event.kind == "aml.match").order_by(Event.id)
    async with services.database.transaction() as session:
        return [
            orjson.loads(row.personal_data.open(services.keys))
            for row in await session.scalars(query)
        ]
