"""A person with a phone and a mailbox, and the worker that sends codes to them."""

import asyncio
import re
from dataclasses import dataclass, field
from datetime import timedelta

import httpx
import orjson
import pytest
from sqlalchemy import select

from acredita.jobs import Queue
from acredita.jobs.runner import Runner
from acredita.models import Job, JobState
from acredita.services import Services
from tests.factories.organizations import make_verification

PHONE, EMAIL = "+525512345678", "ana@correo.example"
CODE = re.compile(r"\d{6}")


@dataclass
class Sends:
    """What a worker has sent, into the development mailbox."""

    services: Services
    runner: Runner = field(init=False)

    def __post_init__(self) -> None:
        self.runner = Runner(self.services, {Queue.LIGHT: 4})

    async def arrive(self) -> list[dict]:
        """Every message once nothing is left to be sent, oldest first."""
        waiting = select(Job.id).where(
            Job.kind == "otp.send", Job.state.in_([JobState.PENDING, JobState.RUNNING])
        )
        async with asyncio.timeout(20):
            while True:
                await self.runner.pull(Queue.LIGHT)
                async with self.services.database.reading() as connection:
                    if (await connection.execute(waiting.limit(1))).one_or_none() is None:
                        break
                await asyncio.sleep(0.02)
        files = self.services.settings.mailbox_folder.glob("*.json")
        found = [orjson.loads(file.read_bytes()) for file in files]
        return sorted(found, key=lambda message: message["createdAt"])

    async def last_code(self) -> str:
        (code,) = CODE.findall((await self.arrive())[-1]["body"])
        return code


@dataclass
class Holder:
    """A caller who knows a verification's id and has no credentials."""

    client: httpx.AsyncClient
    verification_id: str

    async def send(self, destination: str = PHONE, channel: str = "sms", **headers: str):
        body = {
            "verificationId": self.verification_id,
            "channel": channel,
            "destination": destination,
        }
        return await self.client.post("/v1/otp/send", json=body, headers=headers)

    async def verify(self, code: str, channel: str = "sms") -> httpx.Response:
        body = {"verificationId": self.verification_id, "channel": channel, "code": code}
        return await self.client.post("/v1/otp/verify", json=body)

    async def guess(self, code: str, channel: str = "sms") -> tuple[bool, int]:
        answer = await self.verify(code, channel)
        assert answer.status_code == 200, answer.text
        assert set(answer.json()) == {"valid", "attemptsRemaining"}
        return answer.json()["valid"], answer.json()["attemptsRemaining"]


def other_than(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06d}"


class ShiftedClock:
    """The system's clock, moved by a test."""

    def __init__(self, clock) -> None:
        self._clock, self.ahead = clock, timedelta()

    def now(self):
        return self._clock.now() + self.ahead


@pytest.fixture
def clock(app, services) -> ShiftedClock:
    """Moves the time of the application that answers, and of the worker."""
    shifted = ShiftedClock(services.clock)
    for each in (services, app.state.services):
        object.__setattr__(each, "clock", shifted)
    return shifted


@pytest.fixture
async def sends(services):
    sends = Sends(services)
    yield sends
    await sends.runner.stop(grace=2)


@pytest.fixture
async def holder(client, banco) -> Holder:
    return Holder(client, await make_verification(banco))


@pytest.fixture
async def another(client, rival) -> Holder:
    """Who holds a verification of another organization."""
    return Holder(client, await make_verification(rival))
