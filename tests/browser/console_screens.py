"""Pictures of every page of the console, for people who change it.

    python -m tests.browser.console_screens FOLDER [--only team] [--other-way] [--member]

writes one picture for each page and each dialog of a case, on a desk and on a phone, light in
Spanish and dark in English, and a sheet of these four. With --other-way, light in English and dark
in Spanish; with --member, as a MEMBER sees the pages. It prints what axe finds and which pages
scroll sideways, and exits with 1 if there is anything.

    python -m tests.browser.console_screens docs/operators --picture

writes console.png, the picture of the README and the guide.
"""

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import cv2
import httpx
import numpy as np
import pyotp
from playwright.sync_api import Browser, Page, expect, sync_playwright

from acredita.embedded.ports import free_port
from acredita.embedded.stack import running_stack
from acredita.settings import Settings
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.specimens import make_specimen
from tests.browser.browser_arguments import BROWSER_ARGUMENTS, HEADLESS_SHELL
from tests.browser.conftest import (
    CUT_TABLES,
    DESKTOP,
    PHONE,
    STILL_LOADING,
    Service,
    demote,
    faults_of_accessibility,
    with_organization,
)

PASSWORD = "a long password"
LISTED = "Baltasar Evaristo Quimbaya Zorrozúa"
OPEN = ("PENDING", "IN_PROGRESS")
LANGUAGES: Final = ("es", "en")
SIZES: Final = (("desk", DESKTOP), ("phone", PHONE))
# The keys that open a dialog of a case, or the start of the name of a button.
DIALOGS: Final = {
    "decide": "a",
    "retake": "f",
    "keys": "Shift+?",
    "history": "h",
    "correct": re.compile("^(Corregir|Correct): CURP"),
}
# Of the user's own sign-in: what an authenticator app scans, and the codes for when it is lost.
SECRETS: Final = {
    "app": re.compile("^(Cambiar de aplicación|Use another app)$"),
    "codes": re.compile("^(Nuevos códigos|New recovery codes)"),
}
TABS: Final = {
    "screening": ("hits", "monitors", "entries", "screenings", "lists"),
    "developers": ("start", "keys", "webhooks", "examples", "sandbox"),
    "team": ("users", "me", "provider", "holds", "audit", "settings"),
}


def fill(service: Service) -> dict[str, str]:
    """Let there be something on every page. Return their paths by name."""
    api = service.api

    def post(path: str, body: Any) -> Any:
        return api.post(path, json=body).raise_for_status().json()

    body = {"name": "Altas en sucursal", "role": "ADMIN", "rateLimit": 1000}
    made = post("/v1/organizations/me/api-keys", body)
    api.headers["X-Api-Key"] = made["apiKey"]["key"]
    post("/v1/organizations/me/users", {"email": "luis@banco.example", "role": "REVIEWER"})
    hook = {"url": "https://localhost/avisos", "events": ["verification.created"]}
    webhook = post("/v1/webhooks", hook)["webhook"]["id"]
    then = {"outcome": "REVIEW", "queue": "fraude", "reasons": ["RISK_ABOVE_LIMIT"]}
    policy = {
        "name": "Alta con reglas",
        "rules": [{"name": "Parecido bajo", "when": "steps.failed >= 0", "then": then}],
        "otherwise": {"outcome": "DEFAULT"},
    }
    made = post("/v1/policies", policy)["policy"]
    post(f"/v1/policies/{made['id']}/publish", {"digest": made["versions"][0]["digest"]})
    workflow = service.workflow("DOCUMENT_OCR", "FACE_MATCH", "GOVERNMENT_VERIFY")
    api.patch(f"/v1/workflows/{workflow}", json={"policyId": made["id"]}).raise_for_status()
    api.patch("/v1/organizations/me", json={"reviewSlaHours": 8}).raise_for_status()
    read = service.create(
        "DOCUMENT_OCR",
        "FACE_MATCH",
        "GOVERNMENT_VERIFY",
        externalId="cliente-4711",
        metadata={"email": "luz@correo.example"},
    )["id"]
    pictures = {
        role: (f"{role}.jpg", make_specimen(kind, 20, Difficulty.CLEAN).image_bytes)
        for role, kind in (("front", SpecimenKind.INE_FRONT), ("back", SpecimenKind.INE_BACK))
    }
    query = {"person": "XUXX900201HNEXXX01", "role": "selfie"}
    selfie = api.get("/v1/sandbox/picture", params=query).raise_for_status().content
    files = pictures | {"selfie": ("selfie.jpg", selfie)}
    api.post(f"/v1/verifications/{read}/inputs", files=files).raise_for_status()
    for number in range(3):
        other = service.create(
            "DOCUMENT_OCR",
            externalId=f"cliente-{number}",
            metadata={"email": "luz@correo.example"},
        )["id"]
        status = {"status": "MANUAL_REVIEW" if number else "APPROVED"}
        api.patch(f"/v1/verifications/{other}/status", json=status).raise_for_status()
    post(f"/v1/verifications/{read}/notes", {"note": "Se llamó a la persona el lunes."})
    while service.show(read)["verification"]["status"] in OPEN:
        time.sleep(0.2)
    asked = {"fullName": LISTED, "verificationId": read}
    while api.post("/v1/aml/screen", json=asked).status_code == 503:
        time.sleep(0.2)
    post("/v1/aml/monitor", asked | {"enabled": True})
    hit = api.get("/v1/aml/matches").raise_for_status().json()["matches"][0]["id"]
    record = api.get("/v1/aml/screenings").raise_for_status().json()["screenings"][0]["id"]
    post(f"/v1/policies/{made['id']}/simulate", {})
    return {
        "queue": "",
        "search": "search",
        "overview": "overview",
        "case": f"case/{read}",
        "screening-hit": f"screening/hit/{hit}",
        "screening-record": f"screening/record/{record}",
        "screening-monitor": f"screening/monitor/{read}",
        "workflows": f"workflows?workflow={workflow}",
        "workflows-new": "workflows?workflow=new",
        "policies": f"policies?policy={made['id']}",
        **{f"{room}-{tab}": f"{room}?tab={tab}" for room, tabs in TABS.items() for tab in tabs},
        "developers-deliveries": f"developers?tab=webhooks&webhook={webhook}",
    }


