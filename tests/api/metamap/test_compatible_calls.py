"""The compatible API over HTTP: its answers, its errors, and that it is /v1 in other words."""

import io
import json
from datetime import UTC, datetime

import pytest
from PIL import Image

from acredita.resources.webhooks import signed_request
from tests.api.metamap.recorded import Integration, is_signed, photo, selfie
from tests.factories.belongings import picture
from tests.factories.organizations import make_verification, make_workflow, with_new_key
from tests.factories.receiver import Receiver, serve

BASE = "/v1/metamap"
UNKNOWN = "0b6a4c3e1f7b4c559a512f9b"


def alias(uuid):
    return uuid.replace("-", "")[:24]


@pytest.fixture
async def integration(client, banco):
    calls = Integration(client, BASE, alias(banco.organization_id), banco.api_key)
    await calls.authorize()
    return calls


@pytest.fixture
async def flow(banco):
    return await make_workflow(banco, "DOCUMENT_OCR", "FACE_MATCH", "GOVERNMENT_VERIFY")


async def test_a_token_is_exchanged_as_its_oauth_server_does(client, banco, rival):
    for client_id in (alias(banco.organization_id), banco.organization_id):
        answer = await Integration(client, BASE, client_id, banco.api_key).authorize()
        assert set(answer) == {"access_token", "expiresIn", "payload"}
        assert answer["expiresIn"] == 3600
        assert answer["payload"]["user"]["_id"] == alias(banco.organization_id)
    scoped = await client.post(
        f"{BASE}/oauth/token",
        auth=(alias(banco.organization_id), banco.api_key),
        data={"grant_type": "client_credentials", "scope": "verification_flow", "flow_id": "x"},
    )
    assert scoped.json() | {"access_token": ""} == {
        "access_token": "",
        "expires_in": 3600,
        "scope": "verification_flow",
        "token_type": "bearer",
    }

    async def refused(body, **options):
        answer = await client.post(f"{BASE}/oauth", data=body, **options)
        error = answer.json()
        assert answer.status_code == error["code"] == error["status"] == error["statusCode"]
        return answer.status_code, error["name"], error["message"]

    grant = {"grant_type": "client_credentials"}
    none = (400, "invalid_client", "Invalid client: cannot retrieve client credentials")
    assert await refused(grant) == none
    wrong = (401, "invalid_client", "Invalid client: client is invalid")
    assert await refused(grant, auth=(alias(rival.organization_id), banco.api_key)) == wrong
    assert await refused(grant, auth=(alias(banco.organization_id), "ak_none")) == wrong
    right = (alias(banco.organization_id), banco.api_key)
    assert (await refused({"grant_type": "password"}, auth=right))[1] == "unsupported_grant_type"
    assert (await refused({}, content=b"x", auth=right))[1] == "invalid_request"
    key_alone = {"grant_type": "application_key", "application_key": right[0]}
    assert (await refused(key_alone))[1] == "invalid_client"


async def test_a_token_is_given_to_basic_form_and_json_with_or_without_a_grant_type(client, banco):
    basic = {"auth": (alias(banco.organization_id), banco.api_key)}
    known = {"client_id": alias(banco.organization_id), "client_secret": banco.api_key}
    grant = {"grant_type": "client_credentials"}
    ways = [
        basic,
        basic | {"data": grant},
        basic | {"json": grant},
        basic | {"json": {}},
        {"data": known},
        {"data": known | grant},
        {"json": known},
        {"json": known | grant},
    ]
    for way in ways:
        for path in ("/oauth", "/oauth/", "/oauth/token"):
            answer = await client.post(f"{BASE}{path}", **way)
            assert answer.status_code == 200, (way, path, answer.text)
            assert answer.json()["access_token"]


