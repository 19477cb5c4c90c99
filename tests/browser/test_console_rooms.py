"""The console's rooms beside queue, case and search, in chromium against the real stack."""

import os
import re
import time
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import (
    CUT_TABLES,
    STILL_LOADING,
    OpenPage,
    Service,
    _note,
    demote,
    faults_of_accessibility,
    with_organization,
)

DESK = {"viewport": {"width": 1280, "height": 900}}
OPEN = ("PENDING", "IN_PROGRESS")
NARROW = {"viewport": {"width": 360, "height": 740}, "is_mobile": True}


def sign_in(page: Page, service: Service, email: str) -> None:
    page.goto(f"{service.base_url}/console/sign-in?next=%2Fsearch")
    page.get_by_label("Correo").fill(email)
    page.get_by_label("Contraseña").fill("a long password")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Buscar")).to_be_visible()


def open_room(
    page: Page,
    service: Service,
    path: str,
    heading: str,
    *,
    is_fresh: bool = False,
    is_judged: bool,
) -> None:
    """As a link does: to load the console again, for what it has read before, takes a second of the
    processor."""
    console = f"{service.base_url}/console/"
    if page.url.startswith(console) and not is_fresh:
        page.evaluate("address => history.pushState({}, '', address)", console + path)
    else:
        page.goto(console + path)
    expect(page.get_by_role("heading", level=1, name=heading)).to_be_visible()
    expect(page.locator(STILL_LOADING)).to_have_count(0)
    if is_judged:
        assert faults_of_accessibility(page) == []


def open_part(page: Page, name: str, *, is_judged: bool) -> None:
    """Open another part of the same room, without loading the page again."""
    tab = page.get_by_role("tab", name=name, exact=True)
    tab.click()
    expect(tab).to_have_attribute("aria-selected", "true")
    expect(page.locator(STILL_LOADING)).to_have_count(0)
    if is_judged:
        assert faults_of_accessibility(page) == []


def address_of(service: Service) -> str:
    users = service.api.get("/v1/organizations/me/users").raise_for_status().json()["users"]
    return str(next(user["email"] for user in users if user["role"] == "OWNER"))


@pytest.fixture(scope="module")
def owners_page(service: Service, headless_shell: Browser) -> Iterator[tuple[Page, list[str]]]:
    """One page and session for all tests of this file, and what the browser complains of."""
    complaints: list[str] = []
    with headless_shell.new_context(locale="es-MX", reduced_motion="reduce", **DESK) as context:
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("pageerror", lambda fault: complaints.append(str(fault)))
        page.on("console", lambda said: _note(complaints, said))
        sign_in(page, service, address_of(service))
        yield page, complaints


@pytest.fixture
def owner(owners_page: tuple[Page, list[str]]) -> Iterator[Page]:
    page, complaints = owners_page
    yield page
    assert not complaints


def test_key_made_in_the_console_works_and_is_revoked_there(owner: Page, service: Service) -> None:
    open_room(owner, service, "developers?tab=keys", "Desarrollo", is_judged=True)
    name = f"altas {os.urandom(3).hex()}"
    owner.get_by_label("Nombre").fill(name)
    owner.get_by_role("button", name="Crear clave").click()
    key = owner.get_by_role("region", name=f"Clave {name}").inner_text()

    path = f"{service.base_url}/v1/workflows"
    answer = httpx.get(path, headers={"X-Api-Key": key}, trust_env=False)
    assert answer.status_code == 200
    assert faults_of_accessibility(owner) == []
    owner.get_by_role("button", name=f"Revocar: {name}").click()
    owner.get_by_role("dialog").get_by_role("button", name="Revocar").click()
    expect(owner.get_by_role("row", name=name)).to_contain_text("Revocada")
    # The API accepts a key that it has just checked for a moment longer.
    keys = service.api.get("/v1/organizations/me/api-keys").raise_for_status().json()["apiKeys"]
    assert [key["isActive"] for key in keys if key["name"] == name] == [False]


