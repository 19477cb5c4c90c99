import pytest

from tests.factories.organizations import PASSWORD

REGISTRATION = {"orgName": "Crédito Ñandú, S.A.", "email": "Ana@Example.com", "password": PASSWORD}


async def test_a_registration_answers_with_everything_that_is_shown_once(client):
    answer = await client.post("/v1/auth/register", json=REGISTRATION)
    assert answer.status_code == 201
    body = answer.json()
    assert set(body) == {"org", "user", "apiKey"}
    assert set(body["org"]) == {"id", "name", "slug"}
    assert body["org"]["slug"] == "credito-nandu-s-a"
    assert set(body["user"]) == {"id", "email", "role"}
    assert body["user"]["role"] == "OWNER"
    assert set(body["apiKey"]) == {"id", "name", "key", "prefix", "createdAt"}
    assert body["apiKey"]["key"].startswith(body["apiKey"]["prefix"] + "_")


async def test_a_slug_and_an_address_can_be_taken_once(client):
    await client.post("/v1/auth/register", json=REGISTRATION)
    same_slug = REGISTRATION | {"orgName": "credito nandu s a", "email": "b@example.com"}
    same_email = REGISTRATION | {"orgName": "Otra", "email": "ANA@example.com"}
    for body in (same_slug, same_email):
        answer = await client.post("/v1/auth/register", json=body)
        assert answer.status_code == 409
        assert answer.json()["error"]["code"] == "CONFLICT"
    # The refused registration left nothing behind: its name is free.
    answer = await client.post("/v1/auth/register", json=same_email | {"email": "c@example.com"})
    assert answer.status_code == 201


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"orgName": "x"}, "body.orgName"),
        ({"orgName": "x" * 101}, "body.orgName"),
        ({"orgName": 12}, "body.orgName"),
        ({"email": "nobody"}, "body.email"),
        ({"password": "x" * 11}, "body.password"),
        ({"password": "x" * 129}, "body.password"),
        ({"password": None}, "body.password"),
        ({"role": "OWNER"}, "body.role"),
    ],
)
async def test_bounds_and_unknown_keys_are_refused_with_their_place(client, change, place):
    answer = await client.post("/v1/auth/register", json=REGISTRATION | change)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error["code"] == "VALIDATION_ERROR"
    assert any(detail.startswith(f"{place}: ") for detail in error["details"])
    assert PASSWORD not in answer.text


async def test_a_token_is_given_for_the_organizations_own_key_alone(client, banco, rival):
    wrong = [
        {"client_id": banco.organization_id, "client_secret": rival.api_key},
        {"client_id": banco.organization_id, "client_secret": banco.api_key[:-1] + "x"},
        {"client_id": banco.organization_id, "client_secret": "ñ"},
        {"client_id": "nobody", "client_secret": banco.api_key},
    ]
    for credentials in wrong:
        answer = await client.post(
            "/v1/auth/token", json={"grant_type": "client_credentials", **credentials}
        )
        assert answer.status_code == 401, credentials
        assert answer.json()["error"]["code"] == "UNAUTHORIZED"
    answer = await client.post(
        "/v1/auth/token",
        json={
            "grant_type": "client_credentials",
            "client_id": banco.organization_id,
            "client_secret": banco.api_key,
        },
    )
    assert answer.status_code == 200
    assert set(answer.json()) == {"access_token", "token_type", "expires_in"}
    assert answer.json()["expires_in"] == 3600


@pytest.mark.parametrize(
    "change", [{"grant_type": "password"}, {"scope": "all"}, {"client_id": ""}]
)
async def test_a_token_request_of_another_form_is_refused(client, banco, change):
    body = {
        "grant_type": "client_credentials",
        "client_id": banco.organization_id,
        "client_secret": banco.api_key,
    }
    assert (await client.post("/v1/auth/token", json=body | change)).status_code == 422


async def test_an_api_key_serves_in_place_of_a_token(client, banco):
    answer = await client.get("/v1/organizations/me", headers={"X-Api-Key": banco.api_key})
    assert answer.status_code == 200
    assert set(answer.json()["org"]) == {
        "id", "name", "slug", "dataRetentionDays", "dataRetentionYears", "retentionStart",
        "requiresSecondReviewer", "secondFactorRequired", "reviewSlaHours", "defaultLanguage",
        "supportContact", "revealsOnDemand", "createdAt",
    }  # fmt: skip
    assert answer.json()["org"]["id"] == banco.organization_id
    assert answer.json()["org"]["dataRetentionDays"] == 365
