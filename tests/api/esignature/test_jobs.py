"""Packages that a job makes: authorities that are away, workers that die, retention."""

import asyncio
import os
import signal
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import orjson
import pytest
from sqlalchemy import text, update

from acredita.domain.events import EventKind
from acredita.jobs import JobContext
from acredita.models import Verification
from acredita.providers.conservation import open_conservation
from acredita.providers.timestamps import open_timestamps
from acredita.resources.esignature import service
from acredita.resources.metamap import event_bodies
from acredita.resources.retention import jobs as retention
from tests.api.esignature.conftest import pdf_of, sign, signed, until_not_pending
from tests.factories.clocks import ShiftedClock
from tests.factories.housekeeping import hurry
from tests.factories.organizations import make_verification
from tests.factories.timestamp_server import running_timestamps
from tests.loaded_processes import PROGRAM, LoadedProcess


@pytest.fixture(autouse=True)
def by_a_job(monkeypatch):
    monkeypatch.setattr(service, "MOST_CHARACTERS_IN_REQUEST", 0)


@pytest.fixture
async def server(tmp_path):
    async with running_timestamps(tmp_path / "tsa") as server:
        yield server


@pytest.fixture
async def services(services, server, tmp_path):
    """With a time-stamping authority over HTTP, and conservation by the same."""
    async with (
        open_timestamps(
            server.url, development_folder=tmp_path, timeout=1.0, trusted=server.trusted
        ) as timestamps,
        open_conservation("rfc3161", url=server.url, trusted=server.trusted) as conservation,
    ):
        yield replace(services, timestamps=timestamps, conservation=conservation)


async def until(condition, seconds: float = 60):
    async with asyncio.timeout(seconds):
        while not (found := await condition()):  # noqa: ASYNC110 (not ours to await)
            await asyncio.sleep(0.1)
    return found


async def show(member, package_id):
    return (await member.get(f"/v1/esignature/{package_id}")).json()


async def notice_of_signature(services, banco):
    """The verification_signed of the endpoint in MetaMap's format; the other has no delivery."""
    query = """
        SELECT event.id, event.verification_id, event.kind, event.turn, event.data,
               event.created_at, format
        FROM event JOIN delivery ON event_id = event.id
        JOIN webhook_endpoint ON webhook_endpoint.id = endpoint_id
        WHERE turn = 'signed'
    """
    async with services.database.transaction() as session:
        (row,) = (await session.execute(text(query))).all()
    assert row.format == "metamap"
    return await event_bodies.render(
        services,
        verification_id=row.verification_id,
        kind=EventKind(row.kind),
        turn=row.turn,
        data=row.data,
        moment=row.created_at,
    )


async def test_an_authority_that_is_away_is_waited_for_and_seen(banco, services, server, worker):
    for format_ in ("metamap", "standard"):
        body = {"url": "https://localhost/", "events": ["verification.updated"], "format": format_}
        assert (await banco.post("/v1/webhooks", json=body)).status_code == 201
    server.behaviour = "busy"
    package_id = (await sign(banco, await make_verification(banco))).json()["id"]

    async def waits():
        return (await show(banco, package_id))["code"] == "TIMESTAMP_UNAVAILABLE"

    await until(waits)
    assert (await show(banco, package_id))["status"] == "PENDING"
    server.behaviour = "well"
    await hurry(services)
    record = await until_not_pending(banco, package_id)
    assert record["status"] == "SIGNED"
    assert record["code"] is None

    async def conserved():
        return (await show(banco, package_id))["conservation"]["status"] == "ISSUED"

    await until(conserved)
    conservation = (await show(banco, package_id))["conservation"]
    assert conservation["token"]
    notice = orjson.loads(await notice_of_signature(services, banco))
    assert notice["eventName"] == "verification_signed"
    assert notice["digitalSignature"] == {
        "type": "NOM-151",
        "timestamp": conservation["token"],
        "issuedAt": conservation["issuedAt"],
        "provider": conservation["provider"],
    }


