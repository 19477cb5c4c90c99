"""Every screen of the capture page, on the whole stack: for tests, and for pictures of them."""

import http.server
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final

import cv2
import httpx
import numpy as np
from playwright.sync_api import Error, Page, Route, expect

from tests.browser.camera import COLOURED, Camera, Face
from tests.browser.conftest import ALL_STEPS, DESKTOP, PHONE, Service, agree, at

LONG_NAME: Final = (
    "Sociedad Cooperativa de Ahorro y Préstamo Netzahualcóyotl Tlalnepantlaquauhtitlancalpan"
)
# Yellow on yellow: what a theme can do to people.
HOSTILE: Final = {
    "accentColor": "#fff000",
    "backgroundColor": "#fffbe0",
    "bodyTextColor": "#e8e0a0",
    "titleTextColor": "#ffffff",
    "subtitleColor": "#f0f0d0",
    "errorColor": "#ffd0d0",
    "borderColor": "#fffbe0",
    "fontFamily": "Comic Sans MS",
}
PICTURE = cv2.imencode(".jpg", np.full((600, 900, 3), 180, np.uint8))[1].tobytes()
LONG_FILE = "identificación_oficial_escaneada_por_ambos_lados_definitiva_v2_corregida.pdf"

FORM: Final = {
    "title": "Conoce a tu cliente",
    "description": "Lo pide la ley para abrir la cuenta.",
    "fields": [
        {"id": "ocupacion", "type": "text", "label": "¿A qué te dedicas?", "required": True,
         "placeholder": "Por ejemplo, panadera", "validation": {"maxLength": 80}},
        {"id": "origen", "type": "select", "label": "¿De dónde viene tu dinero?", "required": False,
         "options": [{"value": "s", "label": "Sueldo"}, {"value": "n", "label": "Negocio"}]},
        {"id": "desde", "type": "date", "label": "¿Desde cuándo?", "required": False},
        {"id": "propio", "type": "checkbox", "label": "Actúo por cuenta propia", "required": True},
    ],
}  # fmt: skip

Open = Callable[..., Page]
Show = Callable[..., None]
Pose = Callable[[], Face]


def walk(
    service: Service,
    open_page: Open,
    eye: Camera,
    theme: dict[str, str] | None,
    *,
    full: bool = True,
    is_upright: bool = False,
) -> Iterator[tuple[str, Page]]:
    """Every screen by its name, on a page that shows it, in Spanish; without those that take the
    engines' time unless it is `full`. `is_upright`: the camera, too."""
    show = partial(eye.show, is_upright=is_upright)
    yield from _through_a_document(service, open_page, show, theme)
    yield from _without_a_camera(service, open_page, theme)
    yield from _on_another_device(service, open_page, theme)
    if full:
        yield from _asked_again(service, open_page, show, theme)
        yield from _by_the_button(service, open_page, theme)
    face = partial(eye.pose, is_upright=is_upright)
    yield from _before_the_camera(service, open_page, face, theme)
    yield from _in_colours(service, open_page, face, theme)
    yield from _beside_pictures(service, open_page, theme)
    yield from _to_the_end(service, open_page, theme)
    yield from _in_trouble(service, open_page, theme)


def _begin(page: Page) -> None:
    agree(page)
    at(page, "document")


def _through_a_document(
    service: Service, open_page: Open, show: Show, theme: dict[str, str] | None
) -> Iterator[tuple[str, Page]]:
    show()
    page = open_page(service.session(*ALL_STEPS, theme=theme)["pageUrl"])
    at(page, "consent")
    yield "consent", page
    page.get_by_role("button", name="Continuar").click()
    expect(page.get_by_role("alert")).to_contain_text("marca la casilla")
    yield "consent-missed", page
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Continuar").click()
    at(page, "document")
    yield "document", page
    page.get_by_role("button", name="Pasaporte").click()
    expect(page.locator(".hint")).to_contain_text("Acomoda el documento")
    yield "capture-passport", page
    page.get_by_role("button", name="Atrás").click()
    page.get_by_role("button", name="Credencial para votar").click()
    expect(page.locator(".hint")).to_contain_text("Acomoda el documento")
    yield "capture-front", page
    show("front", "glare")
    expect(page.locator(".hint")).to_contain_text("Hay un reflejo")
    yield "capture-front-glare", page
    show("front")
    at(page, "review-front")
    yield "review-front", page
    page.context.set_offline(True)
    page.get_by_role("button", name="Usar esta foto").click()
    show("back")
    at(page, "review-back")
    page.get_by_role("button", name="Usar esta foto").click()
    at(page, "problem-offline")
    yield "problem-offline", page
    page.context.set_offline(False)
    at(page, "liveness")
    yield "liveness", page
    page.close()


