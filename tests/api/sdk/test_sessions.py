"""Open a verification from a browser: what a caller who knows its id can do and see."""

from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy import select

from acredita.access.tokens import TokenKeys
from acredita.models import AuditEntry, Consent, Document, Event, Verification
from acredita.resources.retention.purge import purge_some
from tests.factories.belongings import picture
from tests.factories.organizations import make_verification, make_workflow

CONSENT = {"version": "2026-01", "locale": "es-MX", "acceptedAt": "2026-01-31T18:05:09.120Z"}
SEEN = {
    "id",
    "status",
    "expiresAt",
    "workflowId",
    "organizationName",
    "consentGiven",
    "steps",
    "handOver",
    "next",
}


def path(session, rest=""):
    return f"/v1/sdk/verifications/{session['verificationId']}{rest}"


def refusal(answer):
    return answer.status_code, answer.json()["error"]["code"]


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
async def workflow_id(banco):
    return await make_workflow(banco, "DOCUMENT_OCR", "FACE_MATCH", "LIVENESS")


@pytest.fixture
async def opened(client, banco, workflow_id):
    """The answer to a new session."""
    return await open_session(client, banco, workflow_id)


async def open_session(client, member, workflow_id, **body):
    asked = {"clientId": member.organization_id, "flowId": workflow_id, **body}
    answer = await client.post("/v1/sdk/session", json=asked)
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == path(answer.json())
    return answer.json()


async def test_a_session_is_a_verification_and_a_token_for_it(client, banco, services, workflow_id):
    opened = await open_session(client, banco, workflow_id, metadata={"sucursal": "Centro"})
    verification_id = opened["verificationId"]
    assert opened["pageUrl"] == f"http://test/verify/{verification_id}#{opened['token']}"
    view = opened["verification"]
    assert set(view) == SEEN
    assert (view["status"], view["organizationName"]) == ("PENDING", "Banco Uno")
    assert (view["workflowId"], view["consentGiven"]) == (workflow_id, False)
    assert [step["type"] for step in view["steps"]] == ["DOCUMENT_OCR", "FACE_MATCH", "LIVENESS"]
    assert [step["requires"] for step in view["steps"]] == [
        ["front"],
        ["selfie", "front"],
        ["liveness"],
    ]
    assert view["next"]["action"] == "consent"
    shown = await client.get(path(opened), headers=bearer(opened["token"]))
    assert shown.json() == view
    async with services.database.transaction() as session:
        row = await session.get(Verification, verification_id)
        kinds = list(await session.scalars(select(Event.kind)))
        acts = [(a.action, a.actor_type) for a in await session.scalars(select(AuditEntry))]
    assert (row.verification_metadata, row.has_session) == ({"sucursal": "Centro"}, True)
    assert kinds == ["verification.created"]
    assert ("verification.session_opened", "holder") in acts


async def test_who_asks_for_what_is_not_there_opens_nothing(client, banco, rival, services):
    mine, theirs = await make_workflow(banco), await make_workflow(rival)
    deleted = await make_workflow(banco)
    await banco.delete(f"/v1/workflows/{deleted}")
    organization_id = banco.organization_id
    asked = [
        ({"clientId": str(uuid4()), "flowId": mine}, (401, "UNAUTHORIZED")),
        ({"clientId": organization_id, "flowId": str(uuid4())}, (404, "NOT_FOUND")),
        ({"clientId": organization_id, "flowId": theirs}, (404, "NOT_FOUND")),
        ({"clientId": organization_id, "flowId": deleted}, (409, "WORKFLOW_INACTIVE")),
        ({"clientId": organization_id.upper(), "flowId": mine}, (422, "VALIDATION_ERROR")),
        ({"clientId": organization_id, "flowId": "x"}, (422, "VALIDATION_ERROR")),
        ({"clientId": organization_id, "flowId": mine, "role": "x"}, (422, "VALIDATION_ERROR")),
    ]
    for faulty in ({"acceptedAt": "2026-01-31"}, {"version": "ñ"}, {"locale": "es MX"}, {"x": 1}):
        body = {"clientId": organization_id, "flowId": mine, "consent": CONSENT | faulty}
        asked.append((body, (422, "VALIDATION_ERROR")))
    for body, expected in asked:
        assert refusal(await client.post("/v1/sdk/session", json=body)) == expected, body
    async with services.database.transaction() as session:
        assert (await session.scalars(select(Verification))).all() == []


async def test_strangers_open_no_more_sessions_than_an_organization_bears(client, banco, rival):
    workflows = {member.organization_id: await make_workflow(member) for member in (banco, rival)}

    async def ask(member):
        flow_id = workflows[member.organization_id]
        body = {"clientId": member.organization_id, "flowId": flow_id}
        return await client.post("/v1/sdk/session", json=body)

    answers = [await ask(banco) for _ in range(50)]
    while (last := await ask(banco)).status_code == 201:
        answers.append(last)
        assert len(answers) < 200
    assert {answer.status_code for answer in answers} == {201}
    assert refusal(last) == (429, "RATE_LIMITED")
    assert int(last.headers["retry-after"]) >= 1
    # Neither another's nor the organization's own way in is any narrower for it.
    assert (await ask(rival)).status_code == 201
    assert (await banco.get("/v1/workflows")).status_code == 200