def test_link_started_by_hand_opens_the_capture_page(
    owner: Page, service: Service, open_page: OpenPage, is_whole: bool
) -> None:
    service.workflow("DOCUMENT_OCR")
    open_room(owner, service, "developers", "Desarrollo", is_judged=is_whole)
    owner.get_by_role("button", name="Iniciar verificación").click()
    url = owner.get_by_role("region", name="Enlace para la persona").inner_text()
    expect(owner.get_by_role("img", name="Código QR del enlace")).to_be_visible()
    if is_whole:
        assert faults_of_accessibility(owner) == []
    person = open_page(url)
    expect(person.get_by_role("checkbox")).to_be_visible()


def test_refused_invitation_keeps_what_was_typed(
    owner: Page, service: Service, is_whole: bool
) -> None:
    open_room(owner, service, "team", "Equipo", is_judged=is_whole)
    field = owner.get_by_label("Correo")
    # The address of the owner has an account.
    field.fill(address_of(service))
    owner.get_by_role("button", name="Invitar", exact=True).click()
    expect(owner.get_by_role("alert")).to_contain_text("ya tiene una cuenta")
    expect(field).to_have_value(address_of(service))
    field.fill(f"nueva-{os.urandom(3).hex()}@banco.example")
    owner.get_by_role("button", name="Invitar", exact=True).click()
    expect(owner.get_by_text("Invitación pendiente").first).to_be_visible()
    others = ("Mi acceso", "Retención y borrado", "Ajustes") if is_whole else ()
    for part in (*others, "Bitácora"):
        open_part(owner, part, is_judged=is_whole)
    # Who acts and who is invited has a name in the audit log, not an id.
    invitation = owner.get_by_role("row", name="Invitación").first
    expect(invitation).to_contain_text(f"Del equipo {address_of(service)}")
    expect(invitation).to_contain_text("usuario nueva-")
    # What changed is in words; as the log has it on demand.
    expect(invitation).to_contain_text("Rol: Revisión (REVIEWER)")
    expect(invitation.locator("code").filter(has_text="REVIEWER")).to_be_hidden()
    invitation.get_by_text("Como está en la bitácora").click()
    expect(invitation.locator("code").filter(has_text='"role":"REVIEWER"')).to_be_visible()


def test_sessions_name_browser_and_system_and_show_what_the_browser_calls_itself_on_demand(
    owner: Page, service: Service, is_whole: bool
) -> None:
    agent = (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
        " Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0"
    )
    for name in (agent, "cartero/1.0"):
        body = {"email": address_of(service), "password": "a long password"}
        httpx.post(
            f"{service.base_url}/v1/auth/session",
            json=body,
            headers={"User-Agent": name},
            trust_env=False,
        ).raise_for_status()
    open_room(owner, service, "team?tab=me", "Equipo", is_fresh=True, is_judged=is_whole)
    rows = owner.get_by_role("table", name="Sesiones").get_by_role("row")
    edge = rows.filter(has_text="Microsoft Edge en Windows").first
    expect(edge.get_by_text(agent)).to_be_hidden()
    edge.get_by_text("Microsoft Edge en Windows").click()
    expect(edge.get_by_text(agent)).to_be_visible()
    # A program that is no browser has the name that it gives.
    expect(rows.filter(has_text="cartero/1.0").first).to_be_visible()
    expect(rows.filter(has_text="Chrome en Linux")).to_contain_text("Esta sesión")


def screen(service: Service) -> dict[str, str]:
    """Look for a listed name. Return what was asked."""
    session = service.session("DOCUMENT_OCR")
    body = {
        "fullName": "Baltasar Evaristo Quimbaya Zorrozúa",
        "verificationId": session["verificationId"],
    }
    deadline = time.monotonic() + 150
    # A process that has just started loads the lists first.
    while (answer := service.api.post("/v1/aml/screen", json=body)).status_code == 503:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    answer.raise_for_status()
    return body


def test_hit_is_compared_and_decided_with_a_note(owner: Page, service: Service) -> None:
    screen(service)
    open_room(owner, service, "screening", "Listas", is_judged=False)
    owner.get_by_role("row", name="Quimbaya").click()
    expect(owner.get_by_role("cell", name="SAMPLE-SANCTIONS")).to_be_visible()
    assert faults_of_accessibility(owner) == []
    note = owner.get_by_label("Nota")
    note.fill("Otra fecha de nacimiento.")
    # A reload asks before it loses the note.
    with owner.expect_event("dialog") as asked:
        owner.once("dialog", lambda dialog: dialog.dismiss())
        owner.evaluate("setTimeout(() => window.location.reload())")
    assert asked.value.type == "beforeunload"
    expect(note).to_have_value("Otra fecha de nacimiento.")
    owner.get_by_role("button", name="Es otra persona").click()
    expect(owner.get_by_role("cell", name="Otra fecha de nacimiento.")).to_be_visible()
    match = service.api.get("/v1/aml/matches", params={"state": "false_hit"}).json()["matches"][0]
    assert match["state"] == "false_hit"