def _without_a_camera(
    service: Service, open_page: Open, theme: dict[str, str] | None
) -> Iterator[tuple[str, Page]]:
    session = service.session("DOCUMENT_OCR", theme=theme)
    page = open_page(session["pageUrl"], permissions=())
    _begin(page)
    page.get_by_role("button", name="Licencia").click()
    expect(page.get_by_role("heading", name="No hay permiso para usar la cámara")).to_be_visible()
    files = page.get_by_label("Subir un archivo")
    files.set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"})
    expect(page.get_by_text("Ese archivo no se puede abrir")).to_be_visible()
    yield "capture-licence-denied", page
    pdf = {"name": LONG_FILE, "mimeType": "application/pdf", "buffer": b"%PDF-1.7"}
    files.set_input_files(pdf)
    at(page, "review-licence")
    yield "review-pdf", page
    page.close()

    page = open_page(service.session("LIVENESS", theme=theme)["pageUrl"], permissions=())
    agree(page)
    at(page, "liveness")
    page.get_by_role("button", name="Empezar").click()
    at(page, "no-camera")
    yield "no-camera", page
    page.close()


def _asked_again(
    service: Service, open_page: Open, show: Show, theme: dict[str, str] | None
) -> Iterator[tuple[str, Page]]:
    session = service.session("DOCUMENT_OCR", theme=theme)
    service.consent(session)
    service.upload(session, front=PICTURE, back=PICTURE)
    page = open_page(session["pageUrl"])
    at(page, "waiting")
    yield "waiting", page
    again = page.get_by_role("heading", name="Necesitamos otra foto")
    expect(again).to_be_visible(timeout=60_000)
    yield "document-again", page
    page.close()

    # A proof of address is asked for again where it is taken, with the picture that was sent.
    show()
    page = open_page(service.session("PROOF_OF_ADDRESS", theme=theme)["pageUrl"])
    agree(page)
    at(page, "capture-proofOfAddress")
    expect(page.locator(".hint")).not_to_contain_text("Abriendo")
    yield "capture-proof-of-address", page
    file = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": PICTURE}
    page.get_by_label("Subir un archivo").set_input_files(file)
    at(page, "review-proofOfAddress")
    page.get_by_role("button", name="Usar").click()
    expect(page.get_by_role("img", name="Tu foto anterior")).to_be_visible(timeout=60_000)
    yield "capture-proof-of-address-again", page
    page.close()


def _on_another_device(
    service: Service, open_page: Open, theme: dict[str, str] | None
) -> Iterator[tuple[str, Page]]:
    """The computer's screens, which is as wide as a phone once it has begun."""
    session = service.session("DOCUMENT_OCR", theme=theme)
    service.consent(session)
    computer = open_page(session["pageUrl"], device=DESKTOP)
    computer.set_viewport_size(PHONE["viewport"])
    at(computer, "document")
    yield "document-computer", computer
    computer.get_by_role("button", name="Continuar en mi teléfono").click()
    expect(computer.get_by_role("img", name="Código QR")).to_be_visible()
    yield "hand-over", computer
    phone = open_page(f"http://{computer.locator('.short-link').text_content()}")
    expect(phone.get_by_label("Código")).not_to_have_value("")
    yield "go", phone
    phone.get_by_role("button", name="Continuar").click()
    at(phone, "document")
    at(computer, "hand-over-opened")
    yield "hand-over-opened", computer
    computer.close()
    phone.close()


