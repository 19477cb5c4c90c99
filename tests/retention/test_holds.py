"""`acredita hold`: what is held stays, however old it is."""

import asyncio
from uuid import UUID, uuid4

import pytest
from structlog.testing import capture_logs
from typer.testing import CliRunner

from acredita.cli import app
from tests.retention.conftest import count, finished_verification, row

REASON = "Juicio 123/2026, Gómez contra Banco Uno"


@pytest.fixture
def command(settings, monkeypatch):
    monkeypatch.setenv("ACREDITA_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("ACREDITA_ENV", "test")

    async def run(*arguments):
        # The log of a command that lasts long enough is no part of its output.
        with capture_logs():
            return await asyncio.to_thread(CliRunner().invoke, app, ["hold", *arguments])

    return run


async def test_a_hold_defers_the_purge_until_it_is_cleared(banco, services, days, command):
    held = await finished_verification(banco, services)
    other = await finished_verification(banco, services)
    answer = await command("set", held, "--reason", REASON)
    assert answer.exit_code == 0, answer.output
    await days.purge(400)
    before = await row(services, "verification", id=UUID(held))
    assert (before["purged_at"], before["external_id"]) == (None, "cliente-4711")
    assert (await row(services, "verification", id=UUID(other)))["purged_at"] is not None
    assert REASON.encode() not in before["hold_reason_sealed"]

    listed = (await command("list")).output
    assert held in listed
    assert REASON in listed
    assert other not in listed

    assert (await command("clear", held)).exit_code == 0
    await days.purge(400)
    after = await row(services, "verification", id=UUID(held))
    assert after["purged_at"] is not None
    assert (after["held_at"], after["hold_reason_sealed"]) == (None, None)
    assert (await command("list")).output == "0 held\n"
    assert await count(services, "audit_log", "action = 'verification.held'") == 1
    assert await count(services, "audit_log", "action = 'verification.released'") == 1


async def test_an_organization_holds_its_own_verifications_and_erases_others_at_once(
    banco, rival, services, days
):
    held, other = [await finished_verification(banco, services) for _ in range(2)]
    path = f"/v1/verifications/{held}/legal-hold"
    assert (await banco.put(path, json={"reason": "Juicio"})).status_code == 200
    answer = await banco.put(path, json={"reason": REASON})
    assert answer.json()["reason"] == REASON
    listed = (await banco.get("/v1/legal-holds")).json()
    assert listed == {"holds": [answer.json()], "total": 1}
    assert (await rival.get("/v1/legal-holds")).json() == {"holds": [], "total": 0}
    refused = await banco.delete(f"/v1/verifications/{held}")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "VERIFICATION_HELD")

    assert (await banco.delete(f"/v1/verifications/{other}")).status_code == 204
    assert (await row(services, "verification", id=UUID(other)))["purged_at"] is not None
    gone = await banco.put(f"/v1/verifications/{other}/legal-hold", json={})
    assert (gone.status_code, gone.json()["error"]["code"]) == (409, "VERIFICATION_PURGED")
    await days.purge(400)
    assert (await row(services, "verification", id=UUID(held)))["purged_at"] is None
    assert (await banco.delete(path)).status_code == 204
    assert (await banco.delete(path)).status_code == 404
    await days.purge(400)
    assert (await row(services, "verification", id=UUID(held)))["purged_at"] is not None


async def test_what_cannot_be_held_is_said_so(banco, services, days, command):
    verification_id = await finished_verification(banco, services)
    for arguments, sentence in (
        (("set", str(uuid4())), "there is no verification"),
        (("clear", verification_id), "is not held"),
    ):
        answer = await command(*arguments)
        assert answer.exit_code == 1
        assert sentence in answer.output
    assert (await command("set", "no-id")).exit_code == 2
    await days.purge(400)
    answer = await command("set", verification_id)
    assert (answer.exit_code, "purged already" in answer.output) == (1, True)