async def test_a_token_that_is_sent_must_be_of_that_very_verification(
    client, app, banco, rival, services, workflow_id, opened
):
    other = await open_session(client, banco, workflow_id)
    tokens: TokenKeys = app.state.tokens
    ids = {"verification_id": opened["verificationId"], "organization_id": banco.organization_id}
    now = services.clock.now()
    expired, _ = tokens.issue_session(**ids, now=now - timedelta(hours=2, seconds=1))
    almost, _ = tokens.issue_session(**ids, now=now - timedelta(hours=1, minutes=59))
    start = path(opened, "/liveness-challenge/start")
    for method, where in (("GET", path(opened)), ("POST", start), ("GET", path(opened, "/events"))):
        for token in (other["token"], expired, "x", "", f"{opened['token']}x"):
            for sent in ({"params": {"token": token}}, {"headers": bearer(token)}):
                answer = await client.request(method, where, **sent)
                assert refusal(answer) == (401, "UNAUTHORIZED"), (where, sent)
    for token in (almost, opened["token"]):
        assert (await client.get(path(opened), params={"token": token})).status_code == 200
        assert (await client.get(path(opened), headers=bearer(token))).status_code == 200
    both = {"params": {"token": other["token"]}, "headers": bearer(opened["token"])}
    assert refusal(await client.get(path(opened), **both)) == (401, "UNAUTHORIZED")
    # The organization's own credentials do; to another's, the verification is not there.
    assert (await banco.get(path(opened))).status_code == 200
    assert refusal(await rival.get(path(opened))) == (404, "NOT_FOUND")
    assert (await client.get(path(opened))).status_code == 200
    key = {"X-Api-Key": "ak_abcdefgh_" + "x" * 43}
    assert refusal(await client.get(path(opened), headers=key)) == (401, "UNAUTHORIZED")


async def test_a_token_in_an_address_is_not_logged(client, opened, capfd):
    token = opened["token"]
    for sent in (token, f"{token}x"):
        await client.get(path(opened), params={"token": sent})
    logged = capfd.readouterr()
    assert "/v1/sdk/verifications/{id}" in logged.err
    assert token not in logged.out + logged.err


async def test_a_sessions_token_opens_nothing_else(client, opened):
    for where in ("/v1/verifications", f"/v1/verifications/{opened['verificationId']}"):
        answer = await client.get(where, headers=bearer(opened["token"]))
        assert refusal(answer) == (401, "UNAUTHORIZED")


async def test_an_operator_can_ask_for_the_token(client, app, banco, services, opened):
    settings = services.settings.model_copy(update={"sdk_require_token": True})
    object.__setattr__(app.state.services, "settings", settings)
    for method, rest in (
        ("GET", ""),
        ("GET", "/events"),
        ("POST", "/consent"),
        ("POST", "/inputs"),
    ):
        body = {"json": CONSENT} if rest == "/consent" else {}
        answer = await client.request(method, path(opened, rest), **body)
        assert refusal(answer) == (401, "UNAUTHORIZED"), rest
    for headers in (bearer(opened["token"]), banco.headers):
        assert (await client.get(path(opened), headers=headers)).status_code == 200


async def test_uploads_are_taken_as_from_the_organization_and_told_of_by_role_alone(
    client, services, opened
):
    files = [("front", ("a.png", picture())), ("back", ("b.png", picture()))]
    answer = await client.post(path(opened, "/inputs"), files=files)
    assert answer.status_code == 202, answer.text
    assert answer.json()["documents"] == ["front", "back"]
    view = answer.json()["verification"]
    assert view["status"] == "IN_PROGRESS"
    assert view["steps"][0]["status"] == "RUNNING"
    async with services.database.transaction() as session:
        documents = (await session.scalars(select(Document))).all()
    assert len(documents) == 2
    assert not [row.id for row in documents if str(row.id) in answer.text]
    wrong = await client.post(path(opened, "/inputs"), files={"photo": ("a.png", picture())})
    assert refusal(wrong) == (422, "VALIDATION_ERROR")


async def test_a_browser_says_where_pictures_come_from_and_a_workflow_may_refuse_files(
    client, banco, workflow_id, opened
):
    files = [("front", ("a.png", picture())), ("back", ("b.png", picture()))]
    sources = {"frontSource": "camera", "backSource": "file"}
    answer = await client.post(path(opened, "/inputs"), files=files, data=sources)
    assert answer.status_code == 202, answer.text
    verification = f"/v1/verifications/{opened['verificationId']}"
    await banco.post(f"{verification}/inputs", files=[("selfie", ("c.png", picture()))])
    shown = (await banco.get(verification)).json()["documents"]
    assert {each["type"]: each["source"] for each in shown} == {
        "front": "camera",
        "back": "file",
        "selfie": None,
    }
    for sources in ({"frontSource": "scanner"}, {"source": "file"}):
        wrong = await client.post(path(opened, "/inputs"), files=files, data=sources)
        assert refusal(wrong) == (422, "VALIDATION_ERROR"), sources

    changed = await banco.patch(f"/v1/workflows/{workflow_id}", json={"allowFiles": False})
    assert changed.json()["allowFiles"] is False
    refused = await client.post(
        path(opened, "/inputs"), files=files, data={"frontSource": "camera", "backSource": "file"}
    )
    assert refused.json()["error"]["details"] == ["body.backSource: must be camera"]
    taken = await client.post(path(opened, "/inputs"), files=files, data={"frontSource": "camera"})
    assert taken.status_code == 202
    page = await client.get(f"/verify/{opened['verificationId']}")
    assert '"allowFiles":false' in page.text