def signed_in(browser: Browser, base_url: str, email: str) -> Any:
    """Return the cookies of a session."""
    with browser.new_context(locale="es-MX") as context:
        page = context.new_page()
        page.goto(f"{base_url}/console/")
        page.get_by_label("Correo").fill(email)
        page.get_by_label("Contraseña", exact=True).fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_role("navigation", name="Menú")).to_be_visible()
        _turn_on_app(page, base_url)
        return context.storage_state()


def _turn_on_app(page: Page, base_url: str) -> None:
    """Give the user an authenticator app. The session goes on."""
    session = page.evaluate("fetch('/v1/auth/session').then((answer) => answer.json())")
    headers = {"X-CSRF-Token": session["csrfToken"]}
    made = page.request.post(f"{base_url}/v1/auth/totp", headers=headers).json()
    code = {"code": pyotp.TOTP(made["secret"]).now()}
    assert page.request.post(f"{base_url}/v1/auth/totp/confirm", headers=headers, data=code).ok


def photograph(page: Page, address: str, file: Path, opener: str | re.Pattern[str]) -> list[str]:
    """Write the page to the file, with what the opener opens. Return what is wrong with it."""
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.locator(f"{STILL_LOADING}, .mantine-Loader-root")).to_have_count(0)
    if isinstance(opener, re.Pattern):
        page.get_by_role("button", name=opener).click()
        if opener is SECRETS["codes"]:
            page.get_by_role("dialog").get_by_role("button", name=opener).click()
            expect(page.get_by_role("dialog")).to_have_count(0)
    elif opener:
        page.keyboard.press(opener)
    # Dialogs fade in, with less contrast meanwhile.
    page.wait_for_timeout(400 if opener else 0)
    expect(page.locator("[data-loading=true]")).to_have_count(0)
    faults = faults_of_accessibility(page)
    if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
        faults.append("scrolls sideways")
    if page.viewport_size["width"] < DESKTOP["viewport"]["width"] and page.evaluate(CUT_TABLES):
        faults.append("cuts the columns of a table")
    page.screenshot(path=file, full_page=page.get_by_role("dialog").count() == 0)
    return faults


def picture(browser: Browser, service: Service, folder: Path) -> None:
    """Write what a reviewer sees of a case, with the CURP marked on its page."""
    case = fill(service)["case"]
    cookies = signed_in(browser, service.base_url, user_of(service, is_member=False))
    size = {"width": 1280, "height": 1100}
    with browser.new_context(locale="es-MX", storage_state=cookies, viewport=size) as context:
        page = context.new_page()
        page.goto(f"{service.base_url}/console/{case}")
        data = page.get_by_role("table", name="Datos de la persona")
        curp = data.get_by_role("row", name=re.compile("^CURP"))
        expect(curp).to_be_visible()
        page.wait_for_load_state("networkidle")
        for image in page.locator("button[aria-pressed] img").all():
            image.evaluate("(each) => each.decode()")
        curp.evaluate("(row) => row.focus({ preventScroll: true })")
        page.screenshot(path=folder / "console.png")


