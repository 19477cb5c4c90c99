"""The console in a real browser: a reviewer's work with the keyboard, and what must not be lost."""

import asyncio
import os
import re
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import asyncpg
import cv2
import httpx
import numpy as np
import pyotp
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from acredita_synthetic.capture import Difficulty
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.specimens import make_specimen
from tests.browser.conftest import (
    AXE,
    DESKTOP,
    PHONE,
    STILL_LOADING,
    Service,
    _note,
    faults_of_accessibility,
)
from tests.conftest import on_server, plain_url
from tests.factories.openid_provider import (
    CLIENT_ID,
    CLIENT_SECRET,
    OpenIdProvider,
    openid_provider,
)

pytestmark = pytest.mark.slow
# Browsers have passkeys for names alone, not for IP addresses.
SETTINGS = {
    "ACREDITA_BASE_URL": "http://localhost:{port}",
    "ACREDITA_WEBHOOK_ALLOW_PRIVATE": "true",
}
PASSWORD = "a long password"
COLLEAGUES = ("ADMIN", "REVIEWER", "MEMBER")


@dataclass
class Bank:
    """An organization with a queue, an OWNER, and others with the same password."""

    base_url: str
    database_url: str
    api: httpx.Client
    slug: str
    owner: str
    reviewer: str
    reviewer_id: str
    colleagues: dict[str, str]
    workflow_id: str

    def create(self, reference: str) -> str:
        """Create a verification that a reviewer sent to review."""
        body = {"workflowId": self.workflow_id, "externalId": reference}
        made = self.api.post("/v1/verifications", json=body).raise_for_status().json()
        path = f"/v1/verifications/{made['verification']['id']}/status"
        self.api.patch(path, json={"status": "MANUAL_REVIEW"}).raise_for_status()
        return str(made["verification"]["id"])


@pytest.fixture(scope="module")
def bank(service: Service) -> Iterator[Bank]:
    suffix = os.urandom(3).hex()
    owner = f"owner-{suffix}@consola.example"
    with httpx.Client(base_url=service.base_url, trust_env=False, timeout=30) as api:
        body = {"orgName": f"Banco {suffix}", "email": owner, "password": PASSWORD}
        registered = api.post("/v1/auth/register", json=body).raise_for_status().json()
        api.headers["X-Api-Key"] = registered["apiKey"]["key"]
        colleagues = {role: f"{role.lower()}-{suffix}@consola.example" for role in COLLEAGUES}
        with ThreadPoolExecutor(1) as elsewhere:
            # Playwright's own loop runs in this thread.
            adding = _add_users(service.database_url, owner, colleagues)
            ids = elsewhere.submit(asyncio.run, adding).result()
        steps = [{"type": "DOCUMENT_OCR", "order": 0}]
        made = api.post("/v1/workflows", json={"name": "Alta", "steps": steps}).json()
        workflow_id = made["workflow"]["id"]
        bank = Bank(
            service.base_url,
            service.database_url,
            api,
            registered["org"]["slug"],
            owner,
            colleagues["REVIEWER"],
            ids["REVIEWER"],
            colleagues,
            workflow_id,
        )
        yield bank


@pytest.fixture(scope="module")
def read_id(bank: Bank) -> str:
    """The verification of a document, once the engines have read it and it waits for review."""
    pictures = _copied_document()
    # Another connection: the service closes those that stay idle while these are drawn.
    with httpx.Client(base_url=bank.base_url, trust_env=False, timeout=30) as api:
        api.headers = bank.api.headers
        verification_id = _upload(api, bank.workflow_id, pictures)
        deadline = time.monotonic() + 60
        path = f"/v1/verifications/{verification_id}"
        while api.get(path).json()["verification"]["status"] != "MANUAL_REVIEW":
            assert time.monotonic() < deadline, "the document was not read in time"
            time.sleep(0.1)
    return verification_id


async def _add_users(url: str, owner: str, colleagues: dict[str, str]) -> dict[str, str]:
    """Add users with the owner's password, and let them all ask as fast as tests do.

    Invitations would need a mailbox.
    """
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        row = dict(await connection.fetchrow("SELECT * FROM user_account WHERE email = $1", owner))
        ids = {}
        for role, email in colleagues.items():
            values = row | {"id": await connection.fetchval("SELECT gen_random_uuid()")}
            values |= {"email": email, "role": role}
            places = ", ".join(f"${number}" for number in range(1, len(values) + 1))
            add = f"INSERT INTO user_account ({', '.join(values)}) VALUES ({places})"  # noqa: S608
            await connection.execute(add, *values.values())
            ids[role] = str(values["id"])
        fast = "UPDATE organization SET rate_limit = 1000, rate_burst = 2000 WHERE id = $1"
        await connection.execute(fast, row["organization_id"])
        return ids
    finally:
        await connection.close()


def _copied_document() -> dict[str, tuple[str, bytes]]:
    """Draw a black-and-white copy, which goes to review."""
    front = make_specimen(SpecimenKind.INE_FRONT, 20, Difficulty.CLEAN).image_bytes
    grey = cv2.imdecode(np.frombuffer(front, np.uint8), cv2.IMREAD_GRAYSCALE)
    back = make_specimen(SpecimenKind.INE_BACK, 20, Difficulty.CLEAN).image_bytes
    copy = cv2.imencode(".jpg", grey)[1].tobytes()
    return {"front": ("front.jpg", copy), "back": ("back.jpg", back)}


def _upload(api: httpx.Client, workflow_id: str, files: dict[str, tuple[str, bytes]]) -> str:
    body = {
        "workflowId": workflow_id,
        "externalId": "cliente-1",
        "metadata": {"email": "luz@correo.example"},
    }
    verification_id = api.post("/v1/verifications", json=body).json()["verification"]["id"]
    api.post(f"/v1/verifications/{verification_id}/inputs", files=files).raise_for_status()
    return str(verification_id)


OpenConsole = Callable[..., Page]


