"""The whole stack, a real browser, and a synthetic person before its camera.

Tests talk to the page as people do: by roles and names. They are skipped without chromium.
"""

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
import redis
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from acredita.embedded.ports import free_port
from tests.browser.browser_arguments import BROWSER_ARGUMENTS, CHROMIUM, HEADLESS_SHELL
from tests.browser.camera import Camera
from tests.browser.camera import camera as playing_camera
from tests.conftest import EMPTY_TABLES, PROJECT, on_server, plain_url
from tests.factories.inner_stack import inner_stack, settings_from

ALL_STEPS = ("DOCUMENT_OCR", "FACE_MATCH", "LIVENESS", "GOVERNMENT_VERIFY")
AXE = PROJECT / "web" / "node_modules" / "axe-core" / "axe.min.js"
# Chromium draws with the processor here. A real phone's pixels, four times as many, would take most
# of a test's time.
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True}
SHARP_PHONE = PHONE | {"device_scale_factor": 2}
# Of the Tab key, from the heading of a screen on.
MOST_STOPS = 8
# Whether the page cuts columns of a table of the console.
CUT_TABLES = """[...document.querySelectorAll(".scrolls:has(table)")]
    .some((each) => each.scrollWidth > each.clientWidth)"""
# What a room of the console shows before the rest of it appears.
STILL_LOADING = ".mantine-Skeleton-root, [aria-busy=true]"
DESKTOP = {"viewport": {"width": 1280, "height": 900}}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHROMIUM:
        return
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="chromium is not installed"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `is_whole` has two forms: `make test` runs a small one, without parts
    that take long, and `make thorough` the whole one."""
    if "is_whole" in metafunc.fixturenames:
        whole = pytest.param(True, marks=pytest.mark.thorough)
        metafunc.parametrize("is_whole", [False, whole], ids=["small", "whole"])


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Camera]:
    """The camera of this file's browsers."""
    with playing_camera(tmp_path_factory.mktemp("camera")) as playing:
        yield playing


@pytest.fixture
def camera(device: Camera) -> Iterator[Camera]:
    yield device
    device.rest()


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """For one file: while it is there, an event loop of Playwright's runs, and no other can."""
    expect.set_options(timeout=20_000)
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def chromium(playwright: Playwright, device: Camera) -> Iterator[Browser]:
    """The whole browser: pages need the permission to use the camera."""
    browser = playwright.chromium.launch(
        executable_path=CHROMIUM, args=[*BROWSER_ARGUMENTS, *device.arguments]
    )
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def headless_shell(playwright: Playwright, device: Camera) -> Iterator[Browser]:
    """Its engine alone, in which every page may use the camera."""
    browser = playwright.chromium.launch(
        executable_path=HEADLESS_SHELL,
        args=[*BROWSER_ARGUMENTS, *device.arguments, "--use-fake-ui-for-media-stream"],
    )
    yield browser
    browser.close()


