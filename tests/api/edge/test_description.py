"""The description as it is served, and the page that explores it."""

import re

import pytest


async def test_the_description_is_served_to_anyone_and_is_the_one_of_the_code(client, app):
    answer = await client.get("/v1/openapi.json")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == app.openapi()


async def test_a_copy_at_hand_is_confirmed_by_its_etag(client):
    etag = (await client.get("/v1/openapi.json")).headers["etag"]
    for known in (etag, f'"other", W/{etag}', "*"):
        same = await client.get("/v1/openapi.json", headers={"If-None-Match": known})
        assert (same.status_code, same.content) == (304, b"")
        assert same.headers["etag"] == etag
    other = await client.get("/v1/openapi.json", headers={"If-None-Match": '"other"'})
    assert other.status_code == 200


async def test_the_page_runs_its_own_scripts_alone_and_speaks_to_nobody_else(client):
    first, second = await client.get("/docs"), await client.get("/docs")
    policy = first.headers["content-security-policy"]
    directives = dict(part.strip().partition(" ")[::2] for part in policy.split(";"))
    nonce = re.fullmatch(r"'nonce-([\w-]{22})'", directives["script-src"])[1]
    assert directives["default-src"] == "'none'"
    assert directives["connect-src"] == "'self'"
    assert directives["frame-ancestors"] == "'none'"
    assert directives["base-uri"] == "'none'"
    assert all(f'nonce="{nonce}"' in tag for tag in re.findall("<script[^>]*>", first.text))
    assert nonce not in second.text, "a nonce is used once"
    assert "://" not in first.text
    assert "set-cookie" not in first.headers


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
        ("swagger-ui.css", "text/css; charset=utf-8"),
        ("favicon-32x32.png", "image/png"),
    ],
)
async def test_what_the_page_loads_is_served_by_us(client, name, media_type):
    assert f'"docs/{name}"' in (await client.get("/docs")).text
    answer = await client.get(f"/docs/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == media_type
    assert len(answer.content) > 500


@pytest.mark.parametrize("name", ["__init__.py", "..%2f__init__.py", "%2e%2e", "nothing", "x%00"])
async def test_no_other_file_is(client, name):
    assert (await client.get(f"/docs/{name}")).status_code == 404