@pytest.fixture
def open_console(headless_shell: Browser, bank: Bank) -> Iterator[OpenConsole]:
    """A signed-in page in a context of its own; what the browser complains of fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def make(email: str, *, path: str = "", scheme: str = "light", **device: object) -> Page:
        context = headless_shell.new_context(
            locale="es-MX", color_scheme=scheme, reduced_motion="reduce", **(device or DESKTOP)
        )
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("pageerror", lambda fault: complaints.append(str(fault)))
        page.on("console", lambda said: _note(complaints, said))
        # The form for that is shown by the tests of sessions that end.
        body = {"email": email, "password": PASSWORD}
        assert context.request.post(f"{bank.base_url}/v1/auth/session", data=body).ok
        page.goto(f"{bank.base_url}/console/{path}")
        return page

    yield make
    for context in contexts:
        context.close()
    assert not complaints


def sign_in(page: Page, email: str) -> None:
    page.get_by_label("Correo").fill(email)
    page.get_by_label("Contraseña", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")


def heading(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_contain_text(text)


def check_accessibility(page: Page, part: Locator | None = None) -> None:
    if AXE.exists():
        assert not faults_of_accessibility(page, part=part)


def status_of(bank: Bank, verification_id: str) -> str:
    shown = bank.api.get(f"/v1/verifications/{verification_id}").raise_for_status().json()
    return str(shown["verification"]["status"])


def test_a_policy_is_corrected_published_and_tried_on_past_verifications(
    bank: Bank, open_console: OpenConsole, request: pytest.FixtureRequest, is_whole: bool
):
    page = open_console(bank.owner, path="policies", scheme="dark")
    heading(page, "Políticas")
    page.get_by_label("Nombre de una política nueva").fill("Alta con reglas")
    page.get_by_role("button", name="Crear").click()
    page.get_by_role("button", name="Agregar regla").click()
    page.get_by_label("Nombre de la regla 1").fill("siempre")
    condition = page.get_by_role("textbox", name="Condición (CEL)")
    condition.fill("steps.failed >= 0 &&\n  face.similarty < 0.85")
    save = page.get_by_role("button", name="Guardar borrador")
    save.click()
    rule = page.get_by_role("region", name="Regla 1")
    expect(rule).to_contain_text("Línea 2, columna")
    if is_whole:
        check_accessibility(page)
    condition.fill("steps.failed >= 0")
    rule.get_by_label("Resultado").click()
    page.get_by_role("option", name="Rechazar").click()
    save.click()
    expect(page.get_by_text("Borrador guardado.")).to_be_visible()
    page.get_by_role("button", name="Publicar").click()
    expect(page.get_by_role("row", name="Publicada")).to_be_visible()
    if is_whole:
        request.getfixturevalue("read_id")
        simulate(bank, page)


def simulate(bank: Bank, page: Page) -> None:
    """Try the rules on the verification whose document was read."""
    page.get_by_role("button", name="Simular").click()
    outcomes = page.get_by_role("table", name="Resultados de entonces y simulados")
    expect(outcomes.get_by_role("row", name="A revisión")).to_contain_text("1")
    expect(outcomes).to_contain_text("Simulado: Rechazada")
    chart = page.get_by_role("figure", name="Resultados de entonces y simulados")
    expect(chart.locator(".recharts-bar-rectangle")).not_to_have_count(0)
    former = page.get_by_role("table", name="Simulaciones anteriores").get_by_role("row")
    expect(former).to_have_count(2)
    expect(former.nth(1)).to_contain_text("Todos")
    check_accessibility(page)
    # A reload shows the same simulation; it is one of the list.
    page.reload()
    expect(outcomes.get_by_role("row", name="A revisión")).to_contain_text("1")
    expect(former.nth(1).get_by_role("button", name="Ver")).to_be_disabled()
    # As one that its job has not ended yet.
    still = "UPDATE policy_simulation SET status = 'RUNNING', finished_at = NULL"
    with ThreadPoolExecutor(1) as elsewhere:
        changing = on_server(plain_url(bank.database_url), still)
        elsewhere.submit(asyncio.run, changing).result()
    page.reload()
    page.get_by_role("button", name="Cancelar la simulación").click()
    expect(page.get_by_text("La simulación no terminó")).to_be_visible()
    expect(former.nth(1)).to_contain_text("No terminó")


def test_a_reviewer_decides_with_the_keyboard_alone(bank: Bank, open_console: OpenConsole):
    verification_id = bank.create("cliente-8")
    page = open_console(bank.owner, scheme="dark")
    heading(page, "Cola de revisión")
    expect(page.get_by_role("row", name="cliente-8")).to_be_visible()
    check_accessibility(page)
    page.keyboard.press("n")
    heading(page, "Verificación cliente-8")
    loaded(page)
    check_accessibility(page)
    reject_with_keys(bank, page, verification_id, "PERSON_WITHDREW")


@pytest.mark.thorough
def test_a_reviewer_reveals_corrects_and_decides_with_the_keyboard_alone(
    bank: Bank, open_console: OpenConsole, read_id: str
):
    page = open_console(bank.owner, scheme="dark")
    heading(page, "Cola de revisión")
    # A reload keeps the login; the queue shows the verification without another click.
    page.reload()
    row = page.get_by_role("row", name="cliente-1")
    expect(row).to_contain_text("copia en blanco y negro")
    check_accessibility(page)
    mask_personal_data(bank, page, is_on=True)
    noted = {"note": "Llamó Luz."}
    bank.api.post(f"/v1/verifications/{read_id}/notes", json=noted).raise_for_status()
    page.keyboard.press("n")
    heading(page, "Verificación cliente-1")
    reveal_with_three_keys(bank, page)
    picture = page.get_by_role("figure").get_by_role("img").first
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
    read_the_curp(page)
    # Pointing at a field marks where the page shows it.
    page.get_by_role("row", name="CURP").focus()
    expect(page.locator("figure polygon")).to_have_count(1)
    signals = page.get_by_role("region", name="Señales")
    expect(signals).to_contain_text("Copia en blanco y negro")
    expect(signals).to_contain_text("comprobaciones más, sin alerta")
    check_accessibility(page)
    page.get_by_role("button", name="Corregir: CURP").click()
    correction = page.get_by_role("dialog", name="Corregir: CURP")
    correction.get_by_label("Valor correcto").fill("OXCI820909MBSXGR08")
    check_accessibility(page, correction)
    correction.get_by_role("button", name="Guardar").click()
    expect(page.get_by_text("Corrección guardada como etiqueta.")).to_be_visible()
    expect(correction).to_have_count(0)
    # Its signs put another reason second.
    reject_with_keys(bank, page, read_id, "FRAUD_CONFIRMED")
    shown = bank.api.get(f"/v1/verifications/{read_id}").json()
    document_id = next(
        field["documentId"] for field in shown["extraction"] if field["field"] == "curp"
    )
    labelled = bank.api.get(f"/v1/training/docs/{document_id}").raise_for_status().json()
    (said,) = labelled["document"]["label"]["fields"]
    assert (said["fieldName"], said["confirmedValue"]) == ("curp", "OXCI820909MBSXGR08")
    download_evidence(bank, page, read_id)
    mask_personal_data(bank, page, is_on=False)
    ask_for_pictures(bank, page, read_id)


def reject_with_keys(bank: Bank, page: Page, verification_id: str, reason: str) -> None:
    """The second of the reasons that the dialog offers."""
    page.keyboard.press("r")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Confirmar")).to_be_focused()
    page.keyboard.press("2")
    check_accessibility(page, dialog)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Decisión guardada: Rechazada.")).to_be_visible()
    heading(page, "Cola de revisión")
    assert status_of(bank, verification_id) == "REJECTED"
    history = bank.api.get(f"/v1/verifications/{verification_id}/history").json()["history"]
    assert history[-1]["details"]["reason"] == reason


def lose_the_pictures(page: Page) -> None:
    """A picture that stays away is asked for once more, not again and again."""
    page.route(re.compile("/v1/.*image.*key="), lambda route: route.fulfill(status=503))
    # Nor does the page keep silent about a part that fails.
    page.route("**/links", lambda route: route.fulfill(status=404, json={}))
    page.reload()
    linked = page.get_by_role("region", name="Otras verificaciones")
    expect(linked.get_by_role("alert")).to_contain_text("Esto no existe")
    expect(page.get_by_role("alert").filter(has_text="La imagen no se pudo cargar")).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.unroute_all()
    page.reload()


def read_the_curp(page: Page) -> None:
    """The value has the piece of the page beside it that it was read from."""
    curp = page.get_by_role("row", name="CURP")
    expect(curp).to_contain_text("OXCI820909MBSXGR07")
    image = curp.locator("img")
    expect(image).to_be_visible()
    piece = image.locator("..").bounding_box()
    assert piece is not None
    assert 4 < piece["width"] / piece["height"] < 20
    decided = page.get_by_role("region", name="Decisión de las reglas")
    expect(decided).to_contain_text("En revisión")


def reveal_with_three_keys(bank: Bank, page: Page) -> None:
    """The organization masks what is personal until it is revealed; the audit log says so."""
    curp = page.get_by_role("row", name="CURP")
    expect(curp).to_contain_text("•••")
    expect(curp.locator("img")).to_have_count(0)
    expect(page.get_by_role("region", name="Datos ocultos")).to_be_visible()
    expect(page.get_by_text("Las imágenes están ocultas.")).to_be_visible()
    expect(page.get_by_role("button", name="Corregir: CURP")).to_have_count(0)
    check_accessibility(page)
    history = page.get_by_role("region", name="Historia")
    expect(history).to_contain_text("•••")
    page.keyboard.press("d")
    page.keyboard.press("p")
    page.keyboard.press("m")
    expect(history).to_contain_text("Llamó Luz.")
    expect(page.get_by_role("region", name="Datos ocultos")).to_have_count(0)
    log = bank.api.get("/v1/audit-logs", params={"action": "verification.revealed"}).json()
    kinds = [entry["details"]["kinds"] for entry in log["auditLogs"]]
    assert sorted(kinds) == [["FIELDS"], ["NOTES"], ["PICTURES"]]


def download_evidence(bank: Bank, page: Page, verification_id: str) -> None:
    """Where data are masked, the file is a reveal: the page asks, and the audit log says so."""
    page.goto(f"{bank.base_url}/console/case/{verification_id}")
    evidence = page.get_by_role("button", name="Descargar evidencia")
    evidence.click()
    dialog = page.get_by_role("dialog", name="Descargar evidencia")
    expect(dialog).to_contain_text("bitácora")
    with page.expect_download() as downloading:
        dialog.get_by_role("button", name="Descargar evidencia").click()
    assert downloading.value.suggested_filename == f"{verification_id}.zip"
    log = bank.api.get("/v1/audit-logs", params={"action": "verification.evidence_exported"})
    assert log.json()["auditLogs"][0]["resourceId"] == verification_id


def mask_personal_data(bank: Bank, page: Page, *, is_on: bool) -> None:
    """Switch the setting in the Team room, and return to the queue."""
    page.get_by_role("navigation", name="Menú").get_by_role("link", name="Equipo").click()
    page.get_by_role("tab", name="Ajustes").click()
    switch = page.get_by_role("switch", name="Ocultar datos personales")
    switch.set_checked(is_on, force=True)
    page.get_by_role("button", name="Guardar", exact=True).click()
    expect(page.get_by_text("Guardado.")).to_be_visible()
    page.get_by_role("navigation", name="Menú").get_by_role("link", name="Cola").click()
    heading(page, "Cola de revisión")


def ask_for_pictures(bank: Bank, page: Page, verification_id: str) -> None:
    """Send the verification to review again, and ask the person for a picture with a link."""
    path = f"/v1/verifications/{verification_id}"
    bank.api.patch(f"{path}/status", json={"status": "MANUAL_REVIEW"}).raise_for_status()
    page.goto(f"{bank.base_url}/console/case/{verification_id}")
    lose_the_pictures(page)
    expect(page.get_by_role("button", name="Pasar a otra persona")).to_be_visible()
    page.keyboard.press("f")
    dialog = page.get_by_role("dialog", name="Pedir fotos nuevas")
    dialog.get_by_label("Frente").check()
    dialog.get_by_label("Mensaje para la persona").fill("Sin reflejos, por favor.")
    check_accessibility(page, dialog)
    expect(dialog.get_by_label("Por correo a luz@correo.example")).to_be_checked()
    dialog.get_by_role("button", name="Pedir y mandar").click()
    expect(page.get_by_text("El mensaje va en camino a luz@correo.example")).to_be_visible()
    text = page.get_by_role("region", name="Texto con el enlace")
    expect(text).to_contain_text("Sin reflejos, por favor.\n\nhttp://localhost")
    check_accessibility(page)
    assert status_of(bank, verification_id) == "IN_PROGRESS"


def test_a_note_outlives_another_reviewer_a_lost_connection_and_the_end_of_the_session(
    bank: Bank, open_console: OpenConsole, is_whole: bool
):
    verification_id = bank.create("cliente-2")
    page = open_console(bank.owner, path=f"case/{verification_id}", **PHONE)
    heading(page, "Verificación cliente-2")
    if is_whole:
        check_accessibility(page)
    expect(page.get_by_role("button", name="Soltar")).to_be_visible()
    page.keyboard.press("a")
    dialog = page.get_by_role("dialog", name="Decisión")
    note = dialog.get_by_label("Nota")
    note.fill("La llamé por teléfono.")
    confirm = dialog.get_by_role("button", name="Confirmar")

    page.context.set_offline(True)
    confirm.click()
    expect(dialog.get_by_role("alert")).to_contain_text("no se perdió nada")
    page.context.set_offline(False)

    claim = f"/v1/reviews/{verification_id}/hand-over"
    bank.api.post(claim, json={"userId": bank.reviewer_id}).raise_for_status()
    confirm.click()
    expect(dialog.get_by_role("alert")).to_contain_text("Tu nota sigue aquí")
    expect(note).to_have_value("La llamé por teléfono.")
    expect(page.get_by_text(f"{bank.reviewer} tiene esta verificación")).to_be_visible()

    other = {"email": bank.reviewer, "password": PASSWORD}
    token = bank.api.post("/v1/auth/login", json=other).json()["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=bank.base_url, headers=headers, trust_env=False) as reviewer:
        reviewer.post(f"/v1/reviews/{verification_id}/release").raise_for_status()
    page.context.clear_cookies()
    confirm.click()
    again = page.get_by_role("dialog", name="Tu sesión terminó")
    expect(again).to_be_visible()
    sign_in(page, bank.owner)
    expect(again).to_be_hidden()
    expect(note).to_have_value("La llamé por teléfono.")
    confirm.click()
    expect(page.get_by_text("Decisión guardada: Aprobada.")).to_be_visible()
    history = bank.api.get(f"/v1/verifications/{verification_id}/history").json()["history"]
    assert history[-1]["note"] == "La llamé por teléfono."


def test_a_page_left_open_is_covered_when_its_session_ends_and_keeps_its_note(
    bank: Bank, open_console: OpenConsole, is_whole: bool
):
    verification_id = bank.create("cliente-7")
    page = open_console(bank.reviewer, path=f"case/{verification_id}")
    heading(page, "Verificación cliente-7")
    whether_open = "**/v1/auth/session"
    with page.expect_request(whether_open) as asked:
        page.reload()
    assert "x-unattended" not in asked.value.headers
    heading(page, "Verificación cliente-7")
    note = page.get_by_label("Nota", exact=True)
    note.fill("A medias.")
    page.context.clear_cookies()
    page.clock.set_fixed_time(datetime.now(UTC) + timedelta(minutes=2))
    # What the page asks by itself does not keep the session of a user who has left.
    with page.expect_request(whether_open) as asked:
        page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
    assert asked.value.headers["x-unattended"] == "true"
    again = page.get_by_role("dialog", name="Tu sesión terminó")
    expect(again).to_be_visible()
    overlay = page.locator(".mantine-Modal-overlay")
    expect(overlay).to_have_css("background-color", re.compile(r"^rgb\("))
    sign_in(page, bank.reviewer)
    expect(again).to_be_hidden()
    heading(page, "Verificación cliente-7")
    expect(note).to_have_value("A medias.")
    note.fill("")
    if not is_whole:
        return
    # A wrong code of an app that is being set up ends no session.
    page.goto(f"{bank.base_url}/console/team?tab=me")
    page.get_by_role("button", name="Activar", exact=True).click()
    page.get_by_role("textbox", name="Código").fill("000000")
    page.get_by_role("button", name="Guardar", exact=True).click()
    expect(page.get_by_text("El código es incorrecto")).to_be_visible()
    expect(again).to_have_count(0)


def test_two_tabs_agree_and_a_note_outlives_a_failing_service_and_a_decision_of_another(
    bank: Bank, open_console: OpenConsole, is_whole: bool
):
    verification_id = bank.create("cliente-3")
    page = open_console(bank.reviewer, path=f"case/{verification_id}")
    heading(page, "Verificación cliente-3")
    second = page.context.new_page()
    second.goto(page.url)
    heading(second, "Verificación cliente-3")

    # The service fails while a note is saved, and while a decision is.
    page.route("**/v1/verifications/*/notes", lambda route: route.fulfill(status=500, json={}))
    note = page.get_by_label("Nota", exact=True)
    note.fill("Se llamó dos veces.")
    page.get_by_role("button", name="Agregar nota").click()
    expect(page.get_by_text("no se perdió nada")).to_be_visible()
    expect(note).to_have_value("Se llamó dos veces.")
    page.unroute_all()
    # Reviewers share the organization's limit of requests: the page waits its turn.
    busy = {"status": 429, "headers": {"Retry-After": "0"}, "json": {}}
    page.route("**/v1/verifications/*/notes", lambda route: route.fulfill(**busy), times=1)
    page.get_by_role("button", name="Agregar nota").click()
    expect(page.get_by_text("Nota guardada.")).to_be_visible()

    # Meanwhile a server decides: the reviewer learns it, and replaces nothing unseen.
    expect(page.get_by_role("button", name="Soltar")).to_be_visible()
    page.get_by_role("button", name="Aprobar").click()
    dialog = page.get_by_role("dialog", name="Decisión")
    written = dialog.get_by_label("Nota")
    written.fill("Coincide.")
    path = f"/v1/verifications/{verification_id}/status"
    bank.api.patch(path, json={"status": "REJECTED"}).raise_for_status()
    dialog.get_by_role("button", name="Confirmar").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Tu nota sigue aquí")
    expect(written).to_have_value("Coincide.")
    assert status_of(bank, verification_id) == "REJECTED"
    dialog.get_by_role("button", name="Cancelar").click()
    expect(page.get_by_text("Rechazada", exact=True)).to_be_visible()
    page.get_by_role("button", name="Aprobar").click()
    expect(written).to_have_value("Coincide.")
    dialog.get_by_role("button", name="Confirmar").click()
    expect(page.get_by_text("Decisión guardada: Aprobada.")).to_be_visible()
    # The other tab shows the decision without being touched.
    expect(second.get_by_text("Aprobada", exact=True)).to_be_visible()
    if is_whole:
        check_accessibility(second)


def test_what_somebody_else_decides_leaves_the_queue_and_the_open_case_says_so(
    bank: Bank, open_console: OpenConsole
):
    verification_id = bank.create("cliente-5")
    page = open_console(bank.reviewer)
    heading(page, "Cola de revisión")
    second = page.context.new_page()
    # As while the service restarts: the browser takes it for the end of the stream.
    stream = "**/v1/reviews/events"
    second.route(stream, lambda route: route.fulfill(status=503, json={}), times=1)
    with second.expect_response(lambda answer: answer.ok and "reviews/events" in answer.url):
        second.goto(f"{bank.base_url}/console/")
    row = second.get_by_role("row", name="cliente-5")
    expect(row).to_be_visible()
    page.goto(f"{bank.base_url}/console/case/{verification_id}")
    expect(page.get_by_role("button", name="Soltar")).to_be_visible()
    note = page.get_by_label("Nota", exact=True)
    note.fill("A medias.")
    path = f"/v1/verifications/{verification_id}/status"
    bank.api.patch(path, json={"status": "REJECTED"}).raise_for_status()
    expect(row).to_have_count(0)
    # As when the reviewer returns to the tab: the lease is renewed.
    page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_text("Rechazada", exact=True)).to_be_visible()
    expect(page.get_by_text("Otra persona tiene")).to_have_count(0)
    expect(note).to_have_value("A medias.")
    note.fill("")


def test_the_queue_shows_deadlines_and_keeps_filters_and_the_overview_is_a_table_to_keep(
    bank: Bank, open_console: OpenConsole, is_whole: bool
):
    bank.api.patch("/v1/organizations/me", json={"reviewSlaHours": 4}).raise_for_status()
    reference = "cliente-6" if is_whole else "cliente-10"
    bank.create(reference)
    page = open_console(bank.reviewer)
    row = page.get_by_role("row", name=reference)
    expect(row).to_contain_text("Vence en 3 h")
    now = datetime.now(UTC)
    for later, text in ((3.5, "Vence en 29 min"), (4.5, "Fuera de plazo"))[0 if is_whole else 1 :]:
        page.clock.set_fixed_time(now + timedelta(hours=later))
        page.reload()
        expect(row).to_contain_text(text)
    if is_whole:
        check_accessibility(page)

    page.get_by_text("De nadie", exact=True).click()
    expect(page).to_have_url(re.compile("assignee=none"))
    menu = page.get_by_role("button", name="Filtros guardados")
    menu.click()
    page.get_by_label("Nombre del filtro").fill("Sin tomar")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Sin tomar", exact=True)).to_be_visible()
    page.get_by_label("Nombre del filtro").fill("Sin tomar")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Ya tienes filtros guardados con este nombre.")).to_be_visible()
    if is_whole:
        check_accessibility(page)
    page.get_by_role("button", name="Quitar filtros").click()
    expect(page).not_to_have_url(re.compile("assignee"))
    page.reload()
    menu.click()
    page.get_by_role("button", name="Sin tomar", exact=True).click()
    expect(page).to_have_url(re.compile("assignee=none"))
    expect(row).to_be_visible()
    page.get_by_role("combobox", name="Espera mínima").click()
    page.get_by_role("option", name="Fuera de plazo").click()
    expect(page.get_by_text("cumple estos filtros")).to_be_visible()

    change_rooms(page, reference)
    if not is_whole:
        return
    compare_workflows(bank, page)
    for by, name in (("day", "Por día"), ("reason", "Por flujo y motivo")):
        page.get_by_role("button", name="CSV").click()
        with page.expect_download() as downloading:
            page.get_by_role("menuitem", name=name).click()
        exported = downloading.value.path().read_bytes().decode()
        assert exported == bank.api.get(f"/v1/overview.csv?by={by}").raise_for_status().text
    assert bank.api.get("/v1/overview.csv").text == bank.api.get("/v1/overview.csv?by=day").text


# Whether the room shows its heading before its table.
SEE_HEADING = """
void (window.isSplit = new Promise((resolve) => {
  const observer = new MutationObserver(() => {
    if (document.querySelector("h1")?.textContent !== "Cola de revisión") return;
    observer.disconnect();
    resolve(document.querySelector("main [aria-busy=true]") !== null
      && document.querySelector("main tbody") === null);
  });
  observer.observe(document, { childList: true, subtree: true });
}))
"""


def change_rooms(page: Page, reference: str) -> None:
    """A click shows the room before its larger part. The way back leads to the same line."""
    page.set_viewport_size({"width": 1280, "height": 240})
    rooms = page.get_by_role("navigation", name="Menú").get_by_role("link")
    rooms.filter(has_text="Cola").click()
    row = page.get_by_role("row", name=reference)
    row.focus()
    place = page.evaluate("window.scrollY")
    assert place > 0
    page.keyboard.press("Enter")
    heading(page, f"Verificación {reference}")
    loaded(page)
    page.evaluate(SEE_HEADING)
    page.go_back()
    assert page.evaluate("window.isSplit")
    expect(row).to_be_visible()
    assert abs(page.evaluate("window.scrollY") - place) <= 1
    # Nor are the options of lists rendered that nobody has opened.
    assert page.locator("[role=option]").count() == 0
    page.set_viewport_size(DESKTOP["viewport"])


def compare_workflows(bank: Bank, page: Page) -> None:
    """The overview has the figures of each workflow; its name leads to its own figures alone."""
    steps = [{"type": "DOCUMENT_OCR", "order": 0}]
    made = bank.api.post("/v1/workflows", json={"name": "Sucursal", "steps": steps}).json()
    body = {"workflowId": made["workflow"]["id"]}
    bank.api.post("/v1/verifications", json=body).raise_for_status()
    page.goto(f"{bank.base_url}/console/overview")
    table = page.get_by_role("table", name="Por flujo")
    # Shares and days as in Mexico.
    expect(table.get_by_role("row", name="Sucursal")).to_contain_text("0 (0%)")
    expect(page.get_by_role("figure", name="Por flujo")).to_contain_text("Sucursal")
    days = page.get_by_role("table", name="Por día")
    expect(days).to_be_hidden()
    page.get_by_text("Como tabla").click()
    expect(days.get_by_role("row").nth(1)).to_contain_text(re.compile(r"\d [a-z]+ 20\d\d"))
    check_accessibility(page)
    table.get_by_role("link", name="Sucursal").click()
    expect(page).to_have_url(re.compile(f"workflowId={made['workflow']['id']}"))
    expect(table).to_have_count(0)
    page.go_back()
    expect(table).to_be_visible()


# Each is a page load, of a second of the processor.
ELSEWHERE = (
    "//evil.example/",
    "/\\evil.example/",
    "/\t/evil.example/",
    "javascript:alert(1)",
    "https://evil.example/",
)


def test_a_sign_out_empties_every_tab_and_the_sign_in_leads_back_and_nowhere_else(
    bank: Bank, open_console: OpenConsole, is_whole: bool
):
    elsewhere = ELSEWHERE if is_whole else ELSEWHERE[:1]
    reference = "cliente-4" if is_whole else "cliente-9"
    verification_id = bank.create(reference)
    page = open_console(bank.reviewer, path="search")
    heading(page, "Buscar")
    second = page.context.new_page()
    case = f"{bank.base_url}/console/case/{verification_id}"
    second.goto(case)
    note = second.get_by_label("Nota", exact=True)
    note.fill("Pendiente de llamar.")
    page.get_by_role("button", name=bank.reviewer).click()
    page.get_by_role("menuitem", name="Cerrar sesión").click()
    for each in (page, second):
        expect(each.get_by_label("Contraseña", exact=True)).to_be_visible()
        expect(each.get_by_role("navigation", name="Menú")).to_have_count(0)
    expect(second.get_by_text(reference)).to_have_count(0)
    sign_in(second, bank.reviewer)
    heading(second, f"Verificación {reference}")
    assert second.url == case
    expect(note).to_have_value("Pendiente de llamar.")
    # The other tab has heard of it, and somebody else finds no note of theirs.
    heading(page, "Cola de revisión")
    note.fill("")

    inside = f"{bank.base_url}/console"
    for path, shown in (("/team?tab=me", "/team?tab=me"), *((path, "/") for path in elsewhere)):
        page.goto(f"{inside}/sign-in?{urlencode({'next': path})}")
        heading(page, "Equipo" if "team" in path else "Cola de revisión")
        assert page.url == f"{inside}{shown}", path
    page.context.clear_cookies()
    page.goto(f"{inside}/sign-in?{urlencode({'next': path})}")
    sign_in(page, bank.owner)
    heading(page, "Cola de revisión")
    assert page.url == f"{inside}/"
    if not is_whole:
        return

    # Who signs in next in the same page does not find what this one looked for.
    rooms = page.get_by_role("navigation", name="Menú").get_by_role("link")
    rooms.filter(has_text="Buscar").click()
    page.get_by_role("searchbox").fill(reference)
    expect(page.get_by_role("status")).to_contain_text("1 verificación")
    page.get_by_role("button", name=bank.owner).click()
    page.get_by_role("menuitem", name="Cerrar sesión").click()
    expect(page.get_by_label("Contraseña", exact=True)).to_be_visible()
    sign_in(page, bank.reviewer)
    heading(page, "Cola de revisión")
    rooms.filter(has_text="Buscar").click()
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_a_stolen_cookie_without_the_second_factor_shows_nothing_and_a_recovery_code_is_one(
    bank: Bank, open_console: OpenConsole, headless_shell: Browser, is_whole: bool
):
    page = open_console(bank.colleagues["MEMBER"], path="team?tab=me")
    heading(page, "Equipo")
    token = page.evaluate("fetch('/v1/auth/session').then(r => r.json())")["csrfToken"]
    headers = {"X-CSRF-Token": token}
    secret = page.request.post(f"{bank.base_url}/v1/auth/totp", headers=headers).json()["secret"]
    code = pyotp.TOTP(secret).now()
    confirm = f"{bank.base_url}/v1/auth/totp/confirm"
    confirmed = page.request.post(confirm, headers=headers, data={"code": code})
    former = confirmed.json()["recoveryCodes"]
    victim = open_console(bank.colleagues["MEMBER"])
    expect(victim.get_by_label("Código de seis cifras")).to_be_visible()
    stolen = victim.context.cookies()
    with headless_shell.new_context(locale="es-MX", **DESKTOP) as context:
        context.add_cookies(stolen)
        thief = context.new_page()
        thief.goto(f"{bank.base_url}/console/search")
        expect(thief.get_by_label("Código de seis cifras")).to_be_visible()
        expect(thief.get_by_role("navigation", name="Menú")).to_have_count(0)
        refused = thief.request.get(f"{bank.base_url}/v1/verifications").json()
        assert refused["error"]["code"] == "SECOND_FACTOR_REQUIRED"
    codes = former
    if is_whole:
        codes = renew_codes(page, former)
    victim.get_by_role("button", name="Usar un código de recuperación").click()
    given = victim.get_by_label("Código de recuperación")
    given.fill(former[0] if is_whole else "AAAA-AAAA")
    victim.keyboard.press("Enter")
    expect(victim.get_by_role("alert")).to_contain_text("El código no es válido.")
    given.fill(codes[0])
    victim.keyboard.press("Enter")
    heading(victim, "Buscar")
    # The other tests' MEMBER has a password alone.
    assert page.request.delete(f"{bank.base_url}/v1/auth/totp", headers=headers).ok


def renew_codes(page: Page, former: list[str]) -> list[str]:
    """The button makes recovery codes, which replace the former ones."""
    page.reload()
    page.get_by_role("button", name="Nuevos códigos de recuperación").click()
    asked = page.get_by_role("dialog", name="Nuevos códigos de recuperación")
    expect(asked).to_contain_text("dejan de servir")
    asked.get_by_role("button", name="Nuevos códigos de recuperación").click()
    region = page.get_by_role("region", name="Códigos de recuperación")
    codes = region.inner_text().split()
    assert (len(codes), set(codes) & set(former)) == (len(former), set())
    shown = page.get_by_role("status").filter(has=region)
    shown.get_by_role("button", name="Cerrar").click()
    expect(region).to_have_count(0)
    return codes


# Each room in the order of the navigation: its heading, the least role that sees it, and its parts
# with the roles of those that not everybody of the room sees.
ROLES = ("MEMBER", "REVIEWER", "ADMIN", "OWNER")
ROOMS: dict[str, tuple[str, str, dict[str, str]]] = {
    "Cola": ("Cola de revisión", "REVIEWER", {}),
    "Buscar": ("Buscar", "MEMBER", {}),
    "Listas": (
        "Listas",
        "MEMBER",
        {
            "Coincidencias": "MEMBER",
            "Monitores": "MEMBER",
            "Buscar un registro": "MEMBER",
            "Consultas": "MEMBER",
            "Listas": "MEMBER",
        },
    ),
    "Resumen": ("Resumen", "MEMBER", {}),
    "Flujos": ("Flujos", "MEMBER", {}),
    "Políticas": ("Políticas", "REVIEWER", {}),
    "Desarrollo": (
        "Desarrollo",
        "MEMBER",
        {
            "Iniciar a mano": "MEMBER",
            "Claves de API": "MEMBER",
            "Webhooks": "MEMBER",
            "Ejemplos": "MEMBER",
            "Personas de prueba": "MEMBER",
        },
    ),
    "Equipo": (
        "Equipo",
        "MEMBER",
        {
            "Usuarios": "ADMIN",
            "Mi acceso": "MEMBER",
            "Proveedor de identidad": "ADMIN",
            "Retención y borrado": "ADMIN",
            "Bitácora": "ADMIN",
            "Ajustes": "MEMBER",
        },
    ),
}
# What only higher roles can press, by the part of a room.
ACTS = {
    "Claves de API": ("Crear clave", "ADMIN"),
    "Webhooks": ("Registrar webhook", "ADMIN"),
    "Ajustes": ("Guardar", "ADMIN"),
    "Proveedor de identidad": ("Guardar", "OWNER"),
}


# tests/api/edge holds what each role may. These rooms have parts and acts that a reviewer does not
# see.
SOME_ROOMS = ("Desarrollo", "Equipo")


@pytest.mark.parametrize(
    ("role", "walked"),
    [
        pytest.param("REVIEWER", SOME_ROOMS, id="REVIEWER in some rooms"),
        *(pytest.param(role, ROOMS, marks=pytest.mark.thorough, id=role) for role in ROLES),
    ],
)
def test_each_role_sees_the_rooms_that_it_may_and_the_api_refuses_none_of_their_calls(
    bank: Bank, open_console: OpenConsole, role: str, walked: Collection[str]
):
    def may(least: str) -> bool:
        return ROLES.index(role) >= ROLES.index(least)

    reference = f"paseo-{role.lower()}-{len(walked)}"
    verification_id = bank.create(reference)
    page = open_console({"OWNER": bank.owner, **bank.colleagues}[role])
    # The start of those who do not review is the search.
    heading(page, "Cola de revisión" if may("REVIEWER") else "Buscar")
    refused: list[str] = []
    page.on("response", lambda answer: _note_refusal(refused, answer.url, answer.status))
    rooms = page.get_by_role("navigation", name="Menú").get_by_role("link")
    expect(rooms).to_have_text([name for name, (_, least, _) in ROOMS.items() if may(least)])
    for name, (title, least, parts) in ROOMS.items():
        if name not in walked or not may(least):
            continue
        rooms.filter(has_text=re.compile(f"^{name}$")).click()
        heading(page, title)
        tabs = page.get_by_role("tab")
        expect(tabs).to_have_text([part for part, needed in parts.items() if may(needed)])
        loaded(page)
        for part in tabs.all():
            part.click()
            expect(part).to_have_attribute("aria-selected", "true")
            loaded(page)
            for button, needed in filter(None, [ACTS.get(part.inner_text())]):
                shown = page.get_by_role("button", name=button, exact=True)
                expect(shown).to_have_count(int(may(needed)))
            if part.inner_text() == "Bitácora":
                # A change without note, reason and proposal has no empty lines.
                changed = page.get_by_role("row", name="Cambió el estado").first
                expect(changed).to_contain_text("En revisión")
                expect(changed).not_to_contain_text("—")

    rooms.filter(has_text="Buscar").click()
    page.get_by_role("searchbox").fill(reference)
    expect(page.get_by_role("status")).to_contain_text("1 verificación")
    # What people look for stays out of the address, and so out of the browser's history.
    assert reference not in page.url
    page.get_by_role("row", name=reference).click()
    heading(page, f"Verificación {reference}")
    loaded(page)
    expect(page.get_by_role("button", name="Aprobar")).to_have_count(int(may("REVIEWER")))
    # The address of what the role does not see leads no further than the navigation.
    if not may("ADMIN"):
        page.goto(f"{bank.base_url}/console/team?tab=provider")
        heading(page, "Equipo")
        loaded(page)
        expect(page.get_by_role("button", name="Guardar", exact=True)).to_have_count(0)
    if not may("REVIEWER"):
        page.goto(f"{bank.base_url}/console/policies")
        expect(page.get_by_role("alert")).to_contain_text("Tu rol no permite esto")
        # The navigation stays: the message is no dead end.
        expect(rooms.filter(has_text="Buscar")).to_be_visible()
    assert refused == []
    assert status_of(bank, verification_id) == "MANUAL_REVIEW"


def _note_refusal(refused: list[str], url: str, status: int) -> None:
    if "/v1/" in url and (status in (403, 404) or status >= 500):
        refused.append(f"{status} {url}")


def loaded(page: Page) -> None:
    """Wait until no placeholder is left; a failed request shows an alert instead."""
    expect(page.locator(STILL_LOADING)).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)


@contextmanager
def running_provider(**options: object) -> Iterator[OpenIdProvider]:
    """The provider of identities, in a thread: Playwright's own loop runs in this one."""
    loop = asyncio.new_event_loop()
    with ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(loop.run_forever)
        opened = openid_provider(**options)
        provider = asyncio.run_coroutine_threadsafe(opened.__aenter__(), loop).result(10)
        try:
            yield provider
        finally:
            asyncio.run_coroutine_threadsafe(opened.__aexit__(None, None, None), loop).result(10)
            loop.call_soon_threadsafe(loop.stop)
    loop.close()