@dataclass
class Service:
    """The running stack, and an organization that uses it."""

    base_url: str
    organization_id: str
    api: httpx.Client
    database_url: str = ""
    workflows: dict[tuple[str, ...], str] = field(default_factory=dict)
    # Of its stack: what it sends.
    mailbox: Path = Path()

    def workflow(self, *steps: str, theme: dict[str, str] | None = None) -> str:
        key = (*steps, json.dumps(theme))
        if key not in self.workflows:
            body = {
                "name": "Alta",
                "steps": [{"type": step, "order": order} for order, step in enumerate(steps)],
            }
            created = self.api.post("/v1/workflows", json=body).raise_for_status().json()
            self.workflows[key] = created["workflow"]["id"]
            if theme is not None:
                path = f"/v1/workflows/{self.workflows[key]}/theme"
                self.api.put(path, json=theme).raise_for_status()
        return self.workflows[key]

    def session(self, *steps: str, theme: dict[str, str] | None = None, **body: Any) -> Any:
        """What the service answers to a browser that begins."""
        asked = {
            "clientId": self.organization_id,
            "flowId": self.workflow(*steps, theme=theme),
            **body,
        }
        answer = httpx.post(f"{self.base_url}/v1/sdk/session", json=asked, trust_env=False)
        return answer.raise_for_status().json()

    def create(self, *steps: str, **body: Any) -> Any:
        """A verification that the organization's own server creates."""
        asked = {"workflowId": self.workflow(*steps), **body}
        answer = self.api.post("/v1/verifications", json=asked).raise_for_status()
        return answer.json()["verification"]

    def status(self, session: Any) -> Any:
        """As the person's browser sees it."""
        path = f"{self.base_url}/v1/sdk/verifications/{session['verificationId']}"
        headers = {"Authorization": f"Bearer {session['token']}"}
        return httpx.get(path, headers=headers, trust_env=False).raise_for_status().json()

    def consent(self, session: Any) -> None:
        body = {"version": "1", "locale": "es", "acceptedAt": "2026-01-01T00:00:00Z"}
        self._post(session, "consent", json=body)

    def upload(self, session: Any, **pictures: bytes) -> None:
        files = {role: (f"{role}.jpg", content) for role, content in pictures.items()}
        self._post(session, "inputs", files=files)

    def _post(self, session: Any, act: str, **content: Any) -> None:
        path = f"{self.base_url}/v1/sdk/verifications/{session['verificationId']}/{act}"
        httpx.post(path, trust_env=False, timeout=30, **content).raise_for_status()

    def end(self, session: Any, status: str) -> None:
        """End the verification, as a reviewer or its expiry does. Requests see it shortly after."""
        verification_id = session["verificationId"]
        if status != "EXPIRED":
            path = f"/v1/verifications/{verification_id}/status"
            self.api.patch(path, json={"status": status}).raise_for_status()
            return
        # Playwright's own loop runs in this thread.
        with ThreadPoolExecutor(1) as elsewhere:
            elsewhere.submit(asyncio.run, _expire(self.database_url, verification_id)).result()

    def show(self, verification_id: str) -> Any:
        return self.api.get(f"/v1/verifications/{verification_id}").raise_for_status().json()


async def _expire(url: str, verification_id: str) -> None:
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        past = "UPDATE verification SET expires_at = now() WHERE id = $1::text::uuid"
        await connection.execute(past, verification_id)
        await connection.execute(
            "UPDATE job SET run_at = now() WHERE kind = 'verification.expire' AND state = 'pending'"
        )
    finally:
        await connection.close()


@pytest.fixture(scope="module")
def service(
    request: pytest.FixtureRequest,
    database_url: str,
    worker_number: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Service]:
    """For one file: its workers would do the jobs of other tests."""
    folder, port = tmp_path_factory.mktemp("stack"), free_port()
    address = os.environ["ACREDITA_REDIS_URL"].rstrip("/")
    base = address if address.count("/") == 2 else address.rpartition("/")[0]
    redis_url = f"{base}/{8 + worker_number % 8}"
    with redis.Redis.from_url(redis_url) as kept:
        # What another file's flood has counted.
        kept.flushdb()
    # Its rows would name files in the folder of another file's stack. In a thread of its own, as
    # Playwright's loop may run in this one.
    with ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(asyncio.run, on_server(plain_url(database_url), EMPTY_TABLES)).result()
    environment = {
        "ACREDITA_DATABASE_URL": database_url,
        "ACREDITA_REDIS_URL": redis_url,
        "ACREDITA_DATA_DIR": str(folder),
        "ACREDITA_BASE_URL": f"http://127.0.0.1:{port}",
        "ACREDITA_PRIVACY_NOTICE_URL": "https://privacidad.example/{organization}",
        # All of a file's pages and tests ask from one address.
        "ACREDITA_IP_RATE_LIMIT": "1000",
        "ACREDITA_IP_RATE_BURST": "10000",
        **{
            name: value.format(port=port)
            for name, value in getattr(request.module, "SETTINGS", {}).items()
        },
    }
    with (
        inner_stack(settings_from(environment), port=port) as base_url,
        httpx.Client(base_url=base_url, trust_env=False, timeout=30) as api,
    ):
        made = with_organization(base_url, api)
        made.database_url = database_url
        made.mailbox = folder / "mailbox"
        yield made


