"""Measure the first paint, the camera step and the duration of a flow in a real browser.

    python -m benchmarks.browser [--paints 7] [--cameras 3] [--flows 3]

It runs the whole service on this machine with sandbox registries. First paint: with an empty cache
and the processor throttled to a quarter. Camera step: from the click that opens it, likewise, until
the page sees, and its looks for a face per second, before a person and before an empty wall.
(Chromium throttles the page's thread alone, so the worker's answers are delayed until four times
the time that its networks took has passed since it was asked.) Flow: from the click that uploads
the document to the final screen, with warm engines, in total, by part, and without the part in
which the person follows the challenge. It exits with 1 if a bar is missed.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Request

from acredita_synthetic.faces.people import face_of
from acredita_synthetic.people import make_person
from benchmarks.pages import service_and_browser
from tests.browser.browser_arguments import BROWSER_ARGUMENTS
from tests.browser.camera import Camera, Face, Nobody, camera
from tests.browser.conftest import (
    ALL_STEPS,
    SHARP_PHONE,
    Service,
)

SLOWEST_PAINT = 0.4
SLOWEST_CAMERA = 2.5
FEWEST_LOOKS = 10.0
SLOWEST_FLOW = 10.0
THROTTLING = 4
PARTS = {
    "answered inputs": "documents taken in",
    "answered start": "challenge begun",
    "asked frames": "challenge followed",
    "answered frames": "frames taken in",
    "ended": "faces compared, challenge judged, registries asked",
}
"""What a flow consists of, by what each part ends with; the document is read meanwhile."""
OF_PERSON = list(PARTS).index("asked frames")
# Delivers what the worker has seen as late as a slower processor would, and collects the moments.
LOOKS = f"""
window.looks = [];
window.Worker = class extends Worker {{
  postMessage(...asked) {{
    this.askedAt = performance.now();
    super.postMessage(...asked);
  }}
  addEventListener(type, listener, options) {{
    super.addEventListener(type, (event) => {{
      if (type !== "message" || event.data.type !== "seen") return listener(event);
      setTimeout(() => {{
        window.looks.push(performance.now());
        listener(event);
      }}, this.askedAt + {THROTTLING} * event.data.seen.milliseconds - performance.now());
    }}, options);
  }}
}};
"""
WATCHED = 4_000
# Seconds until the page saw, and looks per second, of each camera step.
Cameras = list[tuple[float, float]]
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


def first_paint(browser: Browser, url: str) -> float:
    """Return the seconds until the first paint with an empty cache."""
    context = browser.new_context(**SHARP_PHONE)
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": THROTTLING})
    page.goto(url)
    # The page's policy forbids evaluating strings, so poll.
    while not (milliseconds := page.evaluate(PAINTED)):
        page.wait_for_timeout(10)
    context.close()
    return float(milliseconds) / 1000


def camera_step(browser: Browser, service: Service) -> tuple[float, float]:
    """Return the seconds until the page sees with an empty cache, and the looks per
    second."""
    session = service.session("LIVENESS")
    service.consent(session)
    context = browser.new_context(locale="es-MX", permissions=["camera"], **SHARP_PHONE)
    page = context.new_page()
    page.add_init_script(LOOKS)
    page.goto(session["pageUrl"])
    page.wait_for_selector("[data-screen=liveness]")
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": THROTTLING})
    began = time.perf_counter()
    page.get_by_role("button", name="Empezar").click()
    page.wait_for_selector("[data-sight=seeing]", timeout=60_000)
    opened = time.perf_counter() - began
    page.evaluate("window.looks.length = 0")
    page.wait_for_timeout(WATCHED)
    looks = page.evaluate("window.looks")
    context.close()
    return opened, 1000 * (len(looks) - 1) / (looks[-1] - looks[0])


def camera_steps(browser: Browser, service: Service, eye: Camera, number: int) -> list[Cameras]:
    """Return what `number` camera steps before a person and before a wall took, in that order."""
    measured = []
    for scene in (Face(), Nobody(is_still=False)):
        eye.see(scene)
        measured.append([camera_step(browser, service) for _ in range(number)])
    return measured


def flow(browser: Browser, service: Service, eye: Camera, person: int) -> list[float]:
    """Return the seconds of each of PARTS, in order.

    A face once: two drawn films of one are alike enough to be taken for a replay.
    """
    moments: dict[str, float] = {}

    def note(what: str, request: Request) -> None:
        if request.method == "POST":
            moments[f"{what} {request.url.rpartition('/')[2]}"] = time.perf_counter()

    face = Face(person)
    face.draw()
    context = browser.new_context(locale="es-MX", permissions=["camera"], **SHARP_PHONE)
    page = context.new_page()
    page.on("request", lambda request: note("asked", request))
    page.on("response", lambda response: note("answered", response.request))
    page.goto(service.session(*ALL_STEPS)["pageUrl"])
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Continuar").click()
    eye.show("front", person=person)
    page.get_by_role("button", name="Credencial para votar").click()
    page.wait_for_selector("[data-screen=review-front]")
    page.get_by_role("button", name="Usar esta foto").click()
    eye.show("back", person=person)
    page.wait_for_selector("[data-screen=review-back]")
    began = time.perf_counter()
    page.get_by_role("button", name="Usar esta foto").click()
    page.wait_for_selector("[data-screen=liveness]", timeout=60_000)
    eye.see(face)
    face.draw()
    face.follow(page)
    last = page.locator("[data-screen^=ended-], [data-screen=liveness]")
    last.wait_for(timeout=120_000)
    if last.get_attribute("data-screen") != "ended-approved":
        sys.exit(f"The flow of person {person} ended otherwise: {last.inner_text()}")
    moments["ended"] = time.perf_counter()
    context.close()
    return [after - before for before, after in pairwise([began, *(moments[end] for end in PARTS)])]


def people_of_own_faces() -> list[int]:
    """Return a person for each drawn face: many people share one."""
    by_face: dict[int, int] = {}
    for person in range(64):
        by_face.setdefault(face_of(make_person(person)).seed, person)
    return list(by_face.values())


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paints", type=int, default=7)
    parser.add_argument("--cameras", type=int, default=3, help="0: without the camera step")
    people = people_of_own_faces()
    counts = range(len(people))
    parser.add_argument("--flows", type=int, default=3, choices=counts, help="0: paints alone")
    asked = parser.parse_args(given)
    with (
        tempfile.TemporaryDirectory() as name,
        camera(Path(name)) as eye,
        service_and_browser(Path(name), [*BROWSER_ARGUMENTS, *eye.arguments], kinds=("IP",)) as (
            service,
            browser,
        ),
    ):
        # The first one of each warms what a running service has warm.
        url = service.session("DOCUMENT_OCR")["pageUrl"]
        paints = [first_paint(browser, url) for _ in range(asked.paints + 1)][1:]
        cameras = camera_steps(browser, service, eye, asked.cameras) if asked.cameras else []
        flows = [
            flow(browser, service, eye, person)
            for person in people[: asked.flows + 1 if asked.flows else 0]
        ][1:]
    paint = median(paints)
    print(
        f"first paint, processor at 1/{THROTTLING}   median {paint:.2f} s   bar {SLOWEST_PAINT} s"
    )
    return int(not all([paint <= SLOWEST_PAINT, report_cameras(cameras), report(flows)]))


def report_cameras(cameras: Sequence[Cameras]) -> bool:
    """Print how soon the camera step can be used and how often it looks. Return whether that meets
    the bars."""
    if not cameras:
        return True
    opened = median(seconds for steps in cameras for seconds, _ in steps)
    print(f"camera step ready, the same   median {opened:.2f} s   bar {SLOWEST_CAMERA} s")
    of_person, of_wall = (median(looks for _, looks in steps) for steps in cameras)
    print(f"looks per second at a face, the same   median {of_person:.1f}   bar {FEWEST_LOOKS}")
    print(f"looks per second at a wall, the same   median {of_wall:.1f}")
    return opened <= SLOWEST_CAMERA and of_person >= FEWEST_LOOKS


def report(flows: Sequence[Sequence[float]]) -> bool:
    """Print the durations of the flows. Return whether they meet the bar."""
    if not flows:
        return True
    print(f"first upload to final screen   median {median(map(sum, flows)):.1f} s")
    waited = median(sum(parts) - parts[OF_PERSON] for parts in flows)
    print(f"without the person's own time   median {waited:.1f} s   bar {SLOWEST_FLOW} s")
    for name, seconds in zip(PARTS.values(), zip(*flows, strict=True), strict=True):
        print(f"    {name:50} {median(seconds):5.2f} s")
    return waited <= SLOWEST_FLOW


if __name__ == "__main__":
    raise SystemExit(main())
