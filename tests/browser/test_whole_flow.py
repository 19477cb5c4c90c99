"""From a session to APPROVED, as a person goes: through the real page, camera, engines."""

import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ALL_STEPS, OpenPage, Service

pytestmark = pytest.mark.slow


def at(page: Page, screen: str) -> None:
    """Wait until that screen is shown, with its heading in focus for whoever listens."""
    shown = page.locator(f"[data-screen={screen}]")
    expect(shown).to_be_visible()
    expect(shown.get_by_role("heading", level=1)).to_be_focused()


def agree(page: Page) -> None:
    at(page, "consent")
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Continuar").click()


def photograph_card(page: Page) -> None:
    """Front and back, by the automatic shutter alone."""
    for side in ("front", "back"):
        page.evaluate("side => camera.show(side)", side)
        at(page, f"review-{side}")
        page.get_by_role("button", name="Usar esta foto").click()


def test_a_person_goes_from_the_link_to_approved(service: Service, open_page: OpenPage):
    session = service.session(*ALL_STEPS)
    page = open_page(session["pageUrl"])
    agree(page)
    at(page, "document")
    page.get_by_role("button", name="Credencial para votar").click()
    photograph_card(page)
    began = time.monotonic()
    at(page, "liveness")
    page.get_by_role("button", name="Empezar").click()
    expect(page.locator("[data-screen=ended-approved]")).to_be_visible(timeout=60_000)
    print(f"\nfirst upload to final screen: {time.monotonic() - began:.1f} s")
    shown = service.show(session["verificationId"])
    assert shown["verification"]["status"] == "APPROVED", shown