@pytest.mark.thorough
def test_record_is_found_and_person_is_monitored(owner: Page, service: Service) -> None:
    body = screen(service)
    for tab in ("", "?tab=screenings"):
        open_room(owner, service, f"screening{tab}", "Listas", is_judged=True)
    for part in ("Listas", "Buscar un registro"):
        open_part(owner, part, is_judged=True)
    owner.get_by_label("Nombre de la persona o empresa").fill("Evaristo Quimbaya")
    owner.keyboard.press("Enter")
    owner.get_by_role("link", name="Quimbaya").first.click()
    expect(owner.get_by_role("region", name="Historia")).to_be_visible()
    expect(owner.get_by_role("cell", name="SAMPLE-SANCTIONS")).to_be_visible()
    assert faults_of_accessibility(owner) == []
    assert "Quimbaya" not in owner.url

    open_room(owner, service, "screening?tab=monitors", "Listas", is_judged=True)
    owner.get_by_role("button", name="Nuevo monitor").click()
    owner.get_by_label("Id de la verificación").fill(body["verificationId"])
    owner.get_by_label("Nombre completo").fill(body["fullName"])
    # A dialog that fades in has less contrast.
    expect(owner.get_by_role("dialog")).to_have_css("opacity", "1")
    assert faults_of_accessibility(owner, part=owner.get_by_role("dialog")) == []
    owner.get_by_role("button", name="Iniciar monitor").click()
    expect(owner.get_by_role("heading", level=1, name=body["fullName"])).to_be_visible()
    assert faults_of_accessibility(owner) == []
    owner.get_by_role("button", name="Terminar monitor").click()
    owner.get_by_role("dialog").get_by_role("button", name="Terminar monitor").click()
    expect(owner.get_by_text("Apagado", exact=True)).to_be_visible()
    disabled = "screening?tab=monitors&monitors=disabled"
    open_room(owner, service, disabled, "Listas", is_judged=True)
    expect(owner.get_by_role("row", name=body["verificationId"])).to_contain_text("Apagado")


ROOMS_OF_A_MEMBER = (
    (
        "developers?tab=keys",
        "Desarrollo",
        {"": "Crear clave", "Webhooks": "Registrar webhook", "Personas de prueba": "Crear clave"},
    ),
    ("team", "Equipo", {"": "Invitar", "Ajustes": "Guardar"}),
    (
        "screening",
        "Listas",
        dict.fromkeys(("", "Monitores", "Buscar un registro"), "Es la persona"),
    ),
    ("search?from=2026-01-01&to=2026-01-31", "Buscar", {"": "Aprobar"}),
    ("overview", "Resumen", {"": "Reclamar"}),
)


@pytest.mark.parametrize(
    ("rooms", "is_judged"),
    [
        pytest.param(ROOMS_OF_A_MEMBER[1:2], False, id="one room"),
        pytest.param(ROOMS_OF_A_MEMBER, True, id="all rooms", marks=pytest.mark.thorough),
    ],
)
def test_member_on_a_phone_sees_only_what_a_member_may(
    service: Service, open_page: OpenPage, rooms, is_judged
) -> None:
    with httpx.Client(base_url=service.base_url, trust_env=False, timeout=30) as api:
        member = with_organization(service.base_url, api)
        email = address_of(member)
        demote(service.database_url, email)
    page = open_page("about:blank", device=NARROW)
    sign_in(page, service, email)
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status == 403 else None)
    for path, heading, parts in rooms:
        open_room(page, service, path, heading, is_judged=is_judged)
        for part, hidden in parts.items():
            if part:
                open_part(page, part, is_judged=is_judged)
            expect(page.get_by_role("button", name=hidden)).to_have_count(0)
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            assert not page.evaluate(CUT_TABLES), (path, part)
    assert refused == []


