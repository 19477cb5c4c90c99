"""The console's page and files: what browsers may keep, and what the page may run."""

import gzip
import re

import pytest

from acredita.web import built_files
from acredita.web.built_files import CONSOLE
from tools.console import FIRST_SCREENS, LARGEST_START, start_scripts


@pytest.mark.parametrize("path", ["/", "/login", "/dashboard", "/console"])
async def test_the_usual_addresses_lead_to_the_console(client, path):
    answer = await client.get(path)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/console/"


async def test_the_page_runs_only_its_own_scripts(client):
    answer = await client.get("/console/")
    assert answer.headers["cache-control"] == "no-store"
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    (nonce,) = set(re.findall('nonce="([^"]+)"', answer.text))
    assert f"style-src 'self' 'nonce-{nonce}'" in policy
    assert nonce not in (await client.get("/console/")).text
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", answer.text)


async def test_the_page_answers_every_address_of_the_application(client):
    page = (await client.get("/console/case/0b6a4c3e?sort=newest")).text
    assert '<div id="root">' in page
    # Staff still label documents on a page of its own.
    assert '<div id="root">' not in (await client.get("/console/label")).text


async def test_files_are_kept_for_a_year_and_compressed(client):
    name = start_scripts(CONSOLE, FIRST_SCREENS[0])[0].relative_to(CONSOLE).as_posix()
    answer = await client.get(f"/console/{name}", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["content-encoding"] == "gzip"
    plain = await client.get(f"/console/{name}", headers={"Accept-Encoding": "identity"})
    assert plain.content == answer.content == (CONSOLE / name).read_bytes()


async def test_no_other_file_is_served(client):
    for name in ("assets/gone-0123.js", "assets/%2e%2e/manifest.json"):
        assert (await client.get(f"/console/{name}")).status_code == 404
    assert "recipe" not in (await client.get("/console/manifest.json")).text


async def test_without_a_build_the_console_is_not_found(client, monkeypatch, tmp_path):
    monkeypatch.setattr(built_files, "CONSOLE", tmp_path)
    read = (built_files.console_files, built_files.console_page)
    for each in read:
        each.cache_clear()
    assert (await client.get("/console/")).status_code == 404
    for each in read:
        each.cache_clear()


def test_the_scripts_before_a_first_screen_are_small():
    for screen in FIRST_SCREENS:
        scripts = [path.read_bytes() for path in start_scripts(CONSOLE, screen)]
        assert 0 < sum(len(gzip.compress(script)) for script in scripts) <= LARGEST_START, screen
    # The entry itself has the queue.
    entry = "".join(path.read_text() for path in start_scripts(CONSOLE, "none"))
    assert "/v1/reviews/events" in entry
