"""Identities, photos by signed links, ids over the API, and addresses of the first version."""

import io
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest
from PIL import Image
from sqlalchemy import select, text

from acredita.engines.liveness.film import frames_of_film
from acredita.models import Event
from acredita.resources.images.links import compatible_link
from acredita.resources.metamap.commands import choose_default
from acredita.resources.metamap.id_aliases import to_alias, to_identity_alias
from tests.api.metamap.recorded import Integration, photo, selfie
from tests.factories.belongings import picture
from tests.factories.films import make_film, shades
from tests.factories.organizations import make_workflow, with_new_key

BASE = "/v1/metamap"
FORMER = "60aa1b2c3d4e5f6071829303"


@pytest.fixture
async def integration(client, banco):
    calls = Integration(client, BASE, banco.organization_id, banco.api_key)
    await calls.authorize()
    return calls


async def test_an_identity_is_shown_with_its_newest_verification(integration, banco, rival, client):
    flow = await make_workflow(banco, "DOCUMENT_OCR", "LIVENESS")
    # Of several workflows, the oldest active one is the default.
    await make_workflow(banco)
    made = await integration.call(
        "POST", "/v2/identities", json={"metadata": {"dob": "1990-01-01"}}
    )
    identity = made.json()
    # Clients that make an object of the answer take these fields alone.
    assert set(identity) == {
        "_id", "alive", "dateCreated", "dateUpdated", "metadata", "status", "user",
    }  # fmt: skip
    assert identity["user"] == to_alias_of(banco.organization_id)
    assert (identity["alive"], identity["status"]) == (None, "pending")
    shown = await integration.call("GET", f"/v2/identities/{identity['_id']}")
    assert shown.json() == identity
    verification = f"{int(identity['_id'], 16) + 2:024x}"
    result = (await integration.call("GET", f"/v2/verifications/{verification}")).json()
    assert result["identity"]["id"] == identity["_id"]
    assert result["flow"]["id"] == to_alias_of(flow)

    again = await integration.start(flow, identityId=identity["_id"], metadata={"again": True})
    newest = (await integration.call("GET", f"/v2/identities/{identity['_id']}")).json()
    assert newest["metadata"] == {"again": True}
    assert newest["dateCreated"] == identity["dateCreated"]
    # The id of any of its verifications names it, too.
    for other in (verification, again["id"]):
        found = (await integration.call("GET", f"/v2/identities/{other}")).json()
        assert found["_id"] == identity["_id"] or other == again["id"]

    foreign = Integration(client, BASE, rival.organization_id, rival.api_key)
    assert (await foreign.call("GET", f"/v2/identities/{identity['_id']}")).status_code == 404


@pytest.mark.parametrize(("status", "alive"), [("PASSED", True), ("FAILED", False)])
async def test_alive_is_what_the_liveness_step_found(integration, banco, services, status, alive):
    flow = await make_workflow(banco, "LIVENESS")
    started = await integration.start(flow)
    async with services.database.transaction() as session:
        await session.execute(text("UPDATE verification_step SET status = :s"), {"s": status})
    shown = (await integration.call("GET", f"/v2/identities/{started['identity']}")).json()
    assert shown["alive"] is alive


def to_alias_of(uuid):
    return uuid.replace("-", "")[:24]


def test_an_identity_id_counts_down_over_every_digit():
    first = UUID("10000000-0000-0000-0000-000000000001")
    assert to_alias(first) == "100000000000000000000000"
    assert to_identity_alias(first) == "0ffffffffffffffffffffffe"
    assert to_identity_alias(UUID(int=1 << 32)) == "f" * 24


async def test_photos_open_without_a_bearer_until_their_link_expires(
    integration, banco, rival, services, client
):
    flow = await make_workflow(banco, "DOCUMENT_OCR", "LIVENESS")
    started = await integration.start(flow)
    await integration.send(
        started["identity"],
        (photo("front", "ine.jpg"), picture()),
        (selfie("yo.jpg"), picture()),
    )
    (listed,) = (await banco.get("/v1/verifications")).json()["verifications"]
    files = {"liveness": ("vida.jpg", picture(), "image/jpeg")}
    sent = await banco.post(f"/v1/verifications/{listed['id']}/inputs", files=files)
    assert sent.status_code in (201, 202), sent.text
    result = (await integration.call("GET", f"/v2/verifications/{started['id']}")).json()
    (document,) = result["documents"]
    assert document["region"] == ""
    liveness = next(step for step in result["steps"] if step["id"] == "liveness")["data"]
    assert liveness["videoUrl"] is None
    addresses = [*document["photos"], liveness["selfieUrl"], liveness["spriteUrl"]]
    assert len(set(addresses)) == 3
    for address in addresses:
        opened = await client.get(address)
        assert (opened.status_code, opened.headers["content-type"]) == (200, "image/jpeg")
        Image.open(io.BytesIO(opened.content)).verify()
        changed = address.replace("key=1", "key=2")
        assert (await client.get(changed)).status_code == 401
        assert (await rival.get(changed)).status_code == 404
    # The sheet is of liveness checks alone, and a key opens its document alone.
    assert (await client.get(addresses[0].replace("location=", "location=sprite-"))).json()[
        "code"
    ] == 404
    mixed = addresses[0].partition("&")[0] + "&" + addresses[1].partition("&")[2]
    assert (await client.get(mixed)).status_code == 401
    past = datetime.now(UTC) - timedelta(seconds=services.settings.media_link_lifetime + 1)
    document_id = UUID(parse_qs(urlsplit(addresses[0]).query)["location"][0])
    address = compatible_link(services, document_id, past)
    late = await client.get(address)
    assert late.status_code == late.json()["code"] == 401
    assert (await integration.call("GET", address)).status_code == 200