async def test_what_is_started_there_is_a_verification_of_v1(integration, banco, flow):
    started = await integration.start(alias(flow), metadata={"email": "ana@banco.example"}, extra=1)
    # The identity's id is the verification's minus two, as in MetaMap's object ids.
    assert int(started["id"], 16) - int(started["identity"], 16) == 2
    assert started["flow"] == {"id": alias(flow), "name": "Alta de cuenta"}
    assert started["inputs"] == [
        {"id": "connection-data", "status": 200, "optional": False},
        {"id": "document-photo", "status": 0, "group": 0},
        {"id": "selfie-photo", "status": 0},
    ]
    assert started["steps"] == [{"status": 0, "id": "document"}, {"status": 0, "id": "selfie"}]
    assert started["metadata"] == {"email": "ana@banco.example"}
    listed = (await banco.get("/v1/verifications")).json()["verifications"]
    assert [alias(each["id"]) for each in listed] == [started["id"]]
    assert listed[0]["status"] == "PENDING"
    # Clients that know the identity alone ask with it, and look two ids further.
    identity = await integration.call("GET", f"/v2/verifications/{started['identity']}")
    assert (identity.status_code, identity.json()["name"]) == (404, "EntityNotFoundError")
    for name in (started["id"], listed[0]["id"]):
        shown = (await integration.call("GET", f"/v2/verifications/{name}")).json()
        assert (shown["id"], shown["identity"]["status"]) == (started["id"], "pending")
        assert shown["metadata"] == {"email": "ana@banco.example"}
        assert shown["deviceFingerprint"] == started["deviceFingerprint"]
    assert started["deviceFingerprint"]["ua"].startswith("python-httpx/")

    older = await integration.call("POST", "/v2/identities", json={"metadata": {"a": "b"}})
    assert older.status_code == 200
    assert older.json()["status"] == "pending"
    named = await integration.call("POST", "/v2/verifications", json={"metamap_id": alias(flow)})
    assert named.json()["flow"]["id"] == alias(flow)
    assert len((await banco.get("/v1/verifications")).json()["verifications"]) == 3


async def test_what_is_made_in_v1_is_there_too_and_nothing_of_others(integration, banco, rival):
    ours = await make_verification(banco)
    theirs = await make_verification(rival)
    shown = await integration.call("GET", f"/v2/verifications/{alias(ours)}")
    assert shown.json()["identity"]["status"] == "pending"
    unknown = await integration.call("GET", f"/v2/verifications/{UNKNOWN}")
    for name in (alias(theirs), theirs, "x", UNKNOWN[:23]):
        answer = await integration.call("GET", f"/v2/verifications/{name}")
        assert (answer.status_code, answer.json()) == (404, unknown.json())
        put = {"json": {"status": "verified"}}
        assert (
            await integration.call("PUT", f"/v2/verifications/{name}/status", **put)
        ).status_code == 404
        assert (await integration.call("DELETE", f"/verifications/{name}")).status_code == 404
    assert (await rival.get(f"/v1/verifications/{theirs}")).json()["verification"][
        "status"
    ] == "PENDING"


async def test_each_input_is_taken_or_refused_by_itself(integration, banco, flow):
    started = await integration.start(alias(flow))
    noise = io.BytesIO()
    Image.effect_noise((3600, 3600), 90).save(noise, "PNG")
    assert len(noise.getvalue()) > 10 * 1024 * 1024
    video = {"inputType": "selfie-video", "data": {"filename": "liveness.mp4"}}
    missing = photo("back", "elsewhere.jpg")
    answers = await integration.send(
        started["identity"],
        (photo("front", "INE-front.jpg"), picture()),
        (photo("back", "INE-back.png"), noise.getvalue()),
        (selfie("selfie.jpg"), b"GIF89a" + bytes(200)),
        (video, b"\x00\x00\x00\x18ftypmp42" + bytes(64)),
        (photo("front", "recibo.jpg", "custom-receipt"), picture()),
        (photo("back", "pasaporte.jpg", "passport"), picture()),
    )
    assert answers[0] == {
        "data": {
            "inputType": "document-photo",
            "type": "national-id",
            "country": "MX",
            "region": "",
            "page": "front",
            "filename": "INE-front.jpg",
        },
        "result": True,
    }
    assert [(each["error"]["type"], each["error"]["code"]) for each in answers[1:]] == [
        ("ValidationError", "documentPhoto.fileTooLarge"),
        ("ValidationError", "selfiePhoto.fileTypeNotSupported"),
        ("ValidationError", "selfieVideo.unreadable"),
        ("ValidationError", "documentPhoto.typeNotSupported"),
        ("ValidationError", "documentPhoto.typeNotSupported"),
    ]
    older = await integration.send(
        started["identity"],
        (selfie("me.png"), picture()),
        (photo("back", "licencia.jpg", "driving-license"), picture()),
        where="identity",
    )
    assert [each["result"] for each in older] == [True, True]
    unnamed = await integration.call(
        "POST",
        f"/v2/identities/{started['identity']}/send-input",
        files=[("inputs", (None, json.dumps([missing]))), ("document[0]", ("a.jpg", picture()))],
    )
    assert unnamed.json()[0]["error"]["code"] == "documentPhoto.fileNotFound"
    (listed,) = (await banco.get("/v1/verifications")).json()["verifications"]
    shown = (await banco.get(f"/v1/verifications/{listed['id']}")).json()
    assert [each["type"] for each in shown["documents"]] == ["front", "selfie", "back"]


