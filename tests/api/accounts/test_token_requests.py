"""AUT-06: client credentials in each form that OAuth 2.0 clients send them."""

import base64
from urllib.parse import quote, urlencode

import pytest

URL = "/v1/auth/token"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def basic(client_id, secret):
    pair = f"{quote(client_id, safe='')}:{quote(secret, safe='')}"
    return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


@pytest.fixture
def credentials(banco):
    return {"client_id": banco.organization_id, "client_secret": banco.api_key}


@pytest.fixture
def form(credentials):
    return {"grant_type": "client_credentials", **credentials}


async def opens(client, answer):
    assert answer.status_code == 200, answer.text
    assert set(answer.json()) == {"access_token", "token_type", "expires_in"}
    token = answer.json()["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    return (await client.get("/v1/organizations/me", headers=headers)).status_code == 200


async def test_a_form_gives_a_token(client, form):
    assert await opens(client, await client.post(URL, data=form))
    headers = {"Content-Type": "application/x-www-form-urlencoded; charset=UTF-8"}
    assert await opens(client, await client.post(URL, content=urlencode(form), headers=headers))


async def test_credentials_in_the_basic_scheme_give_a_token(client, credentials):
    headers = basic(*credentials.values())
    grant = {"grant_type": "client_credentials"}
    assert await opens(client, await client.post(URL, data=grant, headers=headers))
    assert await opens(client, await client.post(URL, json=grant, headers=headers))
    named_twice = grant | {"client_id": credentials["client_id"]}
    assert await opens(client, await client.post(URL, data=named_twice, headers=headers))


@pytest.mark.parametrize(
    "change", [{"grant_type": "password"}, {"scope": "all"}, {"client_id": ""}, {"client_id": None}]
)
async def test_a_form_of_other_fields_is_a_422(client, form, change):
    fields = {name: value for name, value in (form | change).items() if value is not None}
    answer = await client.post(URL, data=fields)
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["code"] == "VALIDATION_ERROR"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"grant_type",
        b"grant_type=client_credentials&grant_type=client_credentials&client_id=a&client_secret=b",
        b"grant_type=client_credentials&client_id=%00&client_secret=b",
        b"grant_type=client_credentials&client_id=%ff&client_secret=b",
        b"grant_type=client_credentials&client_id=\xff&client_secret=b",
        b"&".join(b"%d=1" % number for number in range(1000)),
    ],
)
async def test_a_body_that_is_no_form_of_ours_is_a_422(client, content):
    answer = await client.post(URL, content=content, headers=FORM)
    assert answer.status_code == 422, answer.text


async def test_wrong_credentials_are_a_401_in_the_scheme_that_was_tried(client, form, rival):
    wrong = form | {"client_secret": rival.api_key}
    for answer in (await client.post(URL, data=wrong), await client.post(URL, json=wrong)):
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
    grant = {"grant_type": "client_credentials"}
    for headers in (
        basic(form["client_id"], rival.api_key),
        basic("nobody", form["client_secret"]),
        {"Authorization": "Basic !!!"},
        {"Authorization": "Basic " + base64.b64encode(b"no colon").decode()},
        {"Authorization": "Basic " + base64.b64encode(b"\xff:\xfe").decode()},
        {"Authorization": "Basic"},
    ):
        answer = await client.post(URL, data=grant, headers=headers)
        assert answer.status_code == 401, headers
        assert answer.headers["www-authenticate"] == 'Basic realm="clients"'


async def test_a_client_that_proves_itself_twice_is_a_422(client, form):
    headers = basic(form["client_id"], form["client_secret"])
    assert (await client.post(URL, data=form, headers=headers)).status_code == 422
    other = {"grant_type": "client_credentials", "client_id": "another"}
    assert (await client.post(URL, data=other, headers=headers)).status_code == 422


async def test_other_content_types_are_a_415_and_other_endpoints_take_no_forms(client, form, banco):
    answer = await client.post(URL, content=b"x", headers={"Content-Type": "text/plain"})
    assert answer.status_code == 415
    answer = await client.post(URL, files={"grant_type": (None, "client_credentials")})
    assert answer.status_code == 415
    answer = await client.post("/v1/auth/login", data={"email": "a@b.example", "password": "x"})
    assert answer.status_code == 415
    assert (await banco.post("/v1/workflows", data={"name": "x"})).status_code == 415


async def test_a_form_is_bounded_in_size(client):
    answer = await client.post(URL, content=b"a=" + b"b" * (4 * 1024 * 1024), headers=FORM)
    assert answer.status_code == 413