async def test_what_comes_next_follows_what_was_sent(client, opened):
    async def following():
        return (await client.get(path(opened))).json()["next"]

    ocr, _, liveness = (step["id"] for step in opened["verification"]["steps"])
    await client.post(path(opened, "/consent"), json=CONSENT)
    asked = await following()
    assert (asked["action"], asked["stepId"], asked["roles"]) == ("upload", ocr, ["front"])
    assert (asked["optionalRoles"], asked["alternativeRoles"]) == (["back"], ["passport"])
    await client.post(path(opened, "/inputs"), files={"front": ("a.png", picture())})
    # The challenge serves the comparison of faces, too.
    asked = await following()
    assert (asked["action"], asked["stepId"]) == ("liveness", liveness)
    assert asked["challengesLeft"] == 10
    await client.post(path(opened, "/liveness-challenge/start"))
    assert (await following())["challengesLeft"] == 9


async def test_a_decided_verification_asks_for_nothing(client, banco, opened):
    decision = {"status": "APPROVED"}
    await banco.patch(f"/v1/verifications/{opened['verificationId']}/status", json=decision)
    view = (await client.get(path(opened))).json()
    assert (view["status"], view["next"]["action"]) == ("APPROVED", "done")
    assert {step["status"] for step in view["steps"]} == {"SKIPPED"}
    answer = await client.post(path(opened, "/inputs"), files={"front": ("a.png", picture())})
    assert refusal(answer) == (409, "VERIFICATION_CLOSED")
    answer = await client.post(path(opened, "/consent"), json=CONSENT)
    assert refusal(answer) == (409, "VERIFICATION_CLOSED")


async def test_a_verification_of_the_organizations_own_making_has_the_same_page(client, banco):
    verification_id = await make_verification(banco)
    view = (await client.get(f"/v1/sdk/verifications/{verification_id}")).json()
    assert (view["status"], view["steps"][0]["retakesLeft"]) == ("PENDING", 0)


async def test_consent_is_kept_once_with_where_it_came_from(client, services, opened):
    headers = {"User-Agent": "Mozilla/5.0 (Teléfono)".encode()}
    first = await client.post(path(opened, "/consent"), json=CONSENT, headers=headers)
    assert first.status_code == 201, first.text
    assert first.json()["verification"]["consentGiven"] is True
    again = CONSENT | {"acceptedAt": "2026-02-01T00:00:00Z"}
    second = await client.post(path(opened, "/consent"), json=again)
    assert second.status_code == 200
    assert second.json() == first.json()
    other = await client.post(path(opened, "/consent"), json=CONSENT | {"version": "2026-02"})
    assert other.status_code == 201
    async with services.database.transaction() as session:
        rows = (await session.scalars(select(Consent).order_by(Consent.version))).all()
        acts = [a.action for a in await session.scalars(select(AuditEntry))]
    assert [row.version for row in rows] == ["2026-01", "2026-02"]
    assert b"Mozilla" not in rows[0].origin_sealed
    origin = rows[0].origin.open(services.keys)
    assert origin["userAgent"].startswith("Mozilla/5.0")
    assert origin["address"] == "127.0.0.1"
    assert acts.count("verification.consent_given") == 2


async def test_consent_may_come_with_the_session(client, banco, services, workflow_id):
    opened = await open_session(client, banco, workflow_id, consent=CONSENT)
    view = opened["verification"]
    assert (view["consentGiven"], view["next"]["action"]) == (True, "upload")
    for number in range(2, 21):
        more = CONSENT | {"version": f"v{number}"}
        assert (await client.post(path(opened, "/consent"), json=more)).status_code == 201
    answer = await client.post(path(opened, "/consent"), json=CONSENT | {"version": "v21"})
    assert refusal(answer) == (409, "TOO_MANY_CONSENTS")


async def test_a_purged_verification_is_gone_with_its_consents(
    client, banco, services, workflow_id
):
    opened = await open_session(client, banco, workflow_id, consent=CONSENT)
    decision = {"status": "APPROVED"}
    await banco.patch(f"/v1/verifications/{opened['verificationId']}/status", json=decision)
    later = services.clock.now() + timedelta(days=366)
    async with services.database.transaction() as session:
        assert await purge_some(session, banco.organization_id, later) == 1
    async with services.database.transaction() as session:
        assert (await session.scalars(select(Consent))).all() == []
    for rest in ("", "/events"):
        assert refusal(await client.get(path(opened, rest))) == (404, "NOT_FOUND")
