"""The challenge's moments, as the page asks for them and the engine measures them."""

import pytest
from playwright.sync_api import expect

from tests.browser.camera import Camera
from tests.browser.conftest import OpenPage, Service, at

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
WORDS = """
window.words = new Set();
new MutationObserver(() => {
  const alert = document.querySelector("[data-screen=liveness-camera] [role=alert]");
  if (alert) window.words.add(alert.textContent.trim());
}).observe(document, { childList: true, subtree: true, characterData: true });
"""


def test_a_face_that_moves_at_each_cue_is_seen_to_keep_still_before(
    service: Service, open_page: OpenPage, camera: Camera
):
    session = service.session("LIVENESS")
    service.consent(session)
    page = open_page("about:blank")
    page.add_init_script(WORDS)
    page.goto(session["pageUrl"])
    at(page, "liveness")
    camera.pose().follow(page)
    expect(page.locator("[data-screen=ended-approved]")).to_be_visible(timeout=120_000)
    assert "Espera: mira de frente, sin moverte" in page.evaluate("[...window.words]")
    (step,) = service.show(session["verificationId"])["verification"]["steps"]
    assert step["result"]["moments"]["verdict"] == "seen", step["result"]
