"""The page that people are sent to, as the service hands it out."""

import gzip
import html
import json
import re

import pytest

from acredita.domain.languages import PersonLanguage
from acredita.resources.sdk.notice_texts import BUSY, UNKNOWN
from acredita.web.built_files import built_files, entry
from tests.factories.organizations import make_verification, make_workflow, register

MOST_BYTES = 40 * 1024
PICTURES = ("takesDocument", "takesFace")


async def page_of(client, member, theme=None):
    workflow_id = await make_workflow(member)
    if theme is not None:
        answer = await member.put(f"/v1/workflows/{workflow_id}/theme", json=theme)
        assert answer.status_code == 200, answer.text
    verification_id = await make_verification(member, workflow_id)
    answer = await client.get(f"/verify/{verification_id}")
    assert answer.status_code == 200, answer.text
    return answer


def policy_of(answer):
    return dict(
        directive.split(None, 1)
        for directive in answer.headers["content-security-policy"].split("; ")
    )


def told(answer):
    return json.loads(re.search(r'id="boot">(.*?)</script>', answer.text)[1])


async def test_it_runs_its_own_script_in_frames_of_listed_origins_alone(client, banco):
    await banco.put(
        "/v1/organizations/me/allowed-origins", json={"allowedOrigins": ["https://app.banco.mx"]}
    )
    answer = await page_of(client, banco, {"logoUrl": "https://cdn.banco.mx:8443/logo.svg"})
    policy = policy_of(answer)
    (nonce,) = re.findall(r"'nonce-([\w-]{22})'", policy["script-src"])
    assert policy == {
        "default-src": "'none'",
        "script-src": f"'nonce-{nonce}'",
        "style-src": f"'nonce-{nonce}'",
        "img-src": "'self' blob: data: https://cdn.banco.mx:8443",
        "connect-src": "'self'",
        "worker-src": "'self'",
        "form-action": "'none'",
        "base-uri": "'none'",
        "frame-ancestors": "'self' https://app.banco.mx",
    }
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert (
        answer.headers["permissions-policy"] == "camera=(self), microphone=(), geolocation=(self)"
    )
    assert answer.headers["cache-control"] == "no-store"
    assert "set-cookie" not in answer.headers
    assert told(answer)["embedders"] == ["https://app.banco.mx"]


async def test_a_theme_is_tried_on_the_page_without_a_verification_and_without_saving_it(banco):
    workflow_id = await make_workflow(banco, "DOCUMENT_OCR", "FACE_MATCH")
    path = f"/v1/workflows/{workflow_id}/theme"
    theme = {"backgroundColor": "#0b1f3a", "logoUrl": "https://cdn.banco.mx/logo.svg"}
    await banco.put(
        "/v1/organizations/me/allowed-origins", json={"allowedOrigins": ["https://app.banco.mx"]}
    )
    answer = await banco.get(f"{path}/preview", params=theme)
    assert answer.status_code == 200, answer.text
    assert "#0b1f3a" in answer.text
    assert told(answer)["logoUrl"] == theme["logoUrl"]
    assert told(answer)["previewOf"] == ["DOCUMENT_OCR", "FACE_MATCH"]
    assert told(answer)["verificationId"] == ""
    # Customers' pages frame verifications, not previews.
    assert policy_of(answer)["frame-ancestors"] == "'self'"
    assert (await banco.get(path)).json()["backgroundColor"] is None
    assert (await banco.get("/v1/verifications")).json()["pagination"]["total"] == 0
    assert told(answer)["previewScreen"] == "consent"
    answer = await banco.get(f"{path}/preview", params=theme | {"screen": "selfie"})
    assert told(answer)["previewScreen"] == "selfie"
    for wrong in (
        {"backgroundColor": "red;}"},
        {"logoUrl": "http://x/"},
        {"unknown": "x"},
        {"screen": "x"},
    ):
        assert (await banco.get(f"{path}/preview", params=wrong)).status_code == 422, wrong


