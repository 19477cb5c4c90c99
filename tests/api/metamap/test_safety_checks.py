"""Codes for a phone and a mailbox, and reports as PDF files, in MetaMap's API."""

import asyncio
import json
import re
from email import message_from_bytes

import orjson
import pytest
from sqlalchemy import func, select

from acredita.models import MetamapCallback, OneTimePassword
from acredita.providers.email import EmailUnavailable
from acredita.providers.sms import SmsRefused
from tests.api.metamap.recorded import Integration, is_signed
from tests.api.webhooks.conftest import working
from tests.factories.organizations import make_verification, make_workflow, with_new_key
from tests.factories.receiver import answer
from tests.observability.test_invariants import work

BASE = "/v1/metamap"
CODES = f"{BASE}/safety/v1/checks"
DOWNLOAD = f"{BASE}/verification/v1/pdf/download"
SECRET = "Un-secreto-2026-largo"
PHONE, EMAIL = "525512345678", "ana@correo.example"
UNKNOWN = "0b6a4c3e1f7b4c559a512f9b"


@pytest.fixture
def settings(settings, authority):
    changes = {"webhook_retry_delays": (0.05, 0.05, 0.05, 0.05), "otp_daily_limit": 4}
    return settings.model_copy(update=authority.settings | changes)


async def subscribe(banco, receiver):
    endpoint = {"url": receiver.url(), "events": ["step.failed"], "format": "metamap"}
    await banco.post("/v1/webhooks", json=endpoint | {"secret": SECRET})


def messages(services):
    return [orjson.loads(each.read_bytes()) for each in services.settings.mailbox_folder.glob("*")]


async def count(services, table):
    async with services.database.transaction() as session:
        return await session.scalar(select(func.count()).select_from(table))


async def test_a_code_is_sent_and_returned_for_the_caller_to_compare(banco, services, authority):
    async with authority.receiver() as receiver:
        await subscribe(banco, receiver)
        for channel, recipient, locale in (
            ("phone", PHONE, None),
            ("email", EMAIL, "es_MX"),
        ):
            body = {"recipient": recipient, "locale": locale, "senderName": "Acme"}
            body |= {"callbackUrl": receiver.url("/code"), "metadata": {"pedido": "4711"}}
            said = await banco.post(f"{CODES}/{channel}/otp", json=body)
            assert said.status_code == 200, said.text
            found = said.json()
            assert (found["error"], found["metadata"]) == (None, {"pedido": "4711"})
            code = found["data"]["confirmationCode"]
            (sent,) = [each for each in messages(services) if recipient in each["destination"]]
            assert re.findall(r"\d{6}", sent["body"]) == [code]
            # The message names the organization that asked, not the name that it gave.
            assert "Acme" not in sent["body"]
            async with working(services) as worker:
                await worker.until_idle()
            assert json.loads(receiver.received[-1].body) == found
        # By default, as in MetaMap.
        english = next(each for each in messages(services) if PHONE in each["destination"])
        assert english["body"].startswith("Your ")
    for each in receiver.received:
        assert is_signed(SECRET, each.body, each.headers["x-signature"])
    # Nothing of it is kept, and the log has no address.
    assert await count(services, OneTimePassword) == await count(services, MetamapCallback) == 0
    log = (await banco.get("/v1/audit-logs?limit=100")).text
    assert log.count("ownership_check.made") == 2
    assert PHONE not in log
    assert EMAIL not in log


async def test_a_screening_is_posted_to_the_callback_url(banco, services, authority):
    async with authority.receiver(answer(500)) as receiver:
        await subscribe(banco, receiver)
        body = {"name": "Quirino Zalabardo", "callbackURL": receiver.url("/listas")}
        said = await banco.post(f"{CODES}/comply-advantage", json=body | {"metadata": '{"a":"b"}'})
        assert (said.status_code, said.json()["metadata"]) == (200, {"a": "b"})
        async with working(services) as worker:
            await worker.until_idle()
    assert [json.loads(each.body) for each in receiver.received] == [said.json()] * 2
    assert is_signed(
        SECRET, receiver.received[-1].body, receiver.received[-1].headers["x-signature"]
    )
    assert await count(services, MetamapCallback) == 0


