"""What the page does when the line, a proxy or the service itself lets it wait."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache

import httpx
import pytest
from playwright.sync_api import Page, expect

from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.specimens import Specimen, make_specimen
from tests.browser.camera import SEED
from tests.browser.conftest import OpenPage, Service, agree, at, faults_of_accessibility
from tests.browser.proxy import Proxy, Whim, proxy

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
# A flood of a few hundred requests is held off, and no test's own are.
SETTINGS = {"ACREDITA_IP_RATE_LIMIT": "2", "ACREDITA_IP_RATE_BURST": "250"}
FLOODS = 2
PAUSE = 0.02
BUSY = "[data-screen=problem-busy]"


@pytest.fixture
def between(service: Service) -> Iterator[Proxy]:
    with proxy(service.base_url) as running:
        yield running


def address(service: Service, session) -> str:
    return f"{service.base_url}/v1/sdk/verifications/{session['verificationId']}"


@contextmanager
def flooded(url: str) -> Iterator[None]:
    """Somebody at the same address asks as fast as they can."""
    is_over, is_full = threading.Event(), threading.Event()

    def ask() -> None:
        with httpx.Client(trust_env=False, timeout=30) as client:
            while not is_over.is_set():
                if client.get(url).status_code == 429:
                    is_full.set()
                    # Fifty times as often as the limit admits.
                    is_over.wait(PAUSE)

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(FLOODS)]
    for thread in threads:
        thread.start()
    try:
        assert is_full.wait(30)
        yield
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


@cache
def passport() -> Specimen:
    """One that is read: for another they would be asked again, sooner or later."""
    return make_specimen(SpecimenKind.PASSPORT, SEED)


def choose_passport(page: Page) -> None:
    at(page, "document")
    page.get_by_role("button", name="Pasaporte").click()
    files = page.get_by_label("Subir un archivo")
    picture = passport()
    content = {"mimeType": picture.mime_type, "buffer": picture.image_bytes}
    files.set_input_files({"name": "a.jpg", **content})
    at(page, "review-passport")
    page.get_by_role("button", name="Usar esta foto").click()


def test_where_too_many_streams_are_open_the_page_asks(service: Service, open_page: OpenPage):
    session = service.session("DOCUMENT_OCR")
    events = f"{address(service, session)}/events"
    with ExitStack() as open_ones:
        client = open_ones.enter_context(httpx.Client(trust_env=False, timeout=30))
        streams = [open_ones.enter_context(client.stream("GET", events)) for _ in range(6)]
        assert [answer.status_code for answer in streams] == [200] * 5 + [429]
        page = open_page(session["pageUrl"])
        at(page, "consent")
        service.end(session, "APPROVED")
        at(page, "ended-approved")


def test_where_a_proxy_holds_back_streams_the_page_asks(
    service: Service, open_page: OpenPage, between: Proxy
):
    between.whim = Whim.BUFFERS_STREAMS
    session = service.session("DOCUMENT_OCR")
    page = open_page(between.through(session["pageUrl"]))
    agree(page)
    at(page, "document")
    service.end(session, "MANUAL_REVIEW")
    at(page, "ended-manual-review")
    assert between.asked.count("events") == 1


def test_an_upload_that_is_cut_off_is_sent_again_and_a_reload_goes_on_after_it(
    service: Service, open_page: OpenPage, between: Proxy
):
    between.whim = Whim.CUTS_UPLOADS
    session = service.session("DOCUMENT_OCR", "LIVENESS")
    page = open_page(between.through(session["pageUrl"]))
    agree(page)
    choose_passport(page)
    at(page, "problem-offline")
    assert service.status(session)["next"]["roles"] == ["front"]
    between.whim = Whim.NONE
    page.get_by_role("button", name="Intentar de nuevo").click()
    at(page, "liveness")
    page.reload()
    at(page, "liveness")
    assert len(service.show(session["verificationId"])["documents"]) == 1


def test_an_upload_whose_answer_is_lost_is_not_sent_twice(
    service: Service, open_page: OpenPage, between: Proxy
):
    between.whim = Whim.LOSES_ANSWERS
    session = service.session("DOCUMENT_OCR", "LIVENESS")
    page = open_page(between.through(session["pageUrl"]))
    agree(page)
    choose_passport(page)
    # The stream tells that it arrived.
    at(page, "liveness")
    assert between.asked.count("inputs") == 1
    assert len(service.show(session["verificationId"])["documents"]) == 1


def test_a_request_that_is_one_too_many_is_waited_out(service: Service, open_page: OpenPage):
    page = open_page(service.session("DOCUMENT_OCR")["pageUrl"])
    busy = {"status": 429, "json": {}, "headers": {"Retry-After": "1"}}
    page.route("**/consent", lambda route: route.fulfill(**busy))
    agree(page)
    at(page, "problem-busy")
    expect(page.get_by_text("Lo intentamos de nuevo en")).to_be_visible()
    page.unroute_all()
    # Nobody presses anything.
    at(page, "document")


@pytest.mark.thorough
def test_too_many_requests_are_waited_out_and_what_was_done_goes_through(
    service: Service, open_page: OpenPage
):
    sessions = [service.session("DOCUMENT_OCR") for _ in range(2)]
    pages = [open_page(session["pageUrl"]) for session in sessions]
    for page in pages:
        at(page, "consent")
        page.get_by_role("checkbox").check()
    late = open_page("about:blank")
    with flooded(address(service, sessions[0])):
        for page in pages:
            page.get_by_role("button", name="Continuar").click()
            page.locator("[data-screen=problem-busy], [data-screen=document]").wait_for()
        # One may have slipped in between.
        waiting = next(page for page in pages if page.locator(BUSY).count())
        at(waiting, "problem-busy")
        expect(waiting.get_by_text("Lo intentamos de nuevo en")).to_be_visible()
        assert not faults_of_accessibility(waiting)
        while (answer := late.goto(sessions[0]["pageUrl"])) and answer.status != 429:
            late.goto("about:blank")
        expect(late.get_by_role("heading", name="Hay mucha gente")).to_be_visible()
    # Nobody presses anything.
    for page in (*pages, late):
        at(page, "document")