async def test_it_knows_which_steps_take_pictures_of_a_document_and_of_a_face(client, banco):
    steps = told(await page_of(client, banco))["steps"]
    taken = {name: {kind for kind, step in steps.items() if step[name]} for name in PICTURES}
    assert taken == {
        "takesDocument": {"DOCUMENT_OCR", "FACE_MATCH", "PROOF_OF_ADDRESS"},
        "takesFace": {"FACE_MATCH", "LIVENESS"},
    }


async def test_it_knows_the_organizations_language_and_contact(client, banco):
    page = await page_of(client, banco)
    assert (told(page)["defaultLanguage"], told(page)["contact"]) == (None, None)
    change = {"defaultLanguage": "pt", "supportContact": " ayuda@banco.example "}
    answer = await banco.patch("/v1/organizations/me", json=change)
    kept = {name: answer.json()["org"][name] for name in change}
    assert kept == {"defaultLanguage": "pt", "supportContact": "ayuda@banco.example"}
    page = await page_of(client, banco)
    assert told(page)["defaultLanguage"] == "pt"
    assert told(page)["contact"] == {
        "url": "mailto:ayuda@banco.example", "text": "ayuda@banco.example",
    }  # fmt: skip
    # Of a browser whose languages the page does not know.
    assert page.headers["content-language"] == "pt"
    for wrong in ({"defaultLanguage": "it"}, {"supportContact": "javascript:alert(1)"}):
        assert (await banco.patch("/v1/organizations/me", json=wrong)).status_code == 422


async def test_a_name_or_theme_puts_nothing_into_the_page(client):
    name = 'B </script><script>alert("$nonce")</script> B'
    member = await register(client, name)
    answer = await page_of(
        client,
        member,
        {"fontFamily": "x; } body { display: none", "logoUrl": "https://a;script-src.mx/l.png"},
    )
    assert told(answer)["organizationName"] == name
    assert told(answer)["logoUrl"] is None
    assert answer.text.count("<script") == 2
    assert "display: none" not in answer.text
    assert policy_of(answer)["img-src"] == "'self' blob: data:"


@pytest.mark.parametrize("language", PersonLanguage)
async def test_an_unknown_id_gets_a_page_for_people(client, language):
    # That of the link comes first.
    for path, wished in (
        ("x", f"{language}-CH, es;q=0.5"),
        ("7c9e6679-7425-40de-944b-e07fc1f90ae7", language.value),
        (f"x?lang={language}", "es-MX"),
    ):
        answer = await client.get(f"/verify/{path}", headers={"Accept-Language": wished})
        assert answer.status_code == 404
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["content-language"] == language
        assert html.escape(UNKNOWN[language]["lead"]) in answer.text
        assert BUSY[language].keys() == UNKNOWN[language].keys()


async def test_the_page_is_small_and_its_parts_are_kept_by_browsers(client, banco):
    answer = await page_of(client, banco)
    size = len(gzip.compress(answer.content))
    for name in (entry().script, entry().style):
        assert f"/web/{name}" in answer.text
        part = await client.get(f"/web/{name}", headers={"Accept-Encoding": "gzip"})
        assert part.status_code == 200
        assert part.headers["content-encoding"] == "gzip"
        assert part.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert part.content == built_files()[name].content
        size += len(built_files()[name].compressed)
    assert size <= MOST_BYTES
    # Its worker compiles WebAssembly, which the page itself may not.
    (worker,) = (name for name in built_files() if name.startswith("worker-"))
    policy = (await client.get(f"/web/{worker}")).headers["content-security-policy"]
    assert policy == "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
    assert "wasm" not in answer.headers["content-security-policy"]


async def test_the_sdk_can_be_imported_by_any_page_and_comes_with_its_types(client):
    module = await client.get("/web/acredita.js", headers={"Accept-Encoding": "identity"})
    assert module.headers["content-type"].startswith("text/javascript")
    assert module.headers["access-control-allow-origin"] == "*"
    assert module.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "immutable" not in module.headers["cache-control"]
    assert "content-encoding" not in module.headers
    types = await client.get("/web/acredita.d.ts")
    for name in re.findall(r'from "\./(\w+)"', types.text):
        assert (await client.get(f"/web/{name}.d.ts")).status_code == 200
    assert (await client.get("/web/entry.json")).status_code == 404
    assert (await client.get("/web/..%2Fpages.py")).status_code == 404