async def test_its_errors_are_in_its_words(client, integration, banco, flow):
    async def fault(method, path, **options):
        answer = await integration.call(method, path, **options)
        error = answer.json()
        assert answer.status_code == error["code"], error
        return error

    missing = await fault("POST", "/v2/verifications", json={"metadata": {}})
    assert missing["name"] == "ValidationError"
    assert missing["message"] == "Parameters validation error!"
    assert missing["type"] == "VALIDATION_ERROR"
    assert missing["data"] == [
        {
            "keyword": "required",
            "dataPath": ".flowId",
            "schemaPath": "#/required",
            "params": {},
            "message": "Field required",
            "action": None,
        }
    ]
    assert (await fault("POST", "/v2/verifications", json={"flowId": UNKNOWN}))["code"] == 404
    started = await integration.start(alias(flow))
    address = f"/v2/identities/{started['identity']}/send-input"
    strange = json.dumps([{"inputType": "voice", "data": {}}])
    no_strategy = await fault(
        "POST", address, files=[("inputs", (None, strange)), ("video", ("a", b"x"))]
    )
    assert no_strategy["message"] == "No input strategy found for voice"
    for inputs in ("{", "[]", '["x"]', '{"a":1}'):
        broken = await fault(
            "POST", address, files=[("inputs", (None, inputs)), ("document", ("a", b"x"))]
        )
        assert (broken["code"], broken["message"], broken["name"]) == (
            400,
            "Invalid structure of request body",
            "MoleculerError",
        )
    moved = f"/v2/verifications/{started['id']}/status"
    assert (await fault("PUT", moved, json={"status": "pending"}))["message"].startswith(
        "Invalid movement"
    )
    assert (await fault("GET", "/v2/nowhere"))["name"] == "NotFoundError"
    pdf = await fault("POST", "/verification/v1/pdf/download", json={"verification_ids": []})
    assert pdf["code"] == 422
    assert (await fault("PURGE", "/oauth"))["code"] == 405
    nobody = await client.get(f"{BASE}/v2/verifications/{UNKNOWN}")
    assert nobody.status_code == nobody.json()["code"] == 401
    assert nobody.json()["name"] == "invalid_token"
    slow = await with_new_key(banco, "MEMBER", rateLimit=1)
    answers = [await slow.get(f"{BASE}/v2/verifications/{started['id']}") for _ in range(4)]
    assert answers[0].status_code == 200
    assert answers[-1].status_code == answers[-1].json()["code"] == 429
    assert answers[-1].json()["name"] == "RateLimitExceededError"
    assert int(answers[-1].headers["retry-after"]) >= 1
    # Beside it, everything is as ever.
    assert (await client.get("/v1/metamapx")).json()["error"]["code"] == "NOT_FOUND"