def use_provider(page: Page, provider: OpenIdProvider, *, is_whole: bool) -> None:
    """Set the provider in the Team room."""
    heading(page, "Equipo")
    page.get_by_label("Emisor").fill(f"{provider.issuer}/other")
    page.get_by_label("Identificador de cliente").fill(CLIENT_ID)
    secret = page.get_by_label("Secreto de cliente")
    secret.fill(CLIENT_SECRET)
    page.get_by_label("Dominios de correo").fill("consola.example")
    page.get_by_role("combobox", name="Rol de quien no está").click()
    page.get_by_role("option", name="Revisión").click()
    page.get_by_role("button", name="Guardar").click()
    expect(page.get_by_role("alert")).to_contain_text("discovery document")
    if is_whole:
        check_accessibility(page)
    # A refusal keeps what was typed.
    page.get_by_label("Emisor").fill(provider.issuer)
    page.get_by_role("button", name="Guardar").click()
    expect(page.get_by_text("Proveedor guardado.")).to_be_visible()
    expect(secret).to_have_value("")
    expect(page.get_by_text("Hay uno guardado")).to_be_visible()


def test_a_person_enters_with_the_organizations_account_and_then_with_a_passkey(
    bank: Bank, headless_shell: Browser, open_console: OpenConsole, is_whole: bool
):
    site = bank.base_url.replace("127.0.0.1", "localhost")
    name, key = ("luz", "Teléfono") if is_whole else ("sol", "Portátil")
    person = {"sub": name, "email": f"{name}@consola.example", "email_verified": True}
    # Of another site than the console, as providers are: this decides which cookies come along.
    with (
        running_provider(person=person, host="127.0.0.1") as provider,
        headless_shell.new_context(locale="es-MX", **PHONE) as context,
    ):
        owner = open_console(bank.owner, path="team?tab=provider")
        use_provider(owner, provider, is_whole=is_whole)
        page = context.new_page()
        page.goto(f"{site}/console/sign-in?organization={bank.slug}&next=%2Fteam%3Ftab%3Dme")
        go = page.get_by_role("button", name="Seguir al sitio de tu organización")
        expect(go).to_be_visible()
        if is_whole:
            second = context.new_page()
            second.goto(f"{site}/console/sign-in")
            expect(second.get_by_label("Contraseña", exact=True)).to_be_visible()
            check_accessibility(page)
            be_refused_by_the_provider(page, provider)
            expect(page.get_by_label("Nombre corto de la organización")).to_have_value(bank.slug)
        go.click()
        heading(page, "Equipo")
        if is_whole:
            # The other tab has heard of it.
            heading(second, "Cola de revisión")
            second.close()
            page.goto(f"{site}/console/team?tab=me")

        authenticator = context.new_cdp_session(page)
        authenticator.send("WebAuthn.enable")
        options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True}
        options |= {"hasUserVerification": True, "isUserVerified": True}
        added = authenticator.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        page.get_by_label("Nombre de la llave").fill(key)
        page.get_by_role("button", name="Agregar llave de acceso").click()
        expect(page.get_by_role("region", name="Códigos de recuperación")).to_be_visible()
        expect(page.get_by_role("row", name=key)).to_contain_text("Nunca")
        if is_whole:
            check_accessibility(page)

        context.clear_cookies()
        page.goto(f"{site}/console/sign-in")
        enter = page.get_by_role("button", name="Entrar con llave de acceso")
        verified = {"authenticatorId": added["authenticatorId"], "isUserVerified": False}
        authenticator.send("WebAuthn.setUserVerified", verified)
        enter.click()
        expect(page.get_by_role("alert")).to_contain_text("No se usó ninguna llave")
        authenticator.send("WebAuthn.setUserVerified", verified | {"isUserVerified": True})
        enter.click()
        heading(page, "Cola de revisión")
        if is_whole:
            page.goto(f"{site}/console/team?tab=me")
            expect(page.get_by_role("row", name=key)).not_to_contain_text("Nunca")


def be_refused_by_the_provider(page: Page, provider: OpenIdProvider) -> None:
    provider.person["email_verified"] = False
    page.get_by_role("button", name="Seguir al sitio de tu organización").click()
    expect(page.get_by_role("alert")).to_contain_text("no confirma tu correo")
    provider.person["email_verified"] = True
    page.get_by_role("button", name="Entrar con la cuenta de tu organización").click()