def with_organization(
    base_url: str, api: httpx.Client, name: str = "Banco", *, is_only: bool = False
) -> Service:
    """Register an organization. Without `is_only`, its name and its owner are like no others."""
    mark = "" if is_only else os.urandom(4).hex()
    registered = api.post(
        "/v1/auth/register",
        json={
            "orgName": f"{name} {mark}".strip(),
            "email": f"owner-{mark}@banco.example" if mark else "ana@banco.example",
            "password": "a long password",
        },
    ).raise_for_status()
    body = registered.json()
    api.headers["X-Api-Key"] = body["apiKey"]["key"]
    return Service(base_url, body["org"]["id"], api)


def demote(database_url: str, email: str) -> None:
    """Make the user a MEMBER. The API leaves no organization without an OWNER."""
    # Playwright's own loop runs in this thread.
    with ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(asyncio.run, _demote(plain_url(database_url), email)).result()


async def _demote(url: str, email: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("UPDATE user_account SET role = 'MEMBER' WHERE email = $1", email)
    finally:
        await connection.close()


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    """A page in a context of its own; what the browser complains of fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def make(
        url: str,
        *,
        device: dict[str, Any] = PHONE,
        language: str = "es-MX",
        permissions: Sequence[str] = ("camera",),
    ) -> Page:
        which = "headless_shell" if "camera" in permissions else "chromium"
        browser: Browser = request.getfixturevalue(which)
        context = browser.new_context(locale=language, permissions=permissions, **device)
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("pageerror", lambda fault: complaints.append(str(fault)))
        page.on("console", lambda said: _note(complaints, said))
        page.goto(url)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not complaints


def _note(complaints: list[str], said: Any) -> None:
    # A refused request is the page's business, and it says so itself.
    if said.type in ("error", "warning") and "Failed to load resource" not in said.text:
        complaints.append(said.text)


def at(page: Page, screen: str) -> None:
    """Wait until that screen is visible, with its heading in focus for screen readers."""
    shown = page.locator(f"[data-screen={screen}]")
    expect(shown).to_be_visible()
    expect(shown.get_by_role("heading", level=1)).to_be_focused()


def agree(page: Page, button: str = "Continuar") -> None:
    at(page, "consent")
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name=button).click()


def until_sent(folder: Path, former: set[Path]) -> set[Path]:
    """The messages besides the former ones, once there is one."""
    for _ in range(200):
        if found := set(folder.glob("*.json")) - former:
            return found
        time.sleep(0.1)
    raise AssertionError("nothing was sent")


def press(control: Locator, key: str = "Enter") -> None:
    """As a person without a mouse does: from where the focus is, go on to the control."""
    page = control.page
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if control.and_(page.locator(":focus-visible")).count():
            page.keyboard.press(key)
            return
    raise AssertionError(f"{control} is not among the next {MOST_STOPS} stops")


STILL = """() => document.getAnimations().every((animation) =>
    animation.playState !== "running" || animation.effect.getTiming().iterations === Infinity)"""


# Whether the document has other style sheets or videos than at the last analysis.
HAS_NEW_SHEETS = """() => {
    const former = window.sheets;
    const videos = document.querySelectorAll("video, audio").length;
    window.sheets = `${document.styleSheets.length} ${videos}`;
    return window.sheets !== former;
}"""


def faults_of_accessibility(
    page: Page, rules: Sequence[str] = (), part: Locator | None = None
) -> list[str]:
    """What axe finds against WCAG 2.2 A and AA and its best practices; by these rules alone, if any
    are given. `part`: a dialog over a page that was analysed without it."""
    # Outside of the page's own policy, which admits no foreign script.
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    # Words that fade in or out have too little contrast for a moment.
    page.wait_for_function(STILL)
    options = {
        "resultTypes": ["violations"],
        # It is not in the frames, and the browser complains of messages to those of another origin.
        "iframes": False,
        # To read the sheets and the videos is a quarter of the work: once for each.
        "preload": not rules and page.evaluate(HAS_NEW_SHEETS),
        **({"runOnly": list(rules)} if rules else {}),
    }
    whole = part or page.locator("html")
    found = whole.evaluate("(part, options) => axe.run(part, options)", options)
    return [
        f"{fault['id']}: {node['html'][:200]} {node['failureSummary']}"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]