async def test_a_member_decides_nothing_and_deletes_nothing(integration, banco, flow):
    started = await integration.start(alias(flow))
    member = await with_new_key(banco, "MEMBER", rateLimit=0)
    path = f"{BASE}/v2/verifications/{started['id']}/status"
    answer = await member.put(path, json={"status": "verified"})
    assert (answer.status_code, answer.json()["code"]) == (403, 403)
    assert (await member.delete(f"{BASE}/verifications/{started['id']}")).status_code == 403


async def test_a_status_is_changed_and_a_verification_deleted(integration, banco, flow):
    started = await integration.start(alias(flow), metadata={"email": "ana@banco.example"})
    address = f"/v2/verifications/{started['id']}"
    for method, status in (("PUT", "verified"), ("PATCH", "rejected"), ("PUT", "reviewNeeded")):
        moved = await integration.call(method, f"{address}/status", json={"status": status})
        assert (moved.status_code, moved.json()) == (200, {})
        assert (await integration.call("GET", address)).json()["identity"]["status"] == status
    closed = await integration.call("POST", f"/v2/identities/{started['id']}/send-input")
    assert closed.status_code == closed.json()["code"] == 400
    again = await integration.start(alias(flow), identityId=started["identity"])
    assert again["identity"] == started["identity"]
    assert int(again["id"], 16) - int(again["identity"], 16) != 2
    sent = await integration.send(started["identity"], (selfie("me.png"), picture()))
    assert sent[0]["result"] is True
    second = (await integration.call("GET", f"/v2/verifications/{again['id']}")).json()
    assert second["identity"] == {"id": started["identity"], "status": "running"}
    (photo_of_second,) = [s["data"] for s in second["steps"] if s["id"] == "selfie"]
    image = await integration.call("GET", photo_of_second["selfiePhotoUrl"])
    assert image.headers["content-type"] == "image/jpeg"

    for name in (started["id"], again["id"]):
        deleted = await integration.call("DELETE", f"/verifications/{name}")
        assert (deleted.status_code, deleted.json()) == (200, {})
        gone = (await integration.call("GET", f"/v2/verifications/{name}")).json()
        assert gone["identity"]["status"] == "deleted"
        assert (gone["metadata"], gone["documents"]) == ({}, [])
        assert (gone["deviceFingerprint"]["ua"], gone["deviceFingerprint"]["ip"]) == (None, None)
    assert (await integration.call("GET", photo_of_second["selfiePhotoUrl"])).status_code == 404
    tombstone = (await integration.call("GET", f"/v2/identities/{started['identity']}")).json()
    assert (tombstone["status"], tombstone["metadata"]) == ("deleted", {})
    log = (await banco.get("/v1/audit-logs?limit=100")).json()
    assert "verification.purged" in str(log)