async def test_a_refusal_ends_the_package_and_leaves_no_pdf_and_no_source(
    banco, services, server, worker
):
    server.behaviour = "forbid"
    package_id = (await sign(banco, await make_verification(banco))).json()["id"]
    record = await until_not_pending(banco, package_id)
    assert (record["status"], record["code"]) == ("FAILED", "TIMESTAMP_REFUSED")
    assert record["pdf"] is None
    answer = await banco.get(f"/v1/esignature/{package_id}/pdf")
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "SIGNATURE_FAILED"
    async with services.database.reading() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM signature_file")) == 0


async def test_attempts_that_are_spent_end_in_a_state_that_says_why(
    banco, services, server, worker
):
    server.behaviour = "garbage"
    package_id = (await sign(banco, await make_verification(banco))).json()["id"]
    async with services.database.transaction() as session:
        await session.execute(
            text("UPDATE job SET max_attempts = 1, waiting_since = now() - interval '7 hours'")
        )
    record = await until_not_pending(banco, package_id)
    assert (record["status"], record["code"]) == ("FAILED", "TIMESTAMP_UNAVAILABLE")


async def test_a_purge_counts_from_the_signing_respects_holds_and_leaves_the_digest(
    banco, services, worker
):
    verification_id = await make_verification(banco)
    record = await signed(banco, verification_id)
    assert record["status"] == "SIGNED", record
    days = {"dataRetentionDays": 30}
    assert (await banco.patch("/v1/organizations/me", json=days)).status_code == 200

    async def purge(after: float) -> dict:
        later = replace(services, clock=ShiftedClock(timedelta(days=after)))
        await retention.purge(JobContext(later, None))
        return await show(banco, record["id"])

    async def hold(held: bool) -> None:
        async with services.database.transaction() as session:
            await session.execute(
                update(Verification)
                .where(Verification.id == UUID(verification_id))
                .values(held_at=services.clock.now() if held else None)
            )

    assert (await purge(29))["signerName"] is not None
    await hold(True)
    assert (await purge(31))["signerName"] is not None
    await hold(False)
    purged = await purge(31)
    assert purged["signerName"] is None
    assert purged["documents"] == []
    assert purged["pdf"]["sha256"] == record["pdf"]["sha256"]
    assert purged["purgedAt"] is not None
    assert (await banco.get(f"/v1/esignature/{record['id']}/pdf")).status_code == 404
    async with services.database.reading() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM signature_file")) == 0


@pytest.mark.slow
async def test_a_worker_that_is_killed_in_the_middle_leaves_a_package_that_is_signed_once(
    banco, services, server, settings
):
    server.behaviour = "hang"
    package_id = (await sign(banco, await make_verification(banco))).json()["id"]
    environment = {
        **os.environ,
        "ACREDITA_ENV": "test",
        "ACREDITA_DATABASE_URL": settings.database_url,
        "ACREDITA_REDIS_URL": settings.redis_url,
        "ACREDITA_DATA_DIR": str(settings.data_dir),
        "ACREDITA_JOB_LEASE": "2",
        "ACREDITA_ESIGNATURE_TSA_URL": server.url,
        "ACREDITA_ESIGNATURE_TSA_TIMEOUT": "25",
    }
    command = [*PROGRAM, "acredita.cli", "worker", "--queues", "light"]

    def start() -> LoadedProcess:
        return LoadedProcess(command, env=environment)

    first = start()
    try:

        async def asked():
            return server.asked > 0

        await until(asked, 60)
    finally:
        first.send_signal(signal.SIGKILL)
        first.wait()
    assert (await show(banco, package_id))["status"] == "PENDING"
    server.behaviour = "well"
    second = start()
    try:
        record = await until_not_pending(banco, package_id)
    finally:
        second.kill()
        second.wait()
    assert record["status"] == "SIGNED"
    content = await pdf_of(banco, package_id)
    assert await pdf_of(banco, package_id) == content
    async with services.database.reading() as connection:
        count = text("SELECT count(*) FROM audit_log WHERE action = 'esignature.signed'")
        assert await connection.scalar(count) == 1
        kinds = await connection.scalars(text("SELECT kind FROM signature_file"))
        assert kinds.all() == ["signed"]
