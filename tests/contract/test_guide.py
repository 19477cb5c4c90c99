"""The guide is built without a fault from docs/, and a browser reads and searches it offline."""

import json
import re
import shlex
import shutil
import subprocess
import tomllib

import pytest
from playwright.async_api import async_playwright

from acredita.resources.guide import page as guide
from tests.api.aml.test_screening import MATCH
from tests.api.documents.live import served
from tests.browser.browser_arguments import BROWSER_ARGUMENTS, HEADLESS_SHELL
from tests.conftest import PROJECT
from tools.guide.__main__ import build, write_pages
from tools.guide.diagrams import render_diagrams
from tools.guide.inline_scripts import clean

SETTINGS = PROJECT / "tools" / "guide" / "zensical.toml"
# What people read outside the guide, and files whose comments name pages of docs.
REFERRING = ("*.md", "src/**/*.py", "synthetic/**/*.py", "tests/**/*.py", "tools/**/*.py")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The build ends with an error where a link, also to a heading, leads nowhere. The one of
    `make` is taken if its sources were the same."""
    folder = tmp_path_factory.mktemp("guide") / "site"
    if guide.FOLDER.is_dir():
        shutil.copytree(guide.FOLDER, folder)
    build(folder)
    return folder


@pytest.fixture
def built(site, monkeypatch):
    monkeypatch.setattr(guide, "FOLDER", site)
    guide.guide_files.cache_clear()
    yield site
    guide.guide_files.cache_clear()


def entries(item):
    if isinstance(item, str):
        yield item
    else:
        for inner in item.values() if isinstance(item, dict) else item:
            yield from entries(inner)


def test_every_page_is_in_the_navigation_once(tmp_path):
    api = write_pages(tmp_path / "pages")
    written = {p.relative_to(tmp_path / "pages").as_posix() for p in tmp_path.rglob("*.md")}
    listed = [*entries(tomllib.loads(SETTINGS.read_text())["project"]["nav"]), *api]
    assert sorted(listed) == sorted(written)


def test_every_page_of_docs_that_a_file_names_exists():
    missing = [
        f"{file.relative_to(PROJECT)}: {named}"
        for pattern in REFERRING
        for file in PROJECT.glob(pattern)
        for named in re.findall(r"(?<![\w./-])docs/[\w/-]+\.md", file.read_text())
        if not (PROJECT / named).exists()
    ]
    assert not missing


def test_no_page_has_a_script_of_its_own_or_loads_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 50
    for page in pages:
        for tag, code in re.findall(r"<script([^>]*)>(.*?)</script>", page.read_text(), re.DOTALL):
            assert not code.strip() or 'type="application/json"' in tag, page


def test_a_page_that_loads_from_elsewhere_ends_the_build(tmp_path):
    (tmp_path / "index.html").write_text('<script src="https://cdn.example/x.js"></script>')
    with pytest.raises(
        ValueError, match=r"index\.html loads a file from elsewhere: .*cdn\.example"
    ):
        clean(tmp_path)


@pytest.mark.parametrize(
    ("source", "fault"),
    [("flowchart LR\n  A --> B\n", "accTitle"), ("flowchart LR\n  accTitle: x\n  A --\n", "fault")],
    ids=["no title", "no diagram"],
)
def test_a_faulty_diagram_ends_the_build(tmp_path, source, fault):
    with pytest.raises(ValueError, match=fault):
        render_diagrams(f"```mermaid\n{source}```", tmp_path, "diagrams")


def test_the_example_of_a_match_has_the_fields_of_a_screening():
    text = (PROJECT / "docs" / "reference" / "events.md").read_text()
    [body] = re.findall(r"^## aml\.match\n.*?```json\n(.*?)```", text, re.DOTALL | re.MULTILINE)
    assert json.loads(body)["data"]["newMatches"][0].keys() == MATCH


async def test_the_service_serves_the_guide_and_no_other_file(client, built):
    answer = await client.get("/guide")
    assert (answer.status_code, answer.headers["location"]) == (307, "guide/index.html")
    answer = await client.get("/guide/integrators/quickstart.html")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    for other in ("../pages.py", "..%2fpages.py", "%2e%2e/pages.py", "none.html", "assets"):
        assert (await client.get(f"/guide/{other}")).status_code == 404


def test_make_docs_serves_the_built_guide_at_the_address_that_it_prints():
    # Below another make, it would say which folder it enters and leaves.
    dry_run = ["make", "--dry-run", "--no-print-directory", "docs", "SERVE=8017"]
    planned = subprocess.run(
        dry_run, cwd=PROJECT, capture_output=True, text=True, check=True
    ).stdout.splitlines()[-1]
    assert "http://127.0.0.1:8017/guide/" in planned
    _, _, command = planned.partition("; ")
    *_, folder, port = words = shlex.split(command)
    assert words[1:-2] == ["-m", "http.server", "--bind", "127.0.0.1", "--directory"]
    assert (PROJECT / folder / "guide", port) == (guide.FOLDER, "8017")


async def test_without_a_build_the_guide_is_not_found(client, monkeypatch, tmp_path):
    monkeypatch.setattr(guide, "FOLDER", tmp_path / "none")
    guide.guide_files.cache_clear()
    assert (await client.get("/guide/index.html")).status_code == 404
    guide.guide_files.cache_clear()


@pytest.mark.slow
@pytest.mark.skipif(HEADLESS_SHELL is None, reason="chromium is not installed")
async def test_a_browser_searches_the_guide_and_shows_its_diagrams_without_a_breach(app, built):
    faults: list[str] = []
    async with served(app) as port, async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=HEADLESS_SHELL,
            args=[*BROWSER_ARGUMENTS],
        )
        page = await browser.new_page()
        page.on("console", lambda message: faults.append(message.text))
        page.on("requestfailed", lambda request: faults.append(request.url))
        await page.goto(f"http://127.0.0.1:{port}/guide/integrators/concepts.html")
        diagrams = page.locator("img.diagram")
        await diagrams.first.wait_for()
        widths = await diagrams.evaluate_all("images => images.map(image => image.naturalWidth)")
        assert len(widths) == 3
        assert min(widths) > 100
        await page.get_by_role("button", name="Search").click()
        await page.get_by_role("combobox", name="Search").fill("tombstone")
        await page.get_by_text(re.compile(r"^\d+ results?$")).wait_for()
        await browser.close()
    assert faults == []