def _by_the_button(
    service: Service, open_page: Open, theme: dict[str, str] | None
) -> Iterator[tuple[str, Page]]:
    content = (
        '<!doctype html><html lang="es"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Tienda</title>'
        "<main><h1>Tienda</h1>"
        f'<script type="module" src="{service.base_url}/web/acredita.js"></script>'
        f'<acredita-verify client-id="{service.organization_id}" color="#ffd400"'
        f' flow-id="{service.workflow("DOCUMENT_OCR", theme=theme)}"></acredita-verify>'
        "</main></html>"
    )
    with shop(content) as origin:
        path = "/v1/organizations/me/allowed-origins"
        service.api.put(path, json={"allowedOrigins": [origin]}).raise_for_status()
        page = open_page(origin)
        button = page.get_by_role("button", name="Verificar mi identidad")
        expect(button).to_be_visible()
        yield "sdk-button", page
        button.click()
        frame = page.frame_locator("iframe[title='Verificación de identidad']")
        expect(frame.get_by_role("checkbox")).to_be_visible()
        yield "sdk-dialog", page
        page.close()


@contextmanager
def shop(content: str) -> Iterator[str]:
    """A customer's page: its origin."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(content.encode())

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("localhost", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


def _before_the_camera(
    service: Service, open_page: Open, pose: Pose, theme: dict[str, str] | None
) -> Iterator[tuple[str, Page]]:
    pose()
    session = service.session("LIVENESS", theme=theme)
    service.consent(session)
    page = open_page(session["pageUrl"])
    at(page, "liveness")
    page.get_by_role("button", name="Empezar").click()
    at(page, "liveness-camera")
    page.locator("[data-move]:not([data-move=''])").wait_for()
    yield "liveness-camera", page
    page.close()

    session = service.session("FACE_MATCH", theme=theme)
    service.consent(session)
    service.upload(session, front=PICTURE)
    page = open_page(session["pageUrl"])
    at(page, "capture-selfie")
    expect(page.locator(".hint")).to_contain_text("Pon tu cara dentro del óvalo")
    yield "capture-selfie", page
    # While somebody looks at the screen, the shutter may release by itself.
    with suppress(Error):
        page.get_by_role("button", name="Tomar la foto").click(timeout=2_000)
    at(page, "review-selfie")
    yield "review-selfie", page
    page.close()


def _in_colours(
    service: Service, open_page: Open, pose: Pose, theme: dict[str, str] | None
) -> Iterator[tuple[str, Page]]:
    """After the first prompt, and for as long as somebody looks at them."""

    def shorten(route: Route) -> None:
        challenge = route.fetch().json()
        challenge["prompts"] = challenge["prompts"][:1]
        challenge["light"]["eachMs"] = 3_600_000
        route.fulfill(json=challenge)

    pose()
    session = service.session("LIVENESS", theme=theme)
    service.consent(session)
    page = open_page("about:blank")
    page.route("**/liveness-challenge/start", shorten)
    page.goto(session["pageUrl"])
    page.get_by_role("button", name="Empezar").click()
    while not page.evaluate(COLOURED):
        page.wait_for_timeout(50)
    yield "liveness-colours", page
    page.close()


def details_workflow(
    service: Service, theme: dict[str, str] | None, *kinds: str, device: str = "ask"
) -> str:
    """A workflow of steps that wait for something other than pictures."""
    configs: dict[str, dict[str, object]] = {"LOCATION": {"device": device}}
    if "FORM" in kinds:
        made = service.api.post("/v1/custom-input/forms", json=FORM).raise_for_status()
        configs["FORM"] = {"formId": made.json()["formId"]}
    steps = [
        {"type": kind, "order": at, "config": configs.get(kind, {})}
        for at, kind in enumerate(kinds)
    ]
    created = service.api.post("/v1/workflows", json={"name": "Datos", "steps": steps})
    workflow_id: str = created.raise_for_status().json()["workflow"]["id"]
    if theme is not None:
        path = f"/v1/workflows/{workflow_id}/theme"
        service.api.put(path, json=theme).raise_for_status()
    return workflow_id


def details_session(service: Service, workflow_id: str) -> dict[str, str]:
    body = {"clientId": service.organization_id, "flowId": workflow_id}
    answer = httpx.post(f"{service.base_url}/v1/sdk/session", json=body, trust_env=False)
    opened: dict[str, str] = answer.raise_for_status().json()
    return opened


def _beside_pictures(
    service: Service, open_page: Open, theme: dict[str, str] | None
) -> Iterator[tuple[str, Page]]:
    address = details_session(service, details_workflow(service, theme, "OTP"))["pageUrl"]
    page = open_page(address)
    at(page, "consent")
    yield "consent-code", page
    agree(page)
    at(page, "code")
    yield "code", page
    page.get_by_role("button", name="Enviar el código").click()
    expect(page.get_by_role("alert")).to_contain_text("Revisa el teléfono")
    page.get_by_role("radio", name="Por correo electrónico").check()
    page.get_by_label("Tu correo electrónico").fill(
        f"ana-{address[-40:-30].lower()}@correo.example"
    )
    page.get_by_role("button", name="Enviar el código").click()
    at(page, "code-entry")
    page.get_by_label("Código de seis dígitos").fill("12")
    page.get_by_role("button", name="Confirmar").click()
    expect(page.get_by_role("alert").first).to_contain_text("seis dígitos")
    yield "code-entry", page
    page.close()

    page = open_page(details_session(service, details_workflow(service, theme, "FORM"))["pageUrl"])
    agree(page)
    at(page, "form")
    yield "form", page
    page.get_by_role("button", name="Enviar").click()
    expect(page.get_by_role("alert")).to_contain_text("cambiar 2 respuestas")
    yield "form-faults", page
    page.close()

    flow = details_workflow(service, theme, "LOCATION")
    page = open_page(details_session(service, flow)["pageUrl"])
    agree(page)
    at(page, "place")
    yield "place", page
    page.get_by_role("button", name="Compartir mi ubicación").click()
    expect(page.get_by_role("alert")).to_contain_text("no permite la ubicación")
    yield "place-refused", page
    page.close()

    flow = details_workflow(service, theme, "ESIGNATURE")
    page = open_page(details_session(service, flow)["pageUrl"])
    agree(page)
    at(page, "elsewhere")
    yield "elsewhere", page
    page.close()


def _to_the_end(
    service: Service, open_page: Open, theme: dict[str, str] | None
) -> Iterator[tuple[str, Page]]:
    for status in ("APPROVED", "REJECTED", "MANUAL_REVIEW", "EXPIRED"):
        session = service.session("DOCUMENT_OCR", theme=theme)
        service.end(session, status)
        page = open_page(session["pageUrl"])
        name = f"ended-{status.lower().replace('_', '-')}"
        at(page, name)
        yield name, page
        page.close()


def _in_trouble(
    service: Service, open_page: Open, theme: dict[str, str] | None
) -> Iterator[tuple[str, Page]]:
    session = service.session("DOCUMENT_OCR", theme=theme)
    page = open_page(session["pageUrl"][:-6] + "forged")
    at(page, "problem-link")
    yield "problem-link", page
    page.close()
    page = open_page(service.session("DOCUMENT_OCR", theme=theme)["pageUrl"])
    for status, name in ((429, "problem-busy"), (500, "problem-server")):
        page.route("**/consent", partial(_refuse, status))
        page.reload()
        agree(page)
        at(page, name)
        yield name, page
    page.close()
    page = open_page(session["pageUrl"].replace("/verify/", "/verify/0"))
    expect(page.get_by_role("heading", name="Este enlace no sirve")).to_be_visible()
    yield "unknown", page
    page.close()


def _refuse(status: int, route: Route) -> None:
    route.fulfill(status=status, json={}, headers={"Retry-After": "3600"} if status == 429 else {})
