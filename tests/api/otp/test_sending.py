"""A job sends a code: once, through crashes of a provider; and gives it up when it is of no use."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from acredita.jobs import Queue
from acredita.models import Job, JobState, OneTimePassword
from tests.api.otp.conftest import PHONE
from tests.factories.jobs import find_jobs
from tests.factories.receiver import answer, reset
from tests.factories.text_messages import refusing, running_twilio, sms_by


@pytest.fixture
async def twilio(services):
    """The worker sends through Twilio."""
    async with (
        running_twilio() as twilio,
        sms_by("twilio", mailbox=services.mailbox, twilio=twilio) as sms,
    ):
        object.__setattr__(services, "sms", sms)
        yield twilio


async def run_once(sends, services):
    """Let a worker do what is due, be it only after a pause; the job's row afterwards."""
    of_code = Job.kind == "otp.send"
    async with services.database.transaction() as session:
        await session.execute(
            update(Job).where(of_code, Job.state == "pending").values(run_at=Job.created_at)
        )
    await sends.runner.pull(Queue.LIGHT)
    await sends.runner.stop(grace=10)
    sends.__post_init__()
    async with services.database.transaction() as session:
        (job,) = await find_jobs(session, kind="otp.send")
        return job


async def message_of(services):
    async with services.database.reading() as connection:
        return (await connection.execute(select(OneTimePassword.message_sealed))).scalar_one()


async def test_a_message_that_leaves_unheard_is_not_sent_twice(holder, sends, services, twilio):
    twilio.receiver.script = [twilio.take_and_say_nothing]
    await holder.send()
    job = await run_once(sends, services)
    assert (job.state, job.last_error) == (JobState.PENDING, "disconnected")
    job = await run_once(sends, services)
    assert job.state == JobState.DONE
    (message,) = twilio.messages
    assert message["to"] == PHONE
    assert await message_of(services) is None


@pytest.mark.parametrize("trouble", [answer(500), reset, refusing(401, 20003)])
async def test_trouble_that_passes_only_makes_it_late(holder, sends, services, twilio, trouble):
    twilio.receiver.script = [trouble]
    await holder.send()
    assert (await run_once(sends, services)).state == JobState.PENDING
    assert twilio.messages == []
    assert await message_of(services)
    assert (await run_once(sends, services)).state == JobState.DONE
    assert len(twilio.messages) == 1
    code = twilio.messages[0]["body"].split(" es ")[1][:6]
    assert await holder.guess(code) == (True, 4)


async def test_a_number_that_takes_no_messages_is_given_up_at_once(
    holder, banco, sends, services, twilio
):
    twilio.receiver.script = [refusing(400, 21614)]
    await holder.send()
    job = await run_once(sends, services)
    assert (job.state, job.last_error) == (JobState.DEAD, "not_a_mobile")
    assert await message_of(services) is None
    log = await banco.get("/v1/audit-logs", params={"action": "verification.code_not_sent"})
    (entry,) = log.json()["auditLogs"]
    assert (entry["resourceId"], entry["actor"]["type"]) == (holder.verification_id, "service")


async def test_a_code_that_expired_unsent_is_not_sent(holder, sends, services, twilio, clock):
    twilio.receiver.script = [answer(503)]
    await holder.send()
    assert (await run_once(sends, services)).state == JobState.PENDING
    clock.ahead = timedelta(minutes=6)
    assert (await run_once(sends, services)).state == JobState.DEAD
    assert twilio.messages == []
    assert await message_of(services) is None


async def test_the_wait_that_a_provider_asks_for_is_kept(holder, sends, services, twilio):
    twilio.receiver.script = [answer(429, Retry_After="40")]
    await holder.send()
    job = await run_once(sends, services)
    assert (job.run_at - job.created_at).total_seconds() > 35


async def test_what_is_kept_of_a_failure_names_nobody(holder, sends, services, twilio, capfd):
    twilio.receiver.script = [refusing(400, 21211)]
    await holder.send()
    job = await run_once(sends, services)
    lines = "".join(capfd.readouterr())
    assert "otp.send" in lines
    for place in (job.last_error, str(job.payload), lines):
        assert PHONE not in place
        assert PHONE.removeprefix("+52") not in place
