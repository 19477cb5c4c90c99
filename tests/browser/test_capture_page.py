"""The page's ways around trouble, its looks, and its endings."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path

import httpx
import numpy as np
import pytest
from playwright.sync_api import Page, ViewportSize, expect

from acredita.domain.liveness.challenge import Move
from acredita_synthetic.bills import BillKind, make_bill
from acredita_synthetic.people import make_person
from tests.browser.camera import (
    Camera,
    Nobody,
    People,
    face_at,
    planks,
    with_dark_glasses,
)
from tests.browser.conftest import (
    DESKTOP,
    PHONE,
    OpenPage,
    Service,
    agree,
    at,
    faults_of_accessibility,
    until_sent,
    with_organization,
)
from tests.browser.probes import (
    BESIDE_GLARE,
    COLOURS,
    COVERED,
    LATE,
    OLD,
    OVALS,
    OVERFLOW,
    SHADOW,
    SLOW,
    SMALL_TARGETS,
    SUCCESS,
    TORCH,
    UPRIGHT,
)
from tests.browser.walk import (
    HOSTILE,
    LONG_NAME,
    PICTURE,
    details_session,
    details_workflow,
    walk,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

WHITE, GREEN = "rgb(255, 255, 255)", "rgb(74, 222, 128)"
TITLES = {
    "en": "asks you to verify your identity",
    "pt": "pede que você verifique sua identidade",
    "fr": "vous demande de vérifier votre identité",
    "de": "bittet Sie, Ihre Identität zu bestätigen",
    "es": "te pide verificar tu identidad",
}
HOSTILE_GROUND = bytes.fromhex(HOSTILE["backgroundColor"].lstrip("#"))
# Phones on their side, one with the browser's bars, and one whose reader has doubled the text.
SHAPES = ((844, 390), (667, 320), (320, 640))
# Between the bars of the browser on a cheap phone.
CHEAP: ViewportSize = {"width": 360, "height": 560}
SMALL_PHONES: tuple[ViewportSize, ...] = (
    CHEAP,
    {"width": 360, "height": 640},
    {"width": 320, "height": 568},
)
CHEAP_ON_ITS_SIDE: ViewportSize = {"width": 667, "height": 320}
# A window of 1280 by 900 pixels whose reader has doubled everything.
ZOOMED = (640, 450)


@pytest.fixture
def hostile(service: Service) -> Iterator[Service]:
    """An organization whose name and colours do what they can."""
    with httpx.Client(base_url=service.base_url, trust_env=False, timeout=30) as api:
        made = with_organization(service.base_url, api, LONG_NAME)
        made.database_url = service.database_url
        yield made


@pytest.mark.parametrize(
    "screens", [2, pytest.param(100, marks=pytest.mark.thorough)], ids=["the first ones", "all"]
)
def test_every_screen_can_be_read_and_used_whatever_the_theme_says(
    hostile: Service, open_page: OpenPage, camera: Camera, screens: int
):
    seen = []
    for screen, page in islice(walk(hostile, open_page, camera, HOSTILE, full=False), screens):
        seen.append(screen)
        assert not faults_of_accessibility(page), screen
        page.emulate_media(color_scheme="dark")
        assert not faults_of_accessibility(page, ["color-contrast"]), (screen, "dark")
        page.emulate_media(color_scheme="light")
        assert not page.evaluate(SMALL_TARGETS), screen
        for width, height in (*SHAPES, ZOOMED):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(OVERFLOW) <= 0, (screen, width)
            assert page.evaluate(COVERED) == [], (screen, width)
        page.set_viewport_size(PHONE["viewport"])
        if screen == "liveness-colours":
            # Nothing takes light from the colours.
            assert page.evaluate(SHADOW) == "none"
        if screen == "consent":
            ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert ground == "rgb({}, {}, {})".format(*HOSTILE_GROUND)
    assert len(seen) == len(set(seen)) >= min(screens, 19)


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_every_screen_can_be_read_in_every_language_and_mode_and_at_double_size(
    service: Service, open_page: OpenPage, camera: Camera
):
    seen = 0
    for screen, page in walk(service, open_page, camera, None):
        choice = page.locator("select.language")
        for language in TITLES if choice.count() else ("es",):
            if choice.count():
                # Over a phone's full picture it is not shown.
                page.set_viewport_size(DESKTOP["viewport"])
                choice.select_option(language)
            for (width, height), scheme in (
                (tuple(PHONE["viewport"].values()), "light"),
                (tuple(PHONE["viewport"].values()), "dark"),
                (ZOOMED, "light"),
            ):
                page.set_viewport_size({"width": width, "height": height})
                page.emulate_media(color_scheme=scheme)
                assert not faults_of_accessibility(page), (screen, language, width, scheme)
                assert page.evaluate(OVERFLOW) <= 0, (screen, language, width)
                seen += 1
            page.emulate_media(color_scheme="dark")
            assert not faults_of_accessibility(page, ["color-contrast"]), (screen, language, "both")
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(PHONE["viewport"])
    assert seen > 500
    # Those without a script of their own.
    for language in TITLES:
        for path in ("/go", "/verify/x"):
            page = open_page(
                service.base_url + path,
                language=language,
                device={"viewport": {"width": ZOOMED[0], "height": ZOOMED[1]}},
            )
            assert page.locator("html").get_attribute("lang") == language
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                assert not faults_of_accessibility(page), (path, language, scheme)
            assert page.evaluate(OVERFLOW) <= 0, (path, language)
            page.close()


def test_without_a_camera_files_do_and_the_keyboard_is_enough(
    service: Service, open_page: OpenPage, tmp_path: Path
):
    session = service.session("DOCUMENT_OCR")
    page = open_page(session["pageUrl"], device=DESKTOP, permissions=())
    at(page, "consent")
    page.get_by_role("checkbox").focus()
    for key in ("Space", "Tab", "Enter"):
        page.keyboard.press(key)
    at(page, "document")
    # From the heading on: the first thing to choose is the next stop.
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="No hay permiso para usar la cámara")).to_be_visible()
    files = page.get_by_label("Subir un archivo")
    files.set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"})
    expect(page.get_by_text("Ese archivo no se puede abrir")).to_be_visible()
    # Chromium reads it itself: to hand it over takes Playwright seconds of the processor.
    heavy = tmp_path / "a.pdf"
    heavy.write_bytes(b"%PDF-" + bytes(11 << 20))
    files.set_input_files(heavy)
    expect(page.get_by_text("pesa más de 10 MB")).to_be_visible()
    files.set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": PICTURE})
    at(page, "review-front")
    expect(page.get_by_role("img", name="Tu foto: Frente")).to_be_visible()
    page.get_by_role("button", name="Tomarla de nuevo").click()
    at(page, "capture-front")


def test_where_files_are_not_allowed_the_page_offers_none(service: Service, open_page: OpenPage):
    session = service.session("DOCUMENT_OCR", "FACE_MATCH")
    path = f"/v1/workflows/{session['verification']['workflowId']}"
    service.api.patch(path, json={"allowFiles": False}).raise_for_status()
    page = open_page(session["pageUrl"], permissions=())
    agree(page)
    at(page, "document")
    page.get_by_role("button", name="Pasaporte").click()
    expect(page.get_by_role("heading", name="No hay permiso para usar la cámara")).to_be_visible()
    expect(page.get_by_text("e intenta de nuevo")).to_be_visible()
    expect(page.get_by_text("sube una foto")).to_have_count(0)
    expect(page.locator("input[type=file]")).to_have_count(0)


# tests/pipeline/test_proofs_of_address.py reads one; a file is chosen above.
@pytest.mark.thorough
def test_a_proof_of_address_is_sent_from_a_file(service: Service, open_page: OpenPage):
    session = service.session("PROOF_OF_ADDRESS")
    page = open_page(session["pageUrl"], device=DESKTOP, permissions=())
    at(page, "consent")
    # It names what these steps take, and no identification.
    expect(page.get_by_text("Una foto de tu comprobante de domicilio")).to_be_visible()
    expect(page.get_by_text(re.compile("identificación|documento es válido"))).to_have_count(0)
    agree(page)
    at(page, "capture-proofOfAddress")
    title = page.get_by_role("heading", name="La parte con tu nombre, dirección y fecha")
    expect(title.or_(page.get_by_role("heading", name="No hay permiso")).first).to_be_visible()
    today = datetime.now(UTC).date()
    bill = make_bill(BillKind.ELECTRICITY, make_person(20), 20, on=today)
    file = {"name": "recibo.pdf", "mimeType": "application/pdf", "buffer": bill.pdf}
    page.get_by_label("Subir un archivo").set_input_files(file)
    at(page, "review-proofOfAddress")
    assert not faults_of_accessibility(page)
    page.get_by_role("button", name="Usar").click()
    expect(page.locator("[data-screen^=ended]")).to_be_visible(timeout=120_000)
    shown = service.show(session["verificationId"])
    (proof,) = shown["documents"]
    assert (proof["type"], proof["source"]) == ("proofOfAddress", "file")
    (step,) = shown["verification"]["steps"]
    assert (step["status"], step["result"]["issuer"]) == ("REVIEW", "CFE")


def test_a_code_a_form_and_a_position_are_asked_for_in_the_page(
    service: Service, open_page: OpenPage
):
    flow = details_workflow(service, None, "OTP", "FORM", "LOCATION", device="require")
    session = details_session(service, flow)
    former = set(service.mailbox.glob("*.json"))
    page = open_page(session["pageUrl"], language="en-US", permissions=("geolocation",))
    page.context.set_geolocation({"latitude": 19.4326, "longitude": -99.1332, "accuracy": 35})
    agree(page, "Continue")
    at(page, "code")
    page.get_by_label("Your phone number").fill("55 1234")
    page.get_by_role("button", name="Send the code").click()
    expect(page.get_by_role("alert")).to_contain_text("Check the number")
    page.get_by_label("Your phone number").fill("+52 55 1234 5678")
    page.get_by_role("button", name="Send the code").click()
    at(page, "code-entry")
    expect(page.get_by_text("•• 78")).to_be_visible()
    # A while has to pass before another code.
    expect(page.get_by_role("button", name="Send another code (in")).to_be_disabled()
    page.reload()
    at(page, "code-entry")
    (letter,) = [json.loads(each.read_bytes()) for each in until_sent(service.mailbox, former)]
    (code,) = re.findall(r"\d{6}", letter["body"])
    entry = page.get_by_label("Code of six digits")
    entry.fill(f"{(int(code) + 1) % 10**6:06d}")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").first).to_contain_text("4 attempts are left")
    expect(entry).to_be_focused()
    # The step has run meanwhile, and the screen has stayed.
    page.wait_for_timeout(1000)
    expect(page.get_by_role("alert").first).to_contain_text("4 attempts are left")
    entry.fill(f"{code[:3]} {code[3:]}")
    _be_refused_once(page)
    expect(entry).to_have_value(f"{code[:3]} {code[3:]}")
    page.get_by_role("button", name="Confirm").click()
    at(page, "form")
    page.get_by_label("Actúo por cuenta propia").check()
    page.get_by_role("button", name="Send").click()
    job = page.get_by_label("¿A qué te dedicas?")
    expect(job).to_be_focused()
    expect(job).to_have_accessible_description("This answer is missing.")
    job.fill("panadera")
    page.get_by_label("¿De dónde viene tu dinero?").select_option("Sueldo")
    page.get_by_role("button", name="Send").click()
    at(page, "place")
    page.get_by_role("button", name="Share my position").click()
    expect(page.locator("[data-screen^=ended]")).to_be_visible()
    steps = service.show(session["verificationId"])["verification"]["steps"]
    results = {step["type"]: step["result"] for step in steps}
    assert results["OTP"]["wrongCodes"] == 1
    answers = {"ocupacion": "panadera", "origen": "s", "propio": True}
    assert results["FORM"]["answers"] == answers
    assert results["LOCATION"]["device"]["latitude"] == 19.4326


def _be_refused_once(page: Page) -> None:
    """A refused act that is not repeated by itself leaves a way on."""
    busy = {"status": 429, "json": {}, "headers": {"Retry-After": "3600"}}
    page.route("**/code/confirm", lambda route: route.fulfill(**busy), times=1)
    page.keyboard.press("Enter")
    at(page, "problem-busy")
    expect(page.get_by_text("We try again")).to_have_count(0)
    page.get_by_role("button", name="Try again").click()
    at(page, "code-entry")


MORE_FAULTS = {
    "dark": "Está muy oscuro",
    "far": "Acércate más",
    "blur": "no está nítida",
    "shake": "No te muevas",
}


def test_the_viewfinder_says_what_to_do_better(
    service: Service, open_page: OpenPage, camera: Camera, is_whole: bool
):
    session = service.session("DOCUMENT_OCR")
    page = open_page("about:blank")
    page.add_init_script(TORCH)
    page.goto(session["pageUrl"])
    agree(page)
    camera.show()
    page.get_by_role("button", name="Credencial para votar").click()
    hint = page.locator(".hint")
    for fault, words in {
        "": "Acomoda el documento dentro del marco",
        "glare": "Hay un reflejo",
        **(MORE_FAULTS if is_whole else {}),
        "tilt": "Pon el teléfono plano",
    }.items():
        camera.show("front" if fault else "", fault)
        expect(hint).to_contain_text(words)
        at(page, "capture-front")
        if not fault:
            # What belongs into the empty frame.
            expect(page.locator(".silhouette")).to_be_visible()
        expect(page.locator(".glare")).to_have_count(1 if fault == "glare" else 0)
        if fault == "glare":
            # Around the reflection in the picture.
            assert max(map(abs, page.evaluate(BESIDE_GLARE))) < 0.05
    # What it says is read out, too, once it has stood for a moment.
    expect(page.get_by_role("status").first).to_contain_text("Pon el teléfono plano")
    expect(page.locator(".edges")).to_be_visible()
    if is_whole:
        camera.show(fault="wood")
        expect(hint).to_contain_text("Acomoda el documento dentro del marco")
        expect(page.locator(".edges")).to_have_count(0)
        at(page, "capture-front")
    torch = page.get_by_role("button", name="Luz")
    torch.click()
    expect(torch).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.wishes") == [{"torch": True}]
    camera.show("front", "wood")
    at(page, "review-front")


STRAIGHT, ASIDE = partial(face_at, Move.LOOK_STRAIGHT, 1), partial(face_at, Move.TURN_LEFT, 1)
# What is before the camera, and what the page says of it.
NEVER_GREEN = {
    "wall": (lambda: Nobody(is_still=False), "No vemos tu cara"),
    "two": (lambda: People([STRAIGHT(), STRAIGHT()], 0.7), "más de una persona"),
}
MORE_NEVER_GREEN = {
    "aside": (lambda: People([ASIDE()]), "Mira de frente"),
    "far": (lambda: People([STRAIGHT()], 0.4), "Acércate un poco"),
    "glasses": (lambda: People([with_dark_glasses(STRAIGHT())]), "Quítate los lentes oscuros"),
    "table": (lambda: Nobody(is_still=False, ground=planks(Nobody.size)), "No vemos tu cara"),
    "beside": (lambda: People([STRAIGHT()], 0.8, aside=110), "en el centro"),
    "dark": (lambda: People([(STRAIGHT() * 0.2).astype(np.uint8)]), "Tu cara está oscura"),
}


@pytest.mark.parametrize(
    "scenes",
    [
        pytest.param(NEVER_GREEN, id="some"),
        pytest.param(MORE_NEVER_GREEN, id="more", marks=pytest.mark.thorough),
    ],
)
def test_the_oval_is_green_for_one_face_of_the_right_size_and_pose_alone(
    service: Service, open_page: OpenPage, camera: Camera, scenes
):
    camera.see(Nobody(is_still=False))
    page = _before_a_camera(service, open_page, "FACE_MATCH", front=PICTURE)
    at(page, "capture-selfie")
    expect(page.locator("[data-sight=seeing]")).to_be_visible()
    for scene, words in scenes.values():
        camera.see(scene())
        expect(page.locator(".hint")).to_contain_text(words)
        page.wait_for_timeout(500)
        assert page.evaluate("[...window.outlines]") == [WHITE], words
    # Read out, too, once it has stood for a moment.
    expect(page.get_by_role("status").first).to_contain_text(words)
    camera.see(People([STRAIGHT()]))
    # The shutter releases by itself.
    at(page, "review-selfie")
    assert page.evaluate("[...window.outlines]") == [WHITE, GREEN]


# The oval stays white before a wall, above.
@pytest.mark.thorough
def test_no_challenge_begins_before_an_empty_table(
    service: Service, open_page: OpenPage, camera: Camera
):
    camera.see(Nobody(is_still=False, size=(480, 640)))
    sent: list[str] = []
    script = LATE + UPRIGHT + OVALS
    page = _before_a_camera(service, open_page, "LIVENESS", script=script, sent=sent)
    page.get_by_role("button", name="Empezar").click()
    at(page, "liveness-camera")
    expect(page.get_by_role("alert")).to_contain_text("No vemos tu cara")
    anyway = page.get_by_role("button", name="Empezar así")
    expect(anyway).to_be_visible()
    assert "start" not in sent
    assert page.evaluate("[...window.outlines]") == [WHITE]
    stayed = page.evaluate("window.ovals")
    for size in SMALL_PHONES:
        page.set_viewport_size(size)
        page.evaluate("window.noteOval()")
    small = page.evaluate("window.ovals")[len(stayed) :]
    assert max(map(abs, small)) < 0.06, small
    page.set_viewport_size(PHONE["viewport"])
    page.evaluate("window.ovals = []")
    # The server judges, so nobody is locked out; without any face, nothing is sent.
    anyway.click()
    expect(page.get_by_role("alert").filter(has_text="no vio tu cara")).to_be_visible()
    assert "frames" not in sent
    # Where a face is, and it stays there when the button appears and when the moves begin.
    ovals = stayed + page.evaluate("window.ovals")
    assert max(map(abs, ovals)) < 0.06, ovals
    assert max(ovals) - min(ovals) < 0.005, ovals


def test_a_device_that_finds_faces_too_slowly_claims_nothing_about_them(
    service: Service, open_page: OpenPage, camera: Camera
):
    camera.see(People([STRAIGHT()]))
    page = _before_a_camera(service, open_page, "FACE_MATCH", script=SLOW, front=PICTURE)
    at(page, "capture-selfie")
    expect(page.locator("[data-sight=blind]")).to_be_visible()
    expect(page.locator(".hint")).to_contain_text("Pon tu cara dentro del óvalo y toma la foto")
    page.get_by_role("button", name="Tomar la foto").click()
    at(page, "review-selfie")
    assert GREEN not in page.evaluate("[...window.outlines]")


# A page that sees no faces in time behaves alike, above.
@pytest.mark.thorough
@pytest.mark.parametrize(
    "scenes",
    [
        pytest.param((False,), id="noise"),
        pytest.param((False, True), id="noise and a frozen picture"),
    ],
)
def test_without_webassembly_the_page_claims_nothing_about_a_face(
    service: Service, open_page: OpenPage, camera: Camera, scenes
):
    camera.see(Nobody(is_still=False))
    sent: list[str] = []
    page = _before_a_camera(service, open_page, "LIVENESS", script=OLD, sent=sent)
    unchanged = page.get_by_role("alert").filter(has_text="La imagen de la cámara no cambió")
    for is_still in scenes:
        camera.see(Nobody(is_still))
        at(page, "liveness")
        page.get_by_role("button", name="Empezar").click()
        at(page, "liveness-camera")
        expect(page.locator(".hint")).to_contain_text("Grábate · gesto 1 de")
        expect(page.get_by_text("sin ver si hay una cara")).to_be_visible()
        # The pause and the move, twice, and not the minute and a half of all moves.
        expect(unchanged).to_be_visible(timeout=45_000)
    assert page.evaluate("[...window.outlines]") == [WHITE]
    success = page.evaluate(SUCCESS)
    assert success not in page.evaluate("[...window.steps]")
    assert sent.count("start") == len(scenes)
    assert "frames" not in sent


def _before_a_camera(
    service: Service,
    open_page: OpenPage,
    step: str,
    *,
    script: str = "",
    sent: list[str] | None = None,
    **uploads: bytes,
) -> Page:
    """The page of a verification that waits for that step; its colours and requests are noted."""
    session = service.session(step)
    service.consent(session)
    if uploads:
        service.upload(session, **uploads)
    page = open_page("about:blank")
    if sent is not None:
        page.on("request", lambda request: sent.append(request.url.rpartition("/")[2]))
    page.add_init_script(COLOURS + script)
    page.goto(session["pageUrl"])
    return page


@pytest.mark.parametrize(
    ("status", "title"),
    [
        ("APPROVED", "Tu identidad quedó verificada"),
        pytest.param("REJECTED", "No pudimos verificar tu identidad", marks=pytest.mark.thorough),
        pytest.param("MANUAL_REVIEW", "Recibimos todo", marks=pytest.mark.thorough),
        ("EXPIRED", "Se acabó el tiempo"),
    ],
)
def test_an_end_is_told_while_one_waits(service: Service, open_page: OpenPage, status, title):
    session = service.session("DOCUMENT_OCR")
    page = open_page(session["pageUrl"])
    at(page, "consent")
    service.end(session, status)
    expect(page.get_by_role("heading", name=title)).to_be_focused()


def test_the_language_is_the_browsers_and_can_be_changed(
    service: Service, open_page: OpenPage, is_whole: bool
):
    session = service.session("DOCUMENT_OCR")
    page = open_page(session["pageUrl"], language="en-US")
    expect(page.get_by_role("heading", name="asks you to verify your identity")).to_be_visible()
    choice = page.get_by_role("banner").get_by_role("combobox")
    for language in TITLES if is_whole else ("de",):
        words = TITLES[language]
        page.set_viewport_size({"width": 320, "height": 640})
        choice.select_option(language)
        expect(page.get_by_role("heading", name=words)).to_be_visible()
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert page.evaluate(OVERFLOW) <= 0, language
        for small in (CHEAP, CHEAP_ON_ITS_SIDE):
            page.set_viewport_size(small)
            expect(page.locator("button[type=submit]")).to_be_in_viewport(ratio=1)
            expect(page.get_by_role("checkbox")).to_be_in_viewport(ratio=1)
    page.reload()
    expect(page.get_by_role("heading", name=words)).to_be_visible()
    page.close()
    # A language without a catalogue; then one that the server's first answer has already.
    page = open_page(session["pageUrl"], language="ja-JP")
    expect(page.get_by_role("heading", name=TITLES["en"])).to_be_visible()
    page.close()
    at_home = {**PHONE, "timezone_id": "America/Tijuana"}
    if is_whole:
        page = open_page(session["pageUrl"], language="ja-JP", device=at_home)
        expect(page.get_by_role("heading", name=TITLES["es"])).to_be_visible()
        page.close()
    _speak(service, "fr")
    page = open_page(session["pageUrl"], language="ja-JP", device=at_home)
    expect(page.get_by_role("heading", name=TITLES["fr"])).to_be_visible()
    page.close()
    _speak(service, None)
    page = open_page(session["pageUrl"], language="pt-BR")
    expect(page.get_by_role("heading", name=TITLES["pt"])).to_be_visible()
    choice = page.get_by_role("banner").get_by_role("combobox")
    choice.select_option("es")
    expect(page.get_by_role("heading", name=TITLES["es"])).to_be_visible()
    privacy = page.get_by_role("link", name="Aviso de privacidad").last
    expect(privacy).to_have_attribute(
        "href", f"https://privacidad.example/{service.organization_id}"
    )


def _speak(service: Service, language: str | None) -> None:
    """Make it the language of the organization's people."""
    body = {"defaultLanguage": language}
    service.api.patch("/v1/organizations/me", json=body).raise_for_status()
