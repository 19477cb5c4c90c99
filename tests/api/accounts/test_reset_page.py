"""The page behind the link of a mail: itself and nothing else."""

import re

import pytest

PAGE = "/reset-password?token=a-token-that-the-page-reads-by-itself-000000"


@pytest.mark.parametrize(
    ("accepted", "language", "title"),
    [
        ("es-MX,es;q=0.9,en;q=0.8", "es", "Elige tu contraseña"),
        ("en-US,en;q=0.9", "en", "Choose your password"),
        ("", "es", "Elige tu contraseña"),
    ],
)
async def test_it_speaks_the_readers_language(client, accepted, language, title):
    answer = await client.get(PAGE, headers={"Accept-Language": accepted})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-language"] == language
    assert answer.headers["vary"] == "Accept-Language"
    assert f'<html lang="{language}">' in answer.text
    assert f"<h1>{title}</h1>" in answer.text
    assert "$" not in answer.text
    # Who has chosen a password knows where to use it.
    assert '<a href="/console/">' in answer.text


async def test_nothing_runs_that_does_not_bear_the_answers_own_nonce(client):
    nonces = set()
    for _ in range(2):
        answer = await client.get(PAGE)
        policy = dict(
            directive.split(None, 1)
            for directive in answer.headers["content-security-policy"].split("; ")
        )
        (nonce,) = re.findall(r"'nonce-([\w-]{22})'", policy["script-src"])
        nonces.add(nonce)
        assert policy == {
            "default-src": "'none'",
            "script-src": f"'nonce-{nonce}'",
            "style-src": f"'nonce-{nonce}'",
            "img-src": "'none'",
            "connect-src": "'self'",
            "form-action": "'none'",
            "base-uri": "'none'",
            "frame-ancestors": "'none'",
        }
        assert re.findall(r"<(?:script|style)[^>]*>", answer.text) == [
            f'<style nonce="{nonce}">',
            f'<script nonce="{nonce}">',
        ]
        # What a policy of nonces forbids does not occur: no handlers, no style attributes.
        assert not re.search(r'\s(?:style|on\w+)="', answer.text)
    assert len(nonces) == 2


async def test_it_keeps_to_itself(client):
    answer = await client.get(PAGE)
    assert not re.search(r"https?:|//\w|<link|<img|<iframe|@import|url\(", answer.text)
    assert "set-cookie" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-frame-options"] == "DENY"
    # The token is the page's own to read: the server writes nothing of the address into it.
    assert "a-token-that" not in answer.text
    assert '"/v1/auth/reset-password"' in answer.text


@pytest.mark.parametrize("query", ["", "?token=%00&token=x&utm_source=mail", "?%ff"])
async def test_it_is_shown_whatever_the_query_says(client, query):
    assert (await client.get(f"/reset-password{query}")).status_code == 200


async def test_every_text_of_the_page_exists_in_both_languages():
    from acredita.domain.languages import Language
    from acredita.resources.auth.page import _TEXTS

    assert set(_TEXTS) == set(Language)
    assert len({frozenset(texts) for texts in _TEXTS.values()}) == 1
