"""The page on which reviewers label documents, used with the keyboard alone."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from acredita.domain.documents import PageKind
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.specimens import make_specimen
from tests.browser.conftest import AXE, DESKTOP, Service, _note, faults_of_accessibility

pytestmark = pytest.mark.slow
PASSWORD = "a long password"


@pytest.fixture
def owner(service: Service) -> Iterator[tuple[str, httpx.Client]]:
    """Somebody who may label, of an organization with two documents of one person."""
    email = "owner@etiquetas.example"
    with httpx.Client(base_url=service.base_url, trust_env=False, timeout=30) as client:
        _upload_both_sides(client, email)
        yield email, client


def _upload_both_sides(client: httpx.Client, email: str) -> None:
    body = {"orgName": "Banco de etiquetas", "email": email, "password": PASSWORD}
    registered = client.post("/v1/auth/register", json=body).raise_for_status().json()
    client.headers["X-Api-Key"] = registered["apiKey"]["key"]
    steps = [{"type": "DOCUMENT_OCR", "order": 0}]
    made = client.post("/v1/workflows", json={"name": "Alta", "steps": steps}).json()
    asked = {"workflowId": made["workflow"]["id"]}
    verification = client.post("/v1/verifications", json=asked).json()["verification"]
    pictures = {
        role: make_specimen(kind, 20, Difficulty.CLEAN).image_bytes
        for role, kind in (("front", SpecimenKind.INE_FRONT), ("back", SpecimenKind.INE_BACK))
    }
    files = {role: (f"{role}.jpg", content) for role, content in pictures.items()}
    path = f"/v1/verifications/{verification['id']}"
    client.post(f"{path}/inputs", files=files).raise_for_status()


def sign_in(page: Page, email: str) -> None:
    page.get_by_label("Correo").fill(email)
    page.get_by_label("Contraseña").fill(PASSWORD)
    page.keyboard.press("Enter")


def when_read(client: httpx.Client, page: Page) -> list[dict[str, Any]]:
    """What waits in the queue once both documents were read."""
    for _ in range(600):
        waiting = client.get("/v1/training/queue?strategy=oldest").raise_for_status().json()
        if len(waiting["documents"]) == 2:
            return list(waiting["documents"])
        page.wait_for_timeout(100)
    raise AssertionError("the documents were not read in time")


@pytest.fixture
def page(headless_shell: Browser) -> Iterator[Page]:
    """Without a camera, which takes long to draw; what the browser complains of fails the test."""
    complaints: list[str] = []
    context = headless_shell.new_context(locale="es-MX", **DESKTOP)
    page = context.new_page()
    page.on("pageerror", lambda fault: complaints.append(str(fault)))
    page.on("console", lambda said: _note(complaints, said))
    yield page
    context.close()
    assert not complaints


def reveal_with_a_key(client: httpx.Client, page: Page, document_id: str) -> None:
    """Where the organization masks what is personal, the page asks before it shows a document."""
    expect(page.get_by_role("button", name="Mostrar el documento")).to_be_focused()
    expect(page.locator("#fields textarea")).to_have_count(0)
    expect(page.locator("#picture")).to_be_hidden()
    if AXE.exists():
        assert not faults_of_accessibility(page)
    page.keyboard.press("Enter")
    expect(page.locator("#fields textarea").first).to_be_focused()
    log = client.get("/v1/audit-logs", params={"action": "verification.revealed"}).json()
    assert log["auditLogs"][0]["details"]["document"] == document_id


def test_documents_are_labelled_without_touching_the_mouse(
    service: Service, page: Page, owner: tuple[str, httpx.Client]
):
    email, client = owner
    page.goto(f"{service.base_url}/console/label")
    sign_in(page, "nobody@etiquetas.example")
    expect(page.get_by_role("alert")).to_contain_text("No se pudo entrar")
    by_type = {each["docType"]: each["id"] for each in when_read(client, page)}
    assert set(by_type) == {PageKind.INE_FRONT, PageKind.INE_BACK}
    sign_in(page, email)
    first = page.locator("#fields textarea").first
    expect(first).to_be_focused()
    shown = page.locator("#caption")
    if PageKind.INE_FRONT not in (shown.text_content() or ""):
        page.keyboard.press("Alt+n")
    expect(shown).to_contain_text("INE_FRONT")
    width = "image => image.decode().then(() => image.naturalWidth)"
    assert page.locator("#picture").evaluate(width) > 300
    assert page.locator("#boxes rect.here").count() >= 1
    if AXE.exists():
        assert not faults_of_accessibility(page)
    assert not page.locator("#field-address1").count()
    page.get_by_label("curp", exact=True).focus()
    assert page.locator("#boxes rect.here").count() == 1
    expect(page.get_by_label("curp", exact=True)).to_have_accessible_description(
        page.locator("#field-curp-sources").text_content() or ""
    )
    page.keyboard.press("Enter")
    expect(page.locator(".field.right")).to_have_count(1)
    page.get_by_label("section", exact=True).focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("9999")
    page.get_by_label("sex", exact=True).focus()
    page.keyboard.press("Alt+a")
    expect(page.locator(".field.absent")).to_have_count(1)
    # From now on, the organization masks what is personal.
    masking = {"revealsOnDemand": True}
    client.patch("/v1/organizations/me", json=masking).raise_for_status()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#done")).to_have_text("1")
    expect(shown).to_contain_text("INE_BACK")
    reveal_with_a_key(client, page, by_type[PageKind.INE_BACK])
    path = f"/v1/training/docs/{by_type[PageKind.INE_FRONT]}"
    label = client.get(path).raise_for_status().json()["document"]["label"]
    said = {each["fieldName"]: each for each in label["fields"]}
    assert said["curp"]["wasMlCorrect"] is True
    assert said["section"]["confirmedValue"] == "9999"
    assert said["sex"]["wasFieldPresent"] is False
    assert len(said) == 3
    assert label["reviewerKind"] == "user"
    assert 0 < label["reviewSeconds"] < 300
    page.keyboard.press("Alt+s")
    expect(shown).to_contain_text("No queda ningún documento")