async def test_a_former_flow_id_is_set_over_the_api(integration, banco, rival):
    flow, foreign = await make_workflow(banco), await make_workflow(rival)
    path = f"/v1/workflows/{flow}/metamap-aliases"
    own = to_alias_of(flow)
    assert (await banco.get(path)).json() == {"aliases": [own]}
    for _ in range(2):
        added = await banco.post(path, json={"alias": FORMER})
        assert (added.status_code, added.json()) == (201, {"aliases": [FORMER, own]})
    assert (await banco.get(path)).json() == {"aliases": [FORMER, own]}
    assert (await integration.start(FORMER))["flow"]["id"] == FORMER
    taken = await rival.post(f"/v1/workflows/{foreign}/metamap-aliases", json={"alias": FORMER})
    assert (taken.status_code, taken.json()["error"]["code"]) == (409, "ALIAS_TAKEN")
    assert (await rival.post(path, json={"alias": "f" * 24})).status_code == 404
    assert (await banco.post(path, json={"alias": "F" * 24})).status_code == 422
    member = await with_new_key(banco, "MEMBER", rateLimit=0)
    assert (await member.post(path, json={"alias": "f" * 24})).status_code == 403
    log = (await banco.get("/v1/audit-logs?limit=100")).text
    assert log.count("metamapAlias") == 1


async def test_the_workflow_of_calls_that_name_none_is_chosen(integration, banco, rival, services):
    oldest, chosen = await make_workflow(banco), await make_workflow(banco)

    async def flow_of_default():
        started = await integration.call("POST", "/v2/identities", json={})
        if started.status_code != 200:
            return started.json()["type"]
        async with services.database.transaction() as session:
            newest = text("SELECT workflow_id FROM verification ORDER BY created_at DESC LIMIT 1")
            return str(await session.scalar(newest))

    async def choose(member, workflow_id, **body):
        path = f"/v1/workflows/{workflow_id}/metamap-default"
        return (await member.put(path, json={"isDefault": True} | body)).status_code

    assert await flow_of_default() == oldest
    assert [await choose(rival, chosen), await choose(banco, chosen)] == [404, 200]
    assert await flow_of_default() == chosen
    assert (await banco.patch(f"/v1/workflows/{chosen}", json={"isActive": False})).is_success
    # Another workflow would check something else.
    assert await flow_of_default() == "BAD_REQUEST"
    assert await choose(banco, oldest) == await choose(banco, oldest) == 200
    assert await flow_of_default() == oldest
    said = []
    await choose_default(services.settings, oldest, said.append, is_default=False)
    assert "is not" in said[0]
    assert await flow_of_default() == oldest
    log = (await banco.get("/v1/audit-logs?limit=100")).text
    assert log.count("metamapDefault") == 3
    member = await with_new_key(banco, "MEMBER", rateLimit=0)
    assert await choose(member, chosen) == 403


async def test_an_address_of_the_first_version_names_its_successor(client):
    v, i, s = f"verifications/{FORMER}", f"identities/{FORMER}", "POST /v2/verifications"
    send, in_v1 = f"POST /v2/{i}/send-input", "GET /v1/verifications (outside of /v1/metamap)"
    show = "GET /v2/verifications/{verificationId}"
    for method, path, successor in (
        ("POST", "verifications", s),
        ("POST", "identities", s),
        ("GET", "verifications", in_v1),
        ("GET", v, f"GET /v2/{v}"),
        ("DELETE", v, f"DELETE /{v}"),
        ("GET", f"{v}/documents", f"GET /v2/{v}"),
        ("PUT", f"{v}/status", f"PUT /v2/{v}/status"),
        ("PATCH", f"{v}/status", f"PUT /v2/{v}/status"),
        ("GET", i, f"GET /v2/{i}"),
        ("GET", f"{i}/documents", show),
        ("POST", f"{i}/documents", send),
        ("POST", f"{i}/send-input", send),
        ("POST", f"{i}/selfie", send),
    ):
        gone = await client.request(method, f"{BASE}/api/v1/{path}")
        assert (gone.status_code, gone.json()["code"]) == (410, 410), (method, path)
        assert gone.json()["name"] == "GoneError"
        assert gone.json()["message"].endswith(f"Use {successor}."), (method, path)


async def turns(services, verification_id):
    """The turns of a verification that its receivers of this format are told."""
    async with services.database.transaction() as session:
        found = select(Event.turn).where(Event.verification_id == UUID(verification_id))
        turns = await session.scalars(found.order_by(Event.created_at, Event.id))
        return [turn for turn in turns if turn is not None]