def test_workflow_is_edited_beside_what_the_person_will_do(
    owner: Page, service: Service, is_whole: bool
) -> None:
    open_room(owner, service, "workflows?workflow=new", "Flujos", is_judged=is_whole)
    name = f"Alta {os.urandom(3).hex()}"
    owner.get_by_label("Nombre").fill(name)
    owner.get_by_role("button", name="Agregar paso").click()
    owner.get_by_role("button", name="Agregar paso").click()
    owner.get_by_role("combobox", name="Paso 3").click()
    owner.get_by_role("option", name="Prueba de vida").click()
    # The challenge takes the selfie of the comparison, too.
    screens = owner.get_by_role("region", name="Lo que hace la persona").get_by_role("listitem")
    expect(screens).to_have_count(5)
    expect(screens.nth(3)).to_contain_text("Prueba de vida")
    options = owner.get_by_label("Opciones del paso 1")
    options.fill('{"requireBack": ')
    save = owner.get_by_role("button", name="Guardar", exact=True)
    expect(owner.get_by_text("No es un objeto de JSON.")).to_be_visible()
    expect(save).to_be_disabled()
    options.fill('{"requireBack": 3}')
    save.click()
    step = owner.get_by_role("region", name="Paso 1")
    expect(step).to_contain_text("requireBack")
    options.fill('{"requireBack": true}')
    if is_whole:
        assert faults_of_accessibility(owner) == []
    save.click()
    expect(owner.get_by_text("Guardado.")).to_be_visible()
    made = service.api.get("/v1/workflows").raise_for_status().json()["workflows"]
    (mine,) = [workflow for workflow in made if workflow["name"] == name]
    steps = sorted(mine["steps"], key=lambda step: step["order"])
    assert [step["type"] for step in steps] == ["DOCUMENT_OCR", "FACE_MATCH", "LIVENESS"]
    assert steps[0]["config"] == {"requireBack": True}
    expect(owner).to_have_url(re.compile(f"workflow={mine['id']}"))


def test_theme_editor_says_which_text_is_too_faint_and_keeps_the_theme(
    owner: Page, service: Service, is_whole: bool
) -> None:
    workflow = service.workflow("DOCUMENT_OCR")
    open_room(owner, service, f"workflows?workflow={workflow}", "Flujos", is_judged=is_whole)
    # Not the one that was open before.
    expect(owner.get_by_role("textbox", name="Nombre", exact=True)).to_have_value("Alta")
    expect(title_of(owner)).to_be_visible()
    owner.get_by_label("Títulos", exact=True).fill("#cccccc")
    expect(owner.get_by_text("Títulos: 1.6", exact=True)).to_be_visible()
    owner.get_by_label("Títulos", exact=True).fill("#112233")
    expect(owner.get_by_text("contraste suficiente")).to_be_visible()
    # The person's page itself, before the theme is saved.
    expect(title_of(owner)).to_have_css("color", "rgb(17, 34, 51)")
    # Each screen of the person's way, and what follows it; no camera is asked for.
    for screen, title in (
        ("Identificación", "Qué identificación"),
        ("Reverso", "parte de atrás"),
        ("Fin: aprobada", "verificada"),
    ):
        owner.get_by_role("combobox", name="Pantalla").click()
        owner.get_by_role("option", name=screen).click()
        expect(title_of(owner)).to_contain_text(title)
    expect(title_of(owner)).to_have_css("color", "rgb(17, 34, 51)")
    if is_whole:
        assert faults_of_accessibility(owner) == []
    # The message of what was saved before may still be there.
    with owner.expect_response(lambda answer: answer.request.method == "PUT"):
        owner.get_by_role("button", name="Guardar aspecto").click()
    expect(owner.get_by_text("Guardado.").last).to_be_visible()
    theme = service.api.get(f"/v1/workflows/{workflow}/theme").raise_for_status().json()
    assert theme["titleTextColor"] == "#112233"


def title_of(page: Page) -> Locator:
    return page.frame_locator("iframe").locator("h1:visible")