async def test_a_code_that_is_not_sent_is_not_returned(banco, services, monkeypatch):
    async def fail(fault):
        raise fault

    async def ask(channel, recipient):
        answered = await banco.post(f"{CODES}/{channel}/otp", json={"recipient": recipient})
        return answered.status_code, answered.json()

    monkeypatch.setattr(services.email, "send", lambda *_, **__: fail(EmailUnavailable("down")))
    monkeypatch.setattr(services.sms, "send", lambda *_, **__: fail(SmsRefused("no such number")))
    status, away = await ask("email", EMAIL)
    assert (status, away["data"], away["error"]["type"]) == (200, None, "systemError")
    assert away["error"]["code"] == "system.serviceUnavailable"
    status, refused = await ask("phone", f"+{PHONE}")
    assert (status, refused["data"]) == (200, None)
    assert refused["error"]["code"] == "phoneOwnership.notDelivered"
    for channel, recipient in (("email", "ana"), ("phone", "12"), ("phone", "ana")):
        status, fault = await ask(channel, recipient)
        assert (status, fault["data"][0]["dataPath"]) == (422, ".recipient")
    # The organization's codes of a day are counted, as those of /v1 are.
    assert [(await ask("email", f"{n}@correo.example"))[0] for n in range(3)] == [200, 200, 429]


async def test_reports_are_posted_as_pdf_files(client, banco, rival, services, authority):
    flow = await make_workflow(banco)
    integration = Integration(client, BASE, banco.organization_id, banco.api_key)
    await integration.authorize()
    decided = [await integration.start(flow) for _ in range(2)]
    for each in decided:
        path = f"/v2/verifications/{each['id']}/status"
        await integration.call("PUT", path, json={"status": "verified"})
    open_one = await integration.start(flow)
    foreign = await make_verification(rival)
    names = [decided[0]["id"], open_one["id"], foreign, UNKNOWN, decided[1]["id"]]
    async with authority.receiver(answer(500)) as receiver:
        await subscribe(banco, receiver)
        details = {"url": receiver.url("/pdf"), "headers": {"api_key": "abc", "Host": "x"}}
        body = {"request_id": "informe-1", "timezone": "America/Mexico_City", "metadata": {"a": 1}}
        body |= {"verification_ids": names, "callback_details": details}
        said = await banco.post(DOWNLOAD, json=body)
        assert said.status_code == 200, said.text
        assert said.json() == {
            "status": "FAILURE",
            "acceptedVerificationIds": [decided[0]["id"], decided[1]["id"]],
            "rejectedVerificationIds": names[1:4],
        }
        assert (await count(services, MetamapCallback)) == 1
        async with asyncio.timeout(60):
            while await count(services, MetamapCallback):
                await work(services)
    assert len(receiver.received) == 2
    posted = receiver.received[-1]
    assert (posted.path, posted.headers["api_key"]) == ("/pdf", "abc")
    assert posted.headers["host"] != "x"
    assert is_signed(SECRET, posted.body, posted.headers["x-signature"])
    form = message_from_bytes(
        b"Content-Type: " + posted.headers["content-type"].encode() + b"\r\n\r\n" + posted.body
    )
    parts = form.get_payload()
    texts = {
        part.get_param("name", header="content-disposition"): part.get_payload()
        for part in parts[:2]
    }
    assert (texts["request_id"], json.loads(texts["metadata"])) == ("informe-1", {"a": 1})
    assert [part.get_filename() for part in parts[2:]] == [f"{each['id']}.pdf" for each in decided]
    for part in parts[2:]:
        assert part.get_payload(decode=True).startswith(b"%PDF-")
    assert await count(services, MetamapCallback) == 0
    log = (await banco.get("/v1/audit-logs?limit=100")).text
    assert log.count("verification.evidence_exported") == 2 * len(receiver.received)

    one = {"request_id": "x", "verification_ids": [decided[0]["id"]]}
    for headers in ({"a b": "c"}, {"a": "b\r\nc: d"}, {f"h{n}": "" for n in range(21)}):
        refused = await banco.post(
            DOWNLOAD, json=one | {"callback_details": details | {"headers": headers}}
        )
        assert refused.json()["data"][0]["dataPath"] == ".callback_details.headers"
    assert (await banco.post(DOWNLOAD, json=one)).status_code == 422
    member = await with_new_key(banco, "MEMBER", rateLimit=0)
    denied = await member.post(DOWNLOAD, json=one | {"callback_details": details})
    assert denied.status_code == 403
