"""From the request to a real mail server, and what a server's refusal leaves behind."""

import asyncio
import re

import pytest
from pydantic import SecretStr
from sqlalchemy import select, text, update

from acredita.jobs import Queue
from acredita.models import JobState, PasswordLink
from tests.factories.jobs import find_jobs
from tests.factories.mail_server import HOST, mail_server


@pytest.fixture
async def server():
    async with mail_server() as server:
        yield server


@pytest.fixture
def settings(settings, server):
    return settings.model_copy(
        update={
            "smtp_url": SecretStr(f"smtp://{HOST}:{server.port}"),
            "mail_from": "Banco <no-reply@banco.example>",
        }
    )


# As if the worker had died between the server's answer and its own commit.
UNDO = """
    WITH undone AS (DELETE FROM job_finished WHERE kind LIKE 'auth.mail%' RETURNING *)
    INSERT INTO job (id, kind, payload, queue, max_attempts)
    SELECT id, kind, payload, queue, 5 FROM undone
"""


async def job_of(services):
    async with services.database.transaction() as session:
        found = await find_jobs(session)
    (job,) = (job for job in found if job.kind.startswith("auth.mail"))
    return job


async def until(mails, state, condition=lambda job: True):
    async with asyncio.timeout(20):
        while True:
            await mails.runner.pull(Queue.LIGHT)
            job = await job_of(mails.services)
            if job.state == state and condition(job):
                return job
            await asyncio.sleep(0.02)


async def test_the_link_arrives_in_text_and_html_and_works(services, server, mails, ana):
    await ana.forget()
    await mails.arrive()
    (message,) = server.received
    assert message["To"] == ana.email
    assert message["From"] == "Banco <no-reply@banco.example>"
    assert message["Message-ID"] == f"<{(await job_of(services)).id}@banco.example>"
    link = re.compile(r"http://test/reset-password\?token=([\w-]{43})")
    (token,) = set(link.findall(message.get_body(["plain"]).get_content()))
    (same,) = set(link.findall(message.get_body(["html"]).get_content()))
    assert token == same
    assert (await ana.reset(token, "una contraseña nueva y larga")).status_code == 200
    assert not services.settings.mailbox_folder.exists()


async def test_a_mail_that_leaves_twice_says_so_and_carries_one_link(services, server, mails, ana):
    await ana.forget()
    async with services.database.transaction() as session:
        sealed = await session.scalar(select(PasswordLink.token_sealed))
    await until(mails, JobState.DONE)
    async with services.database.transaction() as session:
        await session.execute(update(PasswordLink).values(token_sealed=sealed))
        await session.execute(text(UNDO))
    await until(mails, JobState.DONE)
    first, second = server.received
    assert first["Message-ID"] == second["Message-ID"]
    assert first.get_body(["plain"]).get_content() == second.get_body(["plain"]).get_content()


async def test_a_refused_address_ends_the_job_and_leaves_no_secret(services, server, mails, ana):
    server.answers = {"RCPT": f"550 no such user {ana.email}"}
    await ana.forget()
    job = await until(mails, JobState.DEAD)
    assert ana.email not in job.last_error
    assert server.received == []
    async with services.database.reading() as connection:
        row = (
            await connection.execute(select(PasswordLink.token_sealed, PasswordLink.email_sealed))
        ).one()
    assert row == (None, None)