def test_search_is_limited_to_days_and_sandbox_people_are_copied(
    owner: Page, service: Service, is_whole: bool
) -> None:
    service.session("DOCUMENT_OCR")
    open_room(owner, service, "search", "Buscar", is_judged=is_whole)
    today = owner.evaluate("new Date().toLocaleDateString('sv')")
    owner.get_by_label("Creada desde").fill(today)
    owner.get_by_label("Creada hasta").fill(today)
    expect(owner.get_by_role("row").nth(1)).to_be_visible()
    assert f"from={today}" in owner.url
    owner.get_by_label("Creada hasta").fill("2020-01-01")
    expect(owner.get_by_text("Ninguna verificación coincide.")).to_be_visible()
    owner.reload()
    expect(owner.get_by_label("Creada hasta")).to_have_value("2020-01-01")

    # What is typed or cleared last is kept, though the room is left before it is looked for.
    rooms = owner.get_by_role("navigation", name="Menú").get_by_role("link")
    for typed in ("cliente-9", ""):
        owner.get_by_role("searchbox").fill(typed)
        rooms.filter(has_text="Desarrollo").click()
        expect(owner.get_by_role("heading", level=1, name="Desarrollo")).to_be_visible()
        rooms.filter(has_text="Buscar").click()
        expect(owner.get_by_role("searchbox")).to_have_value(typed)

    open_room(owner, service, "developers?tab=sandbox", "Desarrollo", is_judged=is_whole)
    row = owner.get_by_role("row", name="XUXX900201HNEXXX01")
    expect(row).to_contain_text("no existe")
    owner.context.grant_permissions(["clipboard-read", "clipboard-write"])
    row.get_by_role("button", name="Copiar: CURP").click()
    owner.wait_for_function(
        "async () => (await navigator.clipboard.readText()) === 'XUXX900201HNEXXX01'"
    )


def start_with_a_sandbox_person(owner: Page, service: Service, *steps: str) -> Locator:
    """Start with one click by the newest workflow. Return the dialog."""
    service.workflow(*steps)
    room = "developers?tab=sandbox"
    open_room(owner, service, room, "Desarrollo", is_fresh=True, is_judged=False)
    row = owner.get_by_role("row", name="XUXX900201HNEXXX01")
    row.get_by_role("button", name="Iniciar verificación").click()
    dialog = owner.get_by_role("dialog", name="Verificación de Xux Xux Xux")
    expect(dialog.get_by_role("img", name="Código QR del enlace")).to_be_visible()
    return dialog


def test_one_click_starts_a_verification_of_an_invented_person_and_sends_a_picture(
    owner: Page, service: Service, is_whole: bool
) -> None:
    dialog = start_with_a_sandbox_person(owner, service, "FACE_MATCH")
    expect(dialog).to_contain_text("Imágenes de muestra enviadas: selfie.")
    expect(dialog.get_by_role("link", name="frente")).to_be_visible()
    if is_whole:
        expect(dialog).to_have_css("opacity", "1")
        assert faults_of_accessibility(owner, part=dialog) == []
    dialog.get_by_role("link", name="Ver la verificación").click()
    expect(owner.get_by_role("heading", level=1)).to_contain_text("sandbox-XUXX900201HNEXXX01")
    verification_id = owner.url.rpartition("/")[2].partition("?")[0]
    sent = service.show(verification_id)["documents"]
    assert [document["type"] for document in sent] == ["selfie"]
    picture = owner.get_by_role("figure").get_by_role("img").first
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100


@pytest.mark.thorough
def test_the_pictures_of_an_invented_person_lead_to_the_result_that_the_room_names(
    owner: Page, service: Service
) -> None:
    dialog = start_with_a_sandbox_person(owner, service, "DOCUMENT_OCR", "GOVERNMENT_VERIFY")
    expect(dialog).to_contain_text("Imágenes de muestra enviadas: frente, reverso.")
    dialog.get_by_role("link", name="Ver la verificación").click()
    expect(owner.get_by_role("heading", level=1)).to_contain_text("sandbox-XUXX900201HNEXXX01")
    verification_id = owner.url.rpartition("/")[2].partition("?")[0]
    deadline = time.monotonic() + 60
    while (shown := service.show(verification_id))["verification"]["status"] in OPEN:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    read = {each["field"]: each["value"] for each in shown["extraction"]}
    assert read["curp"] == "XUXX900201HNEXXX01"
    assert read["cic"] == "000000001"
    asked = shown["verification"]["steps"][1]
    assert asked["result"]["code"] == "CURP_NOT_FOUND", asked
