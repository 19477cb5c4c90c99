"""Links for the person: what they open, for how long, and what ends them."""

from datetime import timedelta
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from sqlalchemy import select, update

from acredita.models import AuditEntry, CaptureLink, Job, Verification
from acredita.resources.retention.purge import purge_some
from tests.api.sdk.test_sessions import bearer, refusal
from tests.factories.organizations import make_workflow

SHOP = "https://app.banco.example"
PHONE = {"User-Agent": "phone"}


async def create(member, workflow_id, **capture):
    body = {"workflowId": workflow_id, "metadata": {"sucursal": "Centro"}, "capture": capture}
    return await member.post("/v1/verifications", json=body)


async def open_link(client, url):
    """The exchange that the page of the link makes."""
    body = {"link": urlsplit(url).fragment}
    return await client.post("/v1/sdk/link-sessions", json=body, headers=PHONE)


async def state_of(member, verification_id):
    shown = (await member.get(f"/v1/verifications/{verification_id}")).json()
    return shown["verification"]["capture"]


async def set_link(services, **values):
    async with services.database.transaction() as session:
        await session.execute(update(CaptureLink).values(**values))


@pytest.fixture
async def allowed(banco):
    path = "/v1/organizations/me/allowed-origins"
    await banco.put(path, json={"allowedOrigins": [SHOP]})
    return banco


async def test_a_link_opens_the_flow_on_several_devices_and_its_token_is_nowhere_else(
    client, allowed, services
):
    banco = allowed
    workflow_id = await make_workflow(banco)
    answer = await create(
        banco, workflow_id, returnUrl=f"{SHOP}/alta?paso=2#fin", expiresIn=7 * 86_400, language="es"
    )
    assert answer.status_code == 201, answer.text
    created = answer.json()["verification"]
    verification_id, url = created["id"], created["capture"]["url"]
    parts = urlsplit(url)
    assert url.startswith(f"http://test/verify/{verification_id}?lang=es#cl_")
    assert created["ipAddress"] is None
    assert await state_of(banco, verification_id) == {
        "state": "created",
        "expiresAt": created["capture"]["expiresAt"],
        "firstOpenedAt": None,
        "lastOpenedAt": None,
        "openings": 0,
    }
    path = f"/v1/sdk/verifications/{verification_id}"
    # A program that fetches the link to preview it sends no fragment, and opens nothing.
    preview = await client.get(f"{parts.path}?{parts.query}")
    assert preview.status_code == 200
    assert preview.headers["referrer-policy"] == "no-referrer"
    assert (await state_of(banco, verification_id))["openings"] == 0
    # The id in its path is no credential.
    assert refusal(await client.get(path)) == (401, "UNAUTHORIZED")
    for wrong in ("cl_" + "x" * 43, parts.fragment[:-1], parts.fragment[3:]):
        given = await client.post("/v1/sdk/link-sessions", json={"link": wrong})
        assert refusal(given) == (404, "NOT_FOUND")

    phone, tablet = [(await open_link(client, url)).json() for _ in range(2)]
    expected = f"{SHOP}/alta?paso=2&verificationId={verification_id}#fin"
    assert phone["returnUrl"] == expected
    assert phone["verification"]["steps"][0]["retakesLeft"] == 3
    assert phone["verification"]["expiresAt"] == created["capture"]["expiresAt"]
    for session in (phone, tablet):
        assert (await client.get(path, headers=bearer(session["token"]))).status_code == 200
    state = await state_of(banco, verification_id)
    assert (state["state"], state["openings"]) == ("opened", 2)
    async with services.database.transaction() as session:
        row = await session.get(Verification, UUID(verification_id))
        link = (await session.scalars(select(CaptureLink))).one()
        details = [
            entry.details
            for entry in await session.scalars(select(AuditEntry))
            if entry.action == "verification.session_opened"
        ]
    assert row.ip_address is not None
    assert row.verification_metadata == {"sucursal": "Centro"}
    assert details == [f'{{"link":"{link.id}"}}'] * 2
    # Neither the token nor the address to go back to is stored in plain.
    stored = repr([getattr(link, name) for name in CaptureLink.__table__.c.keys()])  # noqa: SIM118
    assert parts.fragment not in stored
    assert "banco.example" not in stored


