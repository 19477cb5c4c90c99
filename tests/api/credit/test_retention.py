"""Credit checks go with their organization's retention, counted from the check; holds keep them."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from acredita.cli import app
from acredita.jobs import JobContext
from acredita.resources.credit import jobs
from acredita.resources.retention import jobs as retention
from tests.factories.clocks import ShiftedClock
from tests.retention.conftest import count, row, set_retention

PATH = "/v1/credit/check"
REASON = "Juicio 123/2026, Gómez contra Banco Uno"


@pytest.fixture
def command(settings, monkeypatch):
    monkeypatch.setenv("ACREDITA_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("ACREDITA_ENV", "test")

    async def run(*arguments):
        return await asyncio.to_thread(CliRunner().invoke, app, ["hold", *arguments])

    return run


async def check(member):
    body = {"fullName": "Ana María de la Cruz Ruiz", "curp": "CURA900505MDFRZN03"}
    answer = await member.post(PATH, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def purge(services, days):
    later = replace(services, clock=ShiftedClock(timedelta(days=days)))
    await retention.purge(JobContext(later, None))


async def test_a_check_is_deleted_once_its_organizations_retention_is_over(banco, rival, services):
    await set_retention(banco, 30)
    ours, theirs = await check(banco), await check(rival)
    await purge(services, 29)
    assert (await banco.get(f"{PATH}/{ours}")).status_code == 200
    await purge(services, 31)
    assert (await banco.get(f"{PATH}/{ours}")).status_code == 404
    assert (await rival.get(f"{PATH}/{theirs}")).status_code == 200
    assert await count(services, "audit_log", "action = 'credit_check.purged'") == 1


async def test_more_than_one_batch_is_deleted(banco, services, monkeypatch):
    monkeypatch.setattr("acredita.resources.credit.purge.BATCH", 2)
    monkeypatch.setattr(retention, "BATCH", 2)
    for _ in range(5):
        await check(banco)
    await purge(services, 400)
    assert await count(services, "credit_check") == 0


async def test_a_hold_keeps_a_check_until_it_is_cleared(banco, services, command):
    held, other = await check(banco), await check(banco)
    answer = await command("set", held, "--reason", REASON)
    assert answer.exit_code == 0, answer.output
    assert f"credit check {held} is held" in answer.output
    await purge(services, 400)
    assert (await banco.get(f"{PATH}/{held}")).status_code == 200
    assert (await banco.get(f"{PATH}/{other}")).status_code == 404
    listed = (await command("list")).output
    assert held in listed
    assert REASON in listed
    sealed = await row(services, "credit_check", id=held)
    assert REASON.encode() not in sealed["hold_reason_sealed"]

    assert (await command("clear", held)).exit_code == 0
    await purge(services, 400)
    assert (await banco.get(f"{PATH}/{held}")).status_code == 404
    for action in ("held", "released", "purged"):
        assert await count(services, "audit_log", f"action = 'credit_check.{action}'") > 0


async def test_a_check_that_nobody_works_on_any_more_is_given_up_and_then_purged(banco, services):
    check_id = await check(banco)
    async with services.database.transaction() as session:
        await session.execute(text("UPDATE credit_check SET status = 'PENDING'"))
    await purge(services, 400)
    assert await count(services, "credit_check") == 1
    context = JobContext(services, None)
    await jobs.give_up_abandoned(context)
    assert (await banco.get(f"{PATH}/{check_id}")).json()["status"] == "PENDING"
    later = replace(services, clock=ShiftedClock(timedelta(minutes=2)))
    await jobs.give_up_abandoned(JobContext(later, None))
    shown = (await banco.get(f"{PATH}/{check_id}")).json()
    assert (shown["status"], shown["code"]) == ("UNKNOWN", "BUREAU_NO_ANSWER")
    await purge(services, 400)
    assert await count(services, "credit_check") == 0
