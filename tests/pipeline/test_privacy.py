"""PII-01 to PII-03: what is kept of a person and of secrets in clear, and for how long."""

import asyncio
import json
import re
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from uuid import UUID

import pytest
from sqlalchemy import select

from acredita import worker as worker_main
from acredita.jobs import Queue
from acredita.models import Document, HistoryEntry, Verification, VerificationStep
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.specimens import make_specimen
from tests.factories.clocks import ShiftedClock
from tests.factories.dumps import dump_database, dump_files, dump_redis, found_in
from tests.factories.housekeeping import hurry
from tests.factories.organizations import PASSWORD, make_verification, make_workflow
from tests.factories.receiver import answer
from tests.pipeline.conftest import decided, picture, until, upload

FRONT, BACK = SpecimenKind.INE_FRONT, SpecimenKind.INE_BACK
SEED = 20
PHONE = "+52 55 8142 9907"
NOTES = f"Called the customer's sister at {PHONE}."
EXTERNAL_ID, METADATA = "cliente-84211", {"sucursal": "Coyoacan-Sur"}
OWN_SECRET = "a-webhook-secret-of-their-own-4821"
JFIF = bytes.fromhex("ffd8ffe000104a464946")
pytestmark = pytest.mark.slow


@asynccontextmanager
async def working(services):
    for module in worker_main.JOB_MODULES:
        import_module(module)
    stop = asyncio.Event()
    running = asyncio.create_task(worker_main.serve(services, tuple(Queue), stop))
    try:
        yield
    finally:
        stop.set()
        await running


async def make_webhook(member, url, **body):
    created = await member.post(
        "/v1/webhooks",
        json={"url": url, "events": ["verification.completed", "step.completed"], **body},
    )
    assert created.status_code == 201, created.text
    return created.json()["webhook"]


async def reset_token(services):
    """From the mail, which is the one place where it may stand."""

    async def mailed():
        letters = [path.read_text() for path in services.settings.mailbox_folder.glob("*.json")]
        found = [re.search(r"\?token=([\w-]{20,})", letter) for letter in letters]
        return [match[1] for match in found if match]

    return (await until(mailed))[0]


async def whole_flow(banco, services, authority):
    """Verify a person, deliver the events, read the results, decide by hand; return the secrets."""
    secrets = {"API key": banco.api_key, "access token": banco.token, "password": PASSWORD}
    async with authority.receiver(answer(200)) as receiver, working(services):
        webhook = await make_webhook(banco, receiver.url("/all"), secret=OWN_SECRET)
        secrets["given webhook secret"] = OWN_SECRET
        assert webhook["id"]
        workflow_id = await make_workflow(banco, "DOCUMENT_OCR", "GOVERNMENT_VERIFY")
        created = await banco.post(
            "/v1/verifications",
            json={
                "workflowId": workflow_id,
                "externalId": EXTERNAL_ID,
                "metadata": METADATA,
                "callbackUrl": receiver.url("/callback"),
            },
            headers={"Idempotency-Key": "once"},
        )
        assert created.status_code == 201
        verification_id = created.json()["verification"]["id"]
        secrets["callback secret"] = created.json()["verification"]["callbackSecret"]
        front, back = picture(FRONT, SEED), picture(BACK, SEED)
        await upload(banco, verification_id, front=front, back=back)
        shown = await decided(banco, verification_id)
        assert shown["verification"]["status"] == "APPROVED"

        link = shown["documents"][0]["imageUrl"].removeprefix("http://test")
        assert (await banco.client.get(link)).status_code == 200
        secrets["signed link"] = link.partition("key=")[2]
        overridden = await banco.request(
            "PATCH",
            f"/v1/verifications/{verification_id}/status",
            json={"status": "REJECTED", "notes": NOTES},
        )
        assert overridden.status_code == 200
        person = make_specimen(FRONT, SEED).truth["values"]
        found = await banco.get("/v1/verifications", params={"search": person["paternalSurname"]})
        assert found.json()["pagination"]["total"] == 1

        email = banco.registration["user"]["email"]
        await banco.client.post("/v1/auth/login", json={"email": email, "password": "not it"})
        asked = await banco.client.post("/v1/auth/forgot-password", json={"email": email})
        assert asked.status_code == 202
        secrets["reset token"] = await reset_token(services)

        async def all_told():
            told = [json.loads(item.body)["event"] for item in receiver.received]
            return told.count("verification.completed") >= 2

        await until(all_told)
        for item in receiver.received:
            assert not any(found_in(item.body, value) for value in personal().values())
    secrets |= {
        "of the front": front[2000:2040],
        "of the back": back[2000:2040],
        "JPEG": JFIF,
    }
    return verification_id, secrets


