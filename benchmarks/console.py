"""Measure the console's first screen and its interactions in a real browser.

    python -m benchmarks.console [--loads 7] [--rounds 5]

It runs the whole service on this machine. First screen: from the address, with an empty cache and a
session, until the queue shows a row. Interaction: what the browser itself measures from a key or a
click to the next frame (Event Timing), while a reviewer moves through the queue, opens a case,
begins a decision, writes a note, searches and changes rooms. The frame has the heading of a room;
the queue's rows follow, which is measured from the click, too. It exits with 1 if a bar is missed.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page

from benchmarks.pages import service_and_browser
from tests.browser.browser_arguments import BROWSER_ARGUMENTS
from tests.browser.conftest import DESKTOP, Service

SLOWEST_SCREEN = 1.0
SLOWEST_INTERACTION = 0.1
WAITING = 30
PASSWORD = "a long password"
# Collects what the browser measures of each interaction: the longest of its events, for example of
# pointerdown, pointerup and click, with what it did. Durations are rounded to 8 ms.
OBSERVE = """
window.interactions = {};
new PerformanceObserver((list) => {
  for (const { duration, name, target, interactionId: id } of list.getEntries()) {
    if (!id || duration <= (window.interactions[id]?.[0] ?? 0)) continue;
    // A target that the interaction removed has no name.
    const of = target?.ariaLabel ?? target?.textContent.slice(0, 20) ?? "";
    const room = location.pathname.split("/")[2] || "queue";
    window.interactions[id] = [duration, `${room}: ${name} ${of}`];
  }
}).observe({ type: "event", durationThreshold: 16, buffered: true });
"""
NOTE_CLICK = """
addEventListener("click", (event) => { window.clickedAt = event.timeStamp; }, { capture: true });
"""
ROW = "tbody tr"
SLOWEST_NAMED = 5
# The time of the frame that shows the first row. A driver that asks sees it only later.
SEE_ROW = f"""
window.rowShown = new Promise((resolve) => {{
  const observer = new MutationObserver(() => {{
    if (!document.querySelector("{ROW}")) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  }});
  observer.observe(document, {{ childList: true, subtree: true }});
}});
"""
HEADING = "h1:has-text('{}')"


def fill(service: Service) -> str:
    """Let verifications wait for a reviewer. Return the owner's address."""
    # The first key asks ten times a second.
    body = {"name": "fast", "role": "ADMIN", "rateLimit": 1000}
    made = service.api.post("/v1/organizations/me/api-keys", json=body).raise_for_status().json()
    service.api.headers["X-Api-Key"] = made["apiKey"]["key"]
    for number in range(WAITING):
        case = service.create("DOCUMENT_OCR", externalId=f"cliente-{number}")
        path = f"/v1/verifications/{case['id']}/status"
        service.api.patch(path, json={"status": "MANUAL_REVIEW"}).raise_for_status()
    users = service.api.get("/v1/organizations/me/users").raise_for_status().json()["users"]
    return str(users[0]["email"])


def signed_in(browser: Browser, base_url: str, email: str) -> Any:
    """Return the cookies of a session."""
    context = browser.new_context(locale="es-MX")
    page = context.new_page()
    page.goto(f"{base_url}/console/")
    page.get_by_label("Correo").fill(email)
    page.get_by_label("Contraseña", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector(ROW)
    state = context.storage_state()
    context.close()
    return state


def first_screen(browser: Browser, base_url: str, state: Any) -> float:
    """Return the seconds until the queue shows a row, with an empty cache."""
    context = browser.new_context(locale="es-MX", storage_state=state, **DESKTOP)
    page = context.new_page()
    page.add_init_script(SEE_ROW)
    page.goto(f"{base_url}/console/", wait_until="commit")
    milliseconds = page.evaluate("window.rowShown")
    context.close()
    return float(milliseconds) / 1000


def interactions(
    browser: Browser, base_url: str, state: Any, rounds: int
) -> tuple[list[tuple[float, str]], list[float]]:
    """Return the seconds and the name of each interaction that took a frame or more, and the
    seconds from a click on the queue until its rows show."""
    context = browser.new_context(locale="es-MX", storage_state=state, **DESKTOP)
    page = context.new_page()
    page.add_init_script(OBSERVE + NOTE_CLICK)
    page.goto(f"{base_url}/console/")
    page.wait_for_selector(ROW)
    # The first round loads the rooms' scripts.
    review(page)
    page.evaluate("window.interactions = {}")
    for _ in range(rounds):
        review(page)
    # An entry comes after the frame that it measures.
    page.wait_for_timeout(300)
    found = page.evaluate("Object.values(window.interactions)")
    changes = [room_change(page) for _ in range(rounds)]
    context.close()
    return [(duration / 1000, name) for duration, name in found], changes


def room_change(page: Page) -> float:
    rooms = page.get_by_role("navigation").get_by_role("link")
    rooms.filter(has_text="Flujos").click()
    page.get_by_label("Nombre", exact=False).first.wait_for()
    page.evaluate(f"() => {{ {SEE_ROW} }}")
    rooms.filter(has_text="Cola").click()
    return float(page.evaluate("window.rowShown.then((at) => at - window.clickedAt)")) / 1000


def review(page: Page) -> None:
    """Do what a reviewer does, and return to the queue."""
    for key in ("j", "j", "k", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector(HEADING.format("Verificación"))
    page.get_by_role("button", name="Soltar").wait_for()
    page.keyboard.press("a")
    note = page.get_by_role("dialog").get_by_label("Nota")
    note.press_sequentially("La llamé.")
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    rooms = page.get_by_role("navigation").get_by_role("link")
    for room, heading in (("Buscar", "Buscar"), ("Flujos", "Flujos"), ("Resumen", "Resumen")):
        rooms.filter(has_text=room).click()
        page.wait_for_selector(HEADING.format(heading))
    rooms.filter(has_text="Buscar").click()
    page.get_by_role("searchbox").press_sequentially("cliente")
    page.wait_for_selector(ROW)
    page.get_by_role("searchbox").fill("")
    rooms.filter(has_text="Cola").click()
    page.wait_for_selector(ROW)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.console", description=__doc__)
    parser.add_argument("--loads", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args(given)
    with (
        tempfile.TemporaryDirectory() as name,
        service_and_browser(Path(name), BROWSER_ARGUMENTS, kinds=("IP", "ORG")) as (
            service,
            browser,
        ),
    ):
        state = signed_in(browser, service.base_url, fill(service))
        screens = [first_screen(browser, service.base_url, state) for _ in range(asked.loads)]
        named, changes = interactions(browser, service.base_url, state, asked.rounds)
    screen = median(screens)
    spent = sorted(seconds for seconds, _ in named)
    p95 = spent[int(len(spent) * 0.95)] if spent else 0.0
    print(
        f"first screen   median {screen:.2f} s   max {max(screens):.2f} s   bar {SLOWEST_SCREEN} s"
    )
    print(
        f"interaction    p95 {p95 * 1000:.0f} ms   max {max(spent, default=0) * 1000:.0f} ms"
        f"   of {len(spent)}   bar {SLOWEST_INTERACTION * 1000:.0f} ms"
    )
    for seconds, name in sorted(named, reverse=True)[:SLOWEST_NAMED]:
        print(f"    {seconds * 1000:4.0f} ms   {name}")
    print(f"queue after a click   rows after {median(changes) * 1000:.0f} ms (median)")
    return int(screen > SLOWEST_SCREEN or p95 > SLOWEST_INTERACTION)


if __name__ == "__main__":
    raise SystemExit(main())
