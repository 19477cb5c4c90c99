"""From a session to APPROVED, as a person goes: through the real page, camera, engines."""

import re
import time
from itertools import pairwise

import pytest
from playwright.sync_api import Page, Request, Route, expect

from acredita.domain.liveness.challenge import Move
from tests.browser.camera import Camera
from tests.browser.conftest import (
    ALL_STEPS,
    DESKTOP,
    OpenPage,
    Service,
    agree,
    at,
    faults_of_accessibility,
    press,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
# Of two quiet cores it is a third (`make bench-browser` measures it); tests run beside others.
SLOWEST = 60
# Collects what the camera's screen says during the challenge, how far its ring is filled, and the
# colours of the whole screen with their moments.
WORDS = """
window.words = new Set();
window.rings = new Set();
window.colours = [];
new MutationObserver(() => {
  const alert = document.querySelector("[data-screen=liveness-camera] [role=alert]");
  if (alert) window.words.add(alert.textContent.trim());
  const ring = document.querySelector(".ring path");
  if (ring) window.rings.add(Number.parseFloat(ring.getAttribute("stroke-dasharray")));
  const colour = document.querySelector(".light")?.style.backgroundColor;
  if (colour && colour !== window.colours.at(-1)?.[0])
    window.colours.push([colour, performance.now()]);
}).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
"""
# As chromium on a slow phone: its `toBlob` waits for idle moments of the page, for seconds if there
# are none.
BUSY = """
const toBlob = HTMLCanvasElement.prototype.toBlob;
HTMLCanvasElement.prototype.toBlob = function (...wanted) {
  setTimeout(() => toBlob.apply(this, wanted), 2_000);
};
"""
SHORT = (Move.LOOK_STRAIGHT, Move.TURN_LEFT, Move.TURN_RIGHT)
ANNOUNCED = "La pantalla cambiará de color. Mírala de frente, sin moverte."
# WCAG 2.2, 2.3.1: three flashes a second, of which each is two changes. The page stays far below.
LEAST_BETWEEN_COLOURS = 0.5


class Witness:
    """The requests of the page, and their hosts."""

    def __init__(self, page: Page) -> None:
        self.requests: list[Request] = []
        page.on("request", self.note)

    def note(self, request: Request) -> None:
        self.requests.append(request)

    def paths(self, method: str) -> list[str]:
        parts = [r.url.split("/", 3)[3] for r in self.requests if r.method == method]
        return [part.rpartition("/")[2] for part in parts]


def photograph_card(page: Page, camera: Camera) -> None:
    """Front and back, by the automatic shutter alone. It waits until the card is turned over."""
    camera.show("front")
    at(page, "review-front")
    press(page.get_by_role("button", name="Usar esta foto"))
    at(page, "capture-back")
    expect(page.locator(".hint")).to_contain_text("Es el mismo lado: voltea el documento")
    camera.show("back")
    at(page, "review-back")
    press(page.get_by_role("button", name="Usar esta foto"))


def go_to_the_challenge(page: Page, camera: Camera, address: str) -> None:
    """From the link, over the documents, and through a reload."""
    page.add_init_script(WORDS)
    page.add_init_script(BUSY)
    page.goto(address)
    at(page, "consent")
    press(page.get_by_role("checkbox"), "Space")
    press(page.get_by_role("button", name="Continuar"))
    at(page, "document")
    camera.show()
    press(page.get_by_role("button", name="Credencial para votar"))
    at(page, "capture-front")
    photograph_card(page, camera)
    at(page, "liveness")

    # A reload loses nothing, and the address shows no token any more.
    assert "#" not in page.url
    page.reload()
    at(page, "liveness")


def check_requests(witness: Witness, service: Service) -> None:
    assert {r.url.split("/")[2] for r in witness.requests if not r.url.startswith("blob:")} == {
        service.base_url.split("/")[2]
    }
    assert witness.paths("POST") == ["link-sessions", "consent", "inputs", "start", "frames"]
    # One stream before the reload, one after: the page receives the changes and does not poll.
    assert witness.paths("GET").count("events") == 2


# To draw all moves and to judge them takes half a minute of the processor.
def test_a_person_goes_from_the_link_to_the_first_move_by_the_keyboard_alone(
    service: Service, open_page: OpenPage, camera: Camera
):
    created = service.create(*ALL_STEPS, capture={})
    page = open_page("about:blank")
    witness = Witness(page)
    go_to_the_challenge(page, camera, created["capture"]["url"])
    prompts: list[str] = []

    def shorten(route: Route) -> None:
        challenge = route.fetch().json()
        # The face at rest, and a turn, of which each challenge has one or two.
        few = [each for each in challenge["prompts"] if each["action"] in SHORT][:2]
        challenge["prompts"] = few
        prompts.extend(each["id"] for each in few)
        face.draw([Move(each["action"]) for each in few])
        route.fulfill(json=challenge)

    page.route("**/liveness-challenge/start", shorten)
    face = camera.pose()
    with page.expect_request("**/liveness-challenge/frames") as sent:
        face.follow(page, skips_light=True, press=press)
    words = set(page.evaluate("[...window.words]"))
    assert "¡Visto!" in words
    check_colours(page, words, is_shown=True, is_whole=False)
    assert len(prompts) == 2
    frames = re.findall(rb'filename="(.+)-\d+s?\.jpg"', sent.value.post_data_buffer or b"")
    assert len(frames) > 3
    assert {name.decode() for name in frames} >= set(prompts), frames
    check_requests(witness, service)


@pytest.mark.thorough
@pytest.mark.parametrize("light", ["skipped", "shown", "reduced motion"])
def test_a_person_goes_from_the_link_to_approved_by_the_keyboard_alone(
    service: Service, open_page: OpenPage, camera: Camera, light
):
    created = service.create(*ALL_STEPS, capture={})
    page = open_page("about:blank")
    if light == "reduced motion":
        page.emulate_media(reduced_motion="reduce")
    witness = Witness(page)
    go_to_the_challenge(page, camera, created["capture"]["url"])
    # The link opens at the same place on another device.
    other = open_page(created["capture"]["url"], device=DESKTOP)
    at(other, "liveness")
    face = camera.pose()
    face.draw()
    face.follow(page, skips_light=light == "skipped", press=press)
    expect(page.locator("[data-screen=ended-approved]")).to_be_visible(timeout=SLOWEST * 1000)
    at(page, "ended-approved")
    at(other, "ended-approved")
    words = set(page.evaluate("[...window.words]"))
    assert {"Espera: mira de frente, sin moverte", "¡Visto!"} <= words
    assert page.evaluate("Math.max(...window.rings)") == 1
    check_colours(page, words, is_shown=light != "reduced motion", is_whole=light == "shown")

    shown = service.show(created["id"])
    assert shown["verification"]["status"] == "APPROVED", shown
    # The reload keeps the session.
    assert shown["verification"]["capture"]["openings"] == 2
    # The page shows what is asked for at its cue: the face, which does it then, kept still before.
    results = {step["type"]: step["result"] for step in shown["verification"]["steps"]}
    assert results["LIVENESS"]["moments"]["verdict"] == "seen", results["LIVENESS"]
    was_shown = results["LIVENESS"]["light"]["verdict"] != "not_shown"
    assert was_shown == (light == "shown"), results["LIVENESS"]
    assert {document["source"] for document in shown["documents"]} <= {"camera", None}
    check_requests(witness, service)
    assert page.context.cookies() == []


def check_colours(page: Page, words: set[str], *, is_shown: bool, is_whole: bool) -> None:
    """They are announced, slow and not red, or there are none."""
    colours = page.evaluate("window.colours")
    assert (ANNOUNCED in words, bool(colours)) == (is_shown, is_shown)
    if is_whole:
        assert len(colours) > 5
    moments = [moment / 1000 for _, moment in colours]
    assert all(b - a > LEAST_BETWEEN_COLOURS for a, b in pairwise(moments)), moments
    for colour, _ in colours:
        red, green, blue = map(int, re.findall(r"\d+", colour))
        # Of a saturated red, the red part is at least 0.8 of all.
        assert red < 0.8 * (red + green + blue), colour


def test_a_picture_that_cannot_be_read_is_asked_for_again_with_advice(
    service: Service, open_page: OpenPage, camera: Camera
):
    session = service.session("DOCUMENT_OCR")
    page = open_page(session["pageUrl"], language="en-US")
    agree(page, "Continue")
    at(page, "document")
    camera.show()
    page.get_by_role("button", name="Voter card").click()
    for side in ("front", "back"):
        at(page, f"capture-{side}")
        page.get_by_role("button", name="Take the picture").click()
        at(page, f"review-{side}")
        page.get_by_role("button", name="Use this picture").click()
    began = time.monotonic()
    again = page.get_by_role("heading", name="We need another picture")
    expect(again).to_be_visible(timeout=SLOWEST * 1000)
    assert time.monotonic() - began < SLOWEST
    notice = page.locator(".notice")
    expect(notice).to_contain_text("2 attempts are left.")
    (step,) = service.status(session)["steps"]
    expect(notice).to_contain_text(step["advice"]["en"])
    # What was sent before, also after a reload, but only in this tab: the link alone shows nothing.
    former = page.get_by_role("img", name="Your former picture: Front")
    expect(former).to_be_visible()
    page.reload()
    expect(former).to_be_visible()
    assert former.evaluate("image => image.naturalWidth") > 300
    assert not faults_of_accessibility(page)
    other = open_page(session["pageUrl"], language="en-US")
    expect(other.get_by_role("heading", name="We need another picture")).to_be_visible()
    expect(other.get_by_role("img", name="Your former picture: Front")).to_have_count(0)
    page.get_by_role("button", name="Passport").click()
    camera.show("passport")
    at(page, "review-passport")
    # Nothing of them stays when the verification ends.
    assert sent_pictures(page)
    service.end(session, "REJECTED")
    at(page, "ended-rejected")
    assert not sent_pictures(page)


def sent_pictures(page: Page) -> list[str]:
    """The keys of the tab's storage that hold some."""
    return page.evaluate("Object.keys(sessionStorage).filter((key) => key.endsWith(':sent'))")