def personal():
    front = make_specimen(FRONT, SEED).truth["values"]
    back = make_specimen(BACK, SEED).truth["values"]
    of_front = ("curp", "clave", "paternalSurname", "maternalSurname", "givenNames", "dateOfBirth")
    values = {name: front[name] for name in of_front} | {"cic": back["cic"]}
    return {name: value for name, value in values.items() if value} | {"phone": PHONE}


async def test_a_whole_flow_leaves_nothing_in_clear_and_the_purge_leaves_nothing_at_all(
    banco, rival, services, authority, capfd
):
    verification_id, secrets = await whole_flow(banco, services, authority)
    lines = capfd.readouterr()
    dumps = {
        "PostgreSQL": await dump_database(services),
        "storage": dump_files(services),
        "Redis": await dump_redis(services),
        "log": (lines.out + lines.err).encode(),
    }
    for place, dump in dumps.items():
        assert dump, place
        for name, value in (personal() | secrets).items():
            assert not found_in(dump, value), f"{name} stands in {place}"
    # The search sees what is there: these two are the caller's own, and kept in clear.
    assert found_in(dumps["PostgreSQL"], EXTERNAL_ID)
    assert found_in(dumps["PostgreSQL"], METADATA["sucursal"])
    for value in (EXTERNAL_ID, METADATA["sucursal"]):
        assert not found_in(dumps["log"] + dumps["Redis"], value)
    assert found_in(dumps["log"], "/v1/verifications")

    await purge_after_31_days(banco, rival, services, verification_id)


async def sealed_values(services, verification_id):
    async with services.database.transaction() as session:
        verification = await session.get_one(Verification, UUID(verification_id))
        of_row = [verification.callback_secret_sealed]
        documents = select(Document.data_key_sealed, Document.reading_sealed).where(
            Document.verification_id == verification.id
        )
        steps = select(VerificationStep.result_sealed, VerificationStep.evidence_sealed).where(
            VerificationStep.verification_id == verification.id
        )
        notes = select(HistoryEntry.note_sealed).where(
            HistoryEntry.verification_id == verification.id
        )
        for query in (documents, steps, notes):
            of_row += [value for row in await session.execute(query) for value in row]
    return [value for value in of_row if value is not None]


async def purge_after_31_days(banco, rival, services, verification_id):
    changed = await banco.request("PATCH", "/v1/organizations/me", json={"dataRetentionDays": 30})
    assert changed.status_code == 200
    sealed = await sealed_values(services, verification_id)
    assert len(sealed) >= 7
    shown = (await banco.get(f"/v1/verifications/{verification_id}")).json()
    document_ids = [document["id"] for document in shown["documents"]]
    untouched = await make_verification(rival, externalId="of-the-rival")

    shifted = replace(services, clock=ShiftedClock(timedelta(days=31)))
    await hurry(services, recurring=True)
    async with working(shifted):

        async def purged():
            after = (await banco.get(f"/v1/verifications/{verification_id}")).json()
            # Next to this folder is the index of the watchlists, which belongs to no organization.
            folder = services.settings.storage_folder / banco.organization_id
            files = [path for path in folder.rglob("*") if path.is_file()]
            return None if after["documents"] or files else after

        after = await until(purged)
    assert (after["documents"], after["extraction"]) == ([], [])
    assert after["verification"]["status"] == "REJECTED"
    for document_id in document_ids:
        assert (await banco.get(f"/v1/documents/{document_id}/image")).status_code == 404
    # First answers are forgotten after a day, by the database's clock: here they are a minute old.
    dump = b"\n".join(
        line
        for line in (await dump_database(services)).splitlines()
        if not line.startswith(b"first_answer")
    )
    for value in (EXTERNAL_ID, METADATA["sucursal"], "/callback", *sealed):
        assert not found_in(dump, value)
    assert found_in(dump, "of-the-rival")
    assert (await rival.get(f"/v1/verifications/{untouched}")).status_code == 200
    audit = (await banco.get("/v1/audit-logs")).json()
    actions = [entry["action"] for entry in audit["auditLogs"]]
    assert "verification.purged" in actions
    assert "verification.status_changed" in actions
