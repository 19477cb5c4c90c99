"""Accounts as their owners see them: a browser, a mailbox, a worker that sends the mails."""

import asyncio
import json
import re
from dataclasses import dataclass, field
from datetime import timedelta

import httpx
import pytest
from sqlalchemy import select

from acredita.jobs import Queue
from acredita.jobs.runner import Runner
from acredita.models import Job, JobState
from acredita.services import Services
from tests.factories.organizations import PASSWORD


@dataclass
class Person:
    """Somebody with an e-mail address and a password, known to the service or not."""

    client: httpx.AsyncClient
    email: str
    password: str = PASSWORD
    address: str = "203.0.113.7"

    async def login(self, password: str | None = None, **options) -> httpx.Response:
        body = {"email": self.email, "password": password or self.password}
        return await self.client.post("/v1/auth/login", json=body, **options)

    async def token(self) -> str:
        answer = await self.login()
        assert answer.status_code == 200, answer.text
        return answer.json()["access_token"]

    async def forget(self, **headers) -> httpx.Response:
        return await self.client.post(
            "/v1/auth/forgot-password", json={"email": self.email}, headers=headers
        )

    async def reset(self, token: str, password: str) -> httpx.Response:
        return await self.client.post(
            "/v1/auth/reset-password", json={"token": token, "password": password}
        )


@dataclass
class Mails:
    """The development mailbox, filled by the jobs that a worker would run."""

    services: Services
    runner: Runner = field(init=False)

    def __post_init__(self) -> None:
        self.runner = Runner(self.services, {Queue.LIGHT: 4})

    async def arrive(self) -> list[dict]:
        """Everything in the mailbox once nothing is left to be sent, oldest first."""
        waiting = select(Job.id).where(Job.state.in_([JobState.PENDING, JobState.RUNNING]))
        async with asyncio.timeout(20):
            while True:
                await self.runner.pull(Queue.LIGHT)
                async with self.services.database.reading() as connection:
                    if (await connection.execute(waiting.limit(1))).one_or_none() is None:
                        break
                await asyncio.sleep(0.02)
        files = self.services.settings.mailbox_folder.glob("*.json")
        found = [json.loads(file.read_text()) for file in files]
        return sorted(found, key=lambda mail: mail["createdAt"])


def token_in(mail: dict) -> str:
    (token,) = re.findall(r"http://test/reset-password\?token=([\w-]{43})\s", mail["body"])
    return token


@pytest.fixture
async def mails(services):
    mails = Mails(services)
    yield mails
    await mails.runner.stop(grace=2)


@pytest.fixture
async def ana(client, banco) -> Person:
    """The OWNER of the first organization."""
    return Person(client, banco.registration["user"]["email"])


@pytest.fixture
async def rosa(client, rival) -> Person:
    """The OWNER of the other organization."""
    return Person(client, rival.registration["user"]["email"])


@pytest.fixture
def nobody(client) -> Person:
    return Person(client, "nobody@nowhere.example")


class ShiftedClock:
    """The system's clock, moved by a test."""

    def __init__(self, clock) -> None:
        self._clock, self.ahead = clock, timedelta()

    def now(self):
        return self._clock.now() + self.ahead


@pytest.fixture
def clock(app) -> ShiftedClock:
    """Moves the time of the application that answers."""
    services = app.state.services
    shifted = ShiftedClock(services.clock)
    object.__setattr__(services, "clock", shifted)
    return shifted
