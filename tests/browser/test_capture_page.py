"""The page's ways around trouble, its looks, and its endings."""

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import (
    DESKTOP,
    OpenPage,
    Service,
    agree,
    at,
    faults_of_accessibility,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
PICTURE = cv2.imencode(".jpg", np.full((600, 900, 3), 180, np.uint8))[1].tobytes()
# Yellow on yellow, light grey on white: what a theme can do to people.
GLARING = {
    "accentColor": "#fff000",
    "backgroundColor": "#fffbe0",
    "bodyTextColor": "#e8e0a0",
    "titleTextColor": "#ffffff",
    "subtitleColor": "#f0f0d0",
    "errorColor": "#ffd0d0",
    "borderColor": "#fffbe0",
    "fontFamily": "Comic Sans MS",
}
MUDDY = {"backgroundColor": "#757575", "bodyTextColor": "#808080", "accentColor": "#6f6f6f"}


@pytest.mark.parametrize("theme", [GLARING, MUDDY], ids=["glaring", "muddy"])
def test_it_can_be_read_whatever_the_theme_says(service: Service, open_page: OpenPage, theme):
    session = service.session("DOCUMENT_OCR", theme=theme)
    page = open_page(session["pageUrl"], device=DESKTOP)
    at(page, "consent")
    page.get_by_role("button", name="Continuar").click()
    expect(page.get_by_role("alert")).to_contain_text("marca la casilla")
    assert not faults_of_accessibility(page)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    wished = theme["backgroundColor"].lstrip("#")
    assert ground == "rgb({}, {}, {})".format(*bytes.fromhex(wished))
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Continuar").click()
    at(page, "document")
    assert not faults_of_accessibility(page)


def test_without_a_camera_files_do_and_the_keyboard_is_enough(
    service: Service, open_page: OpenPage
):
    session = service.session("DOCUMENT_OCR")
    page = open_page(session["pageUrl"], device=DESKTOP)
    at(page, "consent")
    page.evaluate("camera.set('denied')")
    page.get_by_role("checkbox").focus()
    for key in ("Space", "Tab", "Enter"):
        page.keyboard.press(key)
    at(page, "document")
    # From the heading on: the first thing to choose is the next stop.
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="No hay permiso para usar la cámara")).to_be_visible()
    assert not faults_of_accessibility(page)
    files = page.get_by_label("Subir un archivo")
    files.set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"})
    expect(page.get_by_text("Ese archivo no se puede abrir")).to_be_visible()
    heavy = {"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-" + bytes(11 << 20)}
    files.set_input_files(heavy)
    expect(page.get_by_text("pesa más de 10 MB")).to_be_visible()
    files.set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": PICTURE})
    at(page, "review-front")
    expect(page.get_by_role("img", name="Tu foto: Frente")).to_be_visible()
    page.get_by_role("button", name="Tomarla de nuevo").click()
    at(page, "capture-front")


def test_the_viewfinder_says_what_to_do_better(service: Service, open_page: OpenPage):
    session = service.session("DOCUMENT_OCR")
    page = open_page(session["pageUrl"])
    agree(page)
    page.evaluate("camera.show('')")
    page.get_by_role("button", name="Credencial para votar").click()
    hint = page.locator(".hint")
    for fault, words in {
        "": "Acomoda el documento dentro del marco",
        "dark": "Está muy oscuro",
        "glare": "Hay un reflejo",
        "far": "Acércate más",
        "shake": "No te muevas",
    }.items():
        page.evaluate("fault => { camera.spoil(fault); camera.show(fault ? 'front' : '') }", fault)
        expect(hint).to_contain_text(words)
        at(page, "capture-front")
    # What it says is read out, too, once it has stood for a moment.
    expect(page.get_by_role("status").first).to_contain_text("No te muevas")
    page.evaluate("camera.spoil('')")
    at(page, "review-front")


@pytest.mark.parametrize(
    ("status", "title"),
    [
        ("REJECTED", "No pudimos verificar tu identidad"),
        ("MANUAL_REVIEW", "Recibimos todo"),
        ("APPROVED", "Tu identidad quedó verificada"),
    ],
)
def test_an_end_is_told_while_one_waits(service: Service, open_page: OpenPage, status, title):
    session = service.session("DOCUMENT_OCR")
    page = open_page(session["pageUrl"])
    at(page, "consent")
    path = f"/v1/verifications/{session['verificationId']}/status"
    service.api.patch(path, json={"status": status}).raise_for_status()
    expect(page.get_by_role("heading", name=title)).to_be_focused()
    assert not faults_of_accessibility(page)


def test_trouble_is_told_in_plain_words_with_a_way_on(service: Service, open_page: OpenPage):
    session = service.session("DOCUMENT_OCR")
    page = open_page(session["pageUrl"])
    at(page, "consent")
    page.get_by_role("checkbox").check()
    page.context.set_offline(True)
    page.get_by_role("button", name="Continuar").click()
    at(page, "problem-offline")
    assert not faults_of_accessibility(page)
    page.context.set_offline(False)
    page.get_by_role("button", name="Intentar de nuevo").click()
    # What was ticked is still ticked.
    expect(page.get_by_role("checkbox")).to_be_checked()
    page.get_by_role("button", name="Continuar").click()
    at(page, "document")

    page = open_page(session["pageUrl"][:-6] + "forged")
    at(page, "problem-link")
    assert not faults_of_accessibility(page)

    page = open_page("about:blank")
    page.goto(session["pageUrl"].replace("/verify/", "/verify/0"))
    expect(page.get_by_role("heading", name="Este enlace no sirve")).to_be_visible()
    assert not faults_of_accessibility(page)


def test_the_language_is_the_browsers_and_can_be_changed(service: Service, open_page: OpenPage):
    session = service.session("DOCUMENT_OCR")
    page = open_page(session["pageUrl"], language="en-US")
    expect(page.get_by_role("heading", name="asks you to verify your identity")).to_be_visible()
    page.get_by_role("button", name="Español").click()
    expect(page.get_by_role("heading", name="te pide verificar tu identidad")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "es"
    page.reload()
    expect(page.get_by_role("heading", name="te pide verificar tu identidad")).to_be_visible()
    privacy = page.get_by_role("link", name="Aviso de privacidad").last
    expect(privacy).to_have_attribute(
        "href", f"https://privacidad.example/{service.organization_id}"
    )