async def test_a_new_link_or_a_revocation_ends_the_former_links_and_their_sessions(
    client, allowed, rival, services
):
    banco = allowed
    created = (await create(banco, await make_workflow(banco))).json()["verification"]
    verification_id, url = created["id"], created["capture"]["url"]
    path = f"/v1/sdk/verifications/{verification_id}"
    phone = (await open_link(client, url)).json()
    assert (await client.get(path, headers=bearer(phone["token"]))).status_code == 200

    where = f"/v1/verifications/{verification_id}/capture"
    assert refusal(await rival.post(where, json={})) == (404, "NOT_FOUND")
    assert refusal(await rival.delete(where)) == (404, "NOT_FOUND")
    again = await banco.post(where, json={})
    assert again.status_code == 201, again.text
    assert refusal(await open_link(client, url)) == (409, "LINK_CLOSED")
    assert refusal(await client.get(path, headers=bearer(phone["token"]))) == (401, "UNAUTHORIZED")
    third = (await open_link(client, again.json()["capture"]["url"])).json()
    assert third["returnUrl"] is None
    assert (await client.get(path, headers=bearer(third["token"]))).status_code == 200
    for _ in range(2):
        assert (await banco.delete(where)).status_code == 204
    assert refusal(await client.get(path, headers=bearer(third["token"]))) == (401, "UNAUTHORIZED")
    assert (await state_of(banco, verification_id))["state"] == "revoked"

    await banco.patch(f"/v1/verifications/{verification_id}/status", json={"status": "REJECTED"})
    later = services.clock.now() + timedelta(days=366)
    async with services.database.transaction() as session:
        assert await purge_some(session, banco.organization_id, later) == 1
        assert (await session.scalars(select(CaptureLink))).all() == []


async def test_a_link_ends_and_a_wrong_request_for_one_is_refused(
    client, allowed, services, workflow_of_location
):
    banco, workflow_id = allowed, await make_workflow(allowed)
    for capture, fault in (
        ({"returnUrl": "https://other.example/"}, "https://other.example is not one of"),
        ({"returnUrl": f"{SHOP}:8443/"}, "body.capture.returnUrl"),
        ({"returnUrl": "http://app.banco.example/"}, "is not an https URL"),
        ({"returnUrl": "https://app.banco.example@evil.example/"}, "is not an https URL"),
        ({"returnUrl": "javascript:alert(1)"}, "is not an https URL"),
        ({"origin": "https://other.example"}, "body.capture.origin: https://other.example"),
        ({"expiresIn": 59}, "greater than or equal to 60"),
        ({"expiresIn": 30 * 86_400 + 1}, "less than or equal to 2592000"),
        ({"expiresAt": "2020-01-01T00:00:00Z"}, "body.capture.expiresAt: the time is past"),
        ({"expiresAt": "2120-01-01T00:00:00Z"}, "at most 30 days"),
        ({"expiresAt": "2120-01-01T00:00:00Z", "expiresIn": 60}, "not both"),
        ({"language": "xx"}, "body.capture.language"),
    ):
        answer = await create(banco, workflow_id, **capture)
        assert refusal(answer) == (422, "VALIDATION_ERROR"), capture
        assert fault in str(answer.json()["error"]["details"]), answer.text
    assert (await create(banco, workflow_id, origin=SHOP)).status_code == 201

    # A step that needs no upload waits for the person, whose address it checks.
    created = (await create(banco, workflow_of_location)).json()["verification"]
    again = f"/v1/verifications/{created['id']}/capture"
    late = await banco.post(again, json={"expiresIn": 20 * 86_400})
    assert refusal(late) == (422, "VALIDATION_ERROR")

    async def jobs():
        async with services.database.transaction() as session:
            return (
                await session.scalars(select(Job).where(Job.kind == "verification.begin"))
            ).all()

    assert await jobs() == []
    assert (await open_link(client, created["capture"]["url"])).status_code == 201
    assert (await open_link(client, created["capture"]["url"])).status_code == 201
    assert len(await jobs()) == 1
    await set_link(services, openings=100)
    assert refusal(await open_link(client, created["capture"]["url"])) == (409, "LINK_CLOSED")
    await set_link(services, openings=1, expires_at=services.clock.now())
    assert refusal(await open_link(client, created["capture"]["url"])) == (409, "LINK_CLOSED")
    assert (await state_of(banco, created["id"]))["state"] == "expired"
    await banco.patch(f"/v1/verifications/{created['id']}/status", json={"status": "REJECTED"})
    assert refusal(await banco.post(again, json={})) == (409, "VERIFICATION_CLOSED")


@pytest.fixture
async def workflow_of_location(banco):
    return await make_workflow(banco, "LOCATION")


async def test_an_idempotent_request_and_the_compatible_api_answer_a_link_as_well(client, banco):
    workflow_id = await make_workflow(banco)
    body = {"workflowId": workflow_id, "capture": {}}
    headers = {"Idempotency-Key": "alta-1"}
    first, second = [
        (await banco.post("/v1/verifications", json=body, headers=headers)).json() for _ in range(2)
    ]
    assert first == second
    started = [
        await banco.post(f"/v1/metamap/v2/{noun}", json={"flowId": workflow_id, "capture": {}})
        for noun in ("verifications", "identities")
    ]
    links = [first["verification"]["capture"], *(answer.json()["capture"] for answer in started)]
    for link in links:
        assert (await open_link(client, link["url"])).status_code == 201
    for noun in ("verifications", "identities"):
        without = await banco.post(f"/v1/metamap/v2/{noun}", json={"flowId": workflow_id})
        assert "capture" not in without.json()