async def test_registries_are_asked_one_question_at_a_time(integration, banco):
    async def ask(what, **body):
        answer = await integration.call("POST", f"/govchecks/v1/mx/{what}", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    known = await ask("curp", curp="CURA900505MDFRZN03", other="ignored")
    assert known["error"] is None
    assert known["data"]["curp"] == "CURA900505MDFRZN03"
    assert known["data"]["birthDate"] == "1990-05-05"
    assert known["data"]["gender"] == "MUJER"
    # Who is born in Mexico is Mexican; the sandbox knows nothing of others.
    assert known["data"]["nationality"] == "Mexico"
    assert datetime.fromisoformat(known["timestamp"]) <= datetime.now(UTC)
    abroad = await ask("curp", curp="XUXX900101HNEXXX02")
    assert abroad["data"]["nationality"] is None
    assert (await ask("curp", curp="no curp"))["error"]["type"] == "govCheckError"
    card = await ask("ine", documentNumber="123456789", ocrNumber="4921087654321", subType="D")
    assert (card["status"], card["id"], card["error"]) == (200, "mexican-ine-validation", None)
    # Numbers that were not asked about are not confirmed; the sandbox discloses no years.
    assert card["data"] == {
        "documentNumber": "123456789",
        "cde": None,
        "ne": None,
        "ocrNumber": "4921087654321",
        "registrationYear": None,
        "emissionYear": None,
    }
    lacking = await ask("ine", documentNumber="123456789")
    assert lacking["error"]["code"] == "ine.notEnoughParams"
    unknown = await ask("ine", documentNumber="000000001", ocrNumber="4921087654321")
    assert unknown["error"]["code"] == "mexicanIne.notValidParams"
    assert unknown["error"]["type"] == "govCheckError"
    unlisted = (await ask("rfc", rfc="XUXX900201AB1"))["error"]
    assert (unlisted["type"], unlisted["code"]) == ("stepError", "mexicanRfcStatus.noResults")
    assert (await ask("rfc-status", rfc="XUXX900208AB1"))["error"][
        "code"
    ] == "mexicanRfcStatus.inactive"
    away = await ask("rfc", rfc="XUXX900202AB1")
    # As MetaMap documents an interruption; its `legacy.error` may be a finding about the person.
    assert away["error"]["type"] == "systemError"
    assert away["error"]["code"] == "system.serviceUnavailable"
    log = (await banco.get("/v1/audit-logs?limit=100")).text
    assert log.count("government_check.made") == 9
    assert "CURA900505" not in log


async def test_the_browsers_button_opens_a_session_by_either_form_of_ids(
    client, banco, rival, flow
):
    for ids in ((banco.organization_id, flow), (alias(banco.organization_id), alias(flow))):
        body = {
            "clientId": ids[0],
            "flowId": ids[1],
            "metadata": {"k": "v"},
            "consent": {"version": "1", "locale": "es-MX", "acceptedAt": "2026-01-31T18:05:09Z"},
            "color": "green",
        }
        opened = await client.post(f"{BASE}/sdk/session", json=body)
        assert opened.status_code == 201, opened.text
        short = alias(opened.json()["verificationId"])
        assert int(short, 16) - int(opened.json()["identityId"], 16) == 2
        seen = await client.get(
            f"/v1/sdk/verifications/{opened.json()['verificationId']}",
            headers={"Authorization": f"Bearer {opened.json()['token']}"},
        )
        assert seen.json()["status"] == "PENDING", seen.text
        assert seen.json()["consentGiven"] is True
    # Older buttons name no flow: it is the oldest active one.
    await make_workflow(banco)
    for named in ({}, {"flowId": ""}):
        asked = {"clientId": alias(banco.organization_id), **named}
        opened = (await client.post(f"{BASE}/sdk/session", json=asked)).json()
        shown = (await banco.get(f"/v1/verifications/{opened['verificationId']}")).json()
        assert shown["verification"]["workflowId"] == flow
    foreign = {"clientId": alias(rival.organization_id), "flowId": alias(flow)}
    assert (await client.post(f"{BASE}/sdk/session", json=foreign)).json()["code"] == 404
    nobody = {"clientId": UNKNOWN, "flowId": alias(flow)}
    assert (await client.post(f"{BASE}/sdk/session", json=nobody)).json()["code"] == 401


async def test_an_endpoint_of_its_format_can_be_tried_out(banco, flow):
    await make_verification(banco, flow)
    async with serve(Receiver(), None) as receiver:
        body = {
            "url": receiver.url(host="127.0.0.1"),
            "events": ["verification.created"],
            "format": "metamap",
        }
        webhook = (await banco.post("/v1/webhooks", json=body)).json()["webhook"]
        tried = await banco.post(f"/v1/webhooks/{webhook['id']}/test")
        assert tried.json() == {"delivered": True}
        (received,) = receiver.received
    notice = json.loads(received.body)
    assert (notice["eventName"], notice["flowId"]) == ("verification_started", alias(flow))
    assert is_signed(webhook["secret"], received.body, received.headers["x-signature"])
    unknown = await banco.post("/v1/webhooks", json=body | {"format": "other"})
    assert unknown.status_code == 422


def test_the_published_vector_of_the_signature_holds():
    body = (
        b'{"eventName":"verification_completed","metadata":{"email":"john@gmail.com"},'
        b'"resource":"https://api.getmati.com/api/v1/verifications/db8d24783"}'
    )
    assert signed_request.bare_signature("webhookSecret", body) == (
        "0c5ed2cad914fd2a1571b47bb087953af574a353ff9d96f8603f8c0d7955340c"
    )