def sheet(files: list[Path], file: Path) -> None:
    """Put pictures side by side, from the top."""
    pictures = [cv2.imread(str(each))[:1800] for each in files]
    height = max(len(each) for each in pictures)
    padded = [
        cv2.copyMakeBorder(
            each, 0, height - len(each), 0, 12, cv2.BORDER_CONSTANT, value=(128, 128, 128)
        )
        for each in pictures
    ]
    cv2.imwrite(str(file), np.hstack(padded))


def visit(browser: Browser, service: Service, asked: argparse.Namespace) -> Iterator[str]:
    """Photograph every page in every look. Yield what is wrong, with the name of the picture."""
    pages = fill(service)
    openers = dict.fromkeys(("sign-in", *pages), "")
    if asked.member:
        # The rooms of reviewers.
        del openers["queue"], openers["policies"]
    else:
        openers |= {f"case-{name}": opener for name, opener in DIALOGS.items()}
        pages |= {f"case-{name}": pages["case"] for name in DIALOGS}
    openers |= {f"team-me-{name}": opener for name, opener in SECRETS.items()}
    pages |= {f"team-me-{name}": pages["team-me"] for name in SECRETS}
    names = [name for name in openers if name.startswith(asked.only)]
    languages = reversed(LANGUAGES) if asked.other_way else LANGUAGES
    schemes = list(zip(("light", "dark"), languages, strict=True))
    cookies = signed_in(browser, service.base_url, user_of(service, is_member=asked.member))
    for scheme, language in schemes:
        for size, device in SIZES:
            for state, is_signed_in in ((None, False), (cookies, True)):
                with browser.new_context(
                    locale=f"{language}-MX", color_scheme=scheme, storage_state=state, **device
                ) as context:
                    page = context.new_page()
                    for name in (each for each in names if (each != "sign-in") is is_signed_in):
                        address = f"{service.base_url}/console/{pages.get(name, name)}"
                        picture = f"{name}-{size}-{scheme}"
                        file = asked.folder / f"{picture}.png"
                        for fault in photograph(page, address, file, openers[name]):
                            yield f"{picture}: {fault}"
    for name in names:
        looks = [f"{name}-{size}-{scheme}.png" for scheme, _ in schemes for size, _ in SIZES]
        sheet([asked.folder / look for look in looks], asked.folder / f"sheet-{name}.png")


def user_of(service: Service, *, is_member: bool) -> str:
    """Return the address of the organization's user, who becomes a MEMBER if asked."""
    users = service.api.get("/v1/organizations/me/users").raise_for_status().json()["users"]
    email = next(user["email"] for user in users if user["role"] == "OWNER")
    if is_member:
        demote(service.database_url, email)
    return str(email)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="pages whose name begins with this")
    parser.add_argument("--other-way", action="store_true", help="the other language in each mode")
    parser.add_argument("--member", action="store_true", help="as a MEMBER sees the pages")
    parser.add_argument("--picture", action="store_true", help="only the README's picture")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=20_000)
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        running = stack.enter_context(
            running_stack(
                Settings(_env_file=None),
                scratch,
                port=free_port(),
                durable=False,
                output=stack.enter_context((scratch / "log").open("w")),
                extra={
                    f"ACREDITA_{kind}_RATE_{what}": "1000"
                    for kind in ("IP", "ORG")
                    for what in ("LIMIT", "BURST")
                }
                # Nobody answers there, so the log of deliveries has failures.
                | {"ACREDITA_WEBHOOK_ALLOW_PRIVATE": "true"},
            )
        )
        api = stack.enter_context(
            httpx.Client(base_url=running.base_url, trust_env=False, timeout=30)
        )
        service = with_organization(running.base_url, api, "Banco del Valle", is_only=True)
        service.database_url = running.environment["ACREDITA_DATABASE_URL"]
        browser = stack.enter_context(sync_playwright()).chromium.launch(
            executable_path=HEADLESS_SHELL, args=[*BROWSER_ARGUMENTS]
        )
        if asked.picture:
            picture(browser, service, asked.folder)
            faults = []
        else:
            faults = list(visit(browser, service, asked))
        browser.close()
    sys.stdout.write("\n".join(faults or ["Nothing is wrong."]) + "\n")
    return int(bool(faults))


if __name__ == "__main__":
    raise SystemExit(main())