async def test_photos_and_a_film_in_the_first_upload_are_all_inputs(
    integration, banco, services, tmp_path
):
    started = await integration.start(await make_workflow(banco, "DOCUMENT_OCR", "LIVENESS"))
    film = {"inputType": "selfie-video", "data": {"filename": "vida.mp4"}}
    sent = await integration.send(
        started["identity"],
        (photo("front", "INE-1.jpg"), picture()),
        (photo("back", "INE-2.jpg"), picture()),
        (selfie("yo.jpg"), picture()),
        (film, make_film(tmp_path, shades(9))),
    )
    assert [each["result"] for each in sent] == [True] * 4
    (listed,) = (await banco.get("/v1/verifications")).json()["verifications"]
    assert await turns(services, listed["id"]) == ["inputs_completed"]
    shown = (await banco.get(f"/v1/verifications/{listed['id']}")).json()
    # The selfie beside the film is the selfie.
    kinds = ["front", "back", "selfie", "liveness"]
    assert [each["type"] for each in shown["documents"]] == kinds


async def test_a_film_of_the_face_becomes_frames_and_the_selfie(
    integration, banco, client, tmp_path
):
    film = {"inputType": "selfie-video", "data": {"filename": "vida.mp4"}}
    flow = await make_workflow(banco, "LIVENESS", "FACE_MATCH")
    started = await integration.start(flow)
    (taken,) = await integration.send(
        started["identity"], (film, make_film(tmp_path, shades(30, width=640, height=480)))
    )
    assert taken == {
        "data": {"inputType": "selfie-video", "filename": "vida.mp4"},
        "result": True,
    }
    result = (await integration.call("GET", f"/v2/verifications/{started['id']}")).json()
    assert {each["id"]: each["status"] for each in result["inputs"]}["selfie-video"] == 200
    data = next(step for step in result["steps"] if step["id"] == "liveness")["data"]
    sheet = Image.open(io.BytesIO((await client.get(data["spriteUrl"])).content))
    # The frames are on one sheet, in order: from black to white.
    assert sheet.size == (4 * 320, 2 * 240)
    assert sheet.getpixel((5, 5)) < (40, 40, 40)
    assert sheet.getpixel((4 * 320 - 5, 2 * 240 - 5)) > (80, 80, 80)
    assert (await client.get(data["selfieUrl"])).headers["content-type"] == "image/jpeg"
    # The film is not kept; its frames are a film again.
    film_of_frames = await client.get(data["videoUrl"])
    assert film_of_frames.headers["content-type"] == "video/webm"
    taken_again = frames_of_film(film_of_frames.content, "")
    assert len(taken_again) == 15
    first, last = (Image.open(io.BytesIO(taken_again[place])) for place in (0, -1))
    assert first.size == (480, 360)
    assert first.getpixel((5, 5)) < (40, 40, 40)
    assert last.getpixel((5, 5)) > (215, 215, 215)
    # Players seek: they ask for ranges of bytes, and get those of the same film.
    whole, etag = film_of_frames.content, film_of_frames.headers["etag"]
    assert film_of_frames.headers["accept-ranges"] == "bytes"
    part = await client.get(data["videoUrl"], headers={"Range": "bytes=100-299", "If-Range": etag})
    assert (part.status_code, part.content) == (206, whole[100:300])
    assert part.headers["content-range"] == f"bytes 100-299/{len(whole)}"
    assert (await client.get(data["videoUrl"], headers={"Range": "bytes=-9"})).content == whole[-9:]
    beyond = await client.get(data["videoUrl"], headers={"Range": f"bytes={len(whole)}-"})
    assert (beyond.status_code, beyond.json()["code"]) == (416, 416)
    assert beyond.headers["content-range"] == f"bytes */{len(whole)}"
    changed = data["videoUrl"].replace("key=1", "key=2")
    assert (await client.get(changed)).status_code == 401
    (listed,) = (await banco.get("/v1/verifications")).json()["verifications"]
    shown = (await banco.get(f"/v1/verifications/{listed['id']}")).json()
    assert sorted(each["type"] for each in shown["documents"]) == ["liveness", "selfie"]
    # A second film brings no second selfie; a broken one brings nothing.
    await integration.send(started["identity"], (film, make_film(tmp_path, shades(9))))
    (refused,) = await integration.send(started["identity"], (film, b"GIF89a" + bytes(99)))
    assert refused["error"]["code"] == "selfieVideo.fileTypeNotSupported"
    (refused,) = await integration.send(started["identity"], (film, bytes(20 * 1024**2 + 1)))
    assert refused["error"]["code"] == "selfieVideo.fileTooLarge"
    (refused,) = await integration.send(started["identity"], (film, bytes(20 * 1024**2)))
    assert refused["error"]["code"] == "selfieVideo.fileTypeNotSupported"
    shown = (await banco.get(f"/v1/verifications/{listed['id']}")).json()
    kinds = [each["type"] for each in shown["documents"]]
    assert (kinds.count("liveness"), kinds.count("selfie")) == (2, 1)
