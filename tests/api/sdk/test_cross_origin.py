"""Pages of other origins: those that an organization lists may read answers, and no others."""

import pytest

from tests.factories.organizations import make_verification, make_workflow

OURS, THEIRS, NOBODYS = (f"https://{name}.example" for name in ("app.banco", "caja", "evil"))
ASKS = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
ALLOWED = "access-control-allow-origin"


@pytest.fixture(autouse=True)
async def listed(banco, rival):
    for member, origin in ((banco, OURS), (rival, THEIRS)):
        origins = {"allowedOrigins": [origin]}
        answer = await member.put("/v1/organizations/me/allowed-origins", json=origins)
        assert answer.status_code == 200


def check_headers(answer):
    assert "origin" in answer.headers["vary"].lower()
    assert answer.headers.get(ALLOWED) != "*"
    assert "access-control-allow-credentials" not in answer.headers


async def test_a_preflight_is_answered_for_any_origin_that_is_listed(client):
    for where in ("/v1/sdk/session", "/v1/sdk/verifications/x/inputs"):
        for origin in (OURS, THEIRS):
            answer = await client.options(where, headers={"Origin": origin, **ASKS})
            assert answer.status_code == 204
            assert answer.headers[ALLOWED] == origin
            assert "POST" in answer.headers["access-control-allow-methods"]
            assert "authorization" in answer.headers["access-control-allow-headers"].lower()
            check_headers(answer)
    for origin in (NOBODYS, "null", "*", OURS + ".evil.example", OURS.upper(), "x" * 300):
        answer = await client.options("/v1/sdk/session", headers={"Origin": origin, **ASKS})
        assert ALLOWED not in answer.headers
        check_headers(answer)


async def test_the_request_itself_is_held_against_its_organizations_list(client, banco):
    body = {"clientId": banco.organization_id, "flowId": await make_workflow(banco)}
    where = f"/v1/sdk/verifications/{await make_verification(banco)}"
    calls = [("POST", "/v1/sdk/session", {"json": body}), ("GET", where, {})]
    calls += [("POST", where + rest, {}) for rest in ("/inputs", "/liveness-challenge/start")]
    for method, path, options in calls:
        allowed = await client.request(method, path, headers={"Origin": OURS}, **options)
        assert allowed.status_code != 403
        # Errors are read, too: pages go by their codes.
        assert allowed.headers[ALLOWED] == OURS
        assert "Retry-After" in allowed.headers["access-control-expose-headers"]
        check_headers(allowed)
        for origin in (THEIRS, NOBODYS, "null"):
            refused = await client.request(method, path, headers={"Origin": origin}, **options)
            assert refused.status_code == 403, (path, origin)
            assert refused.json()["error"]["code"] == "ORIGIN_NOT_ALLOWED"
            assert (ALLOWED in refused.headers) is (origin == THEIRS)


async def test_our_own_page_always_may(client, banco):
    where = f"/v1/sdk/verifications/{await make_verification(banco)}"
    behind_a_proxy = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "same-origin"}
    for headers in ({"Origin": "http://test"}, behind_a_proxy, {}):
        answer = await client.get(where, headers=headers)
        assert answer.status_code == 200
        assert ALLOWED not in answer.headers
        check_headers(answer)


async def test_no_other_path_answers_pages_of_other_origins(client):
    answer = await client.options("/v1/workflows", headers={"Origin": OURS, **ASKS})
    assert answer.status_code == 405
    assert ALLOWED not in answer.headers
