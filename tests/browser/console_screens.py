"""Pictures of every page of the console, for people who change it.

    python -m tests.browser.console_screens FOLDER [--only team]

writes one picture for each page, on a desk and on a phone, light in Spanish and dark in English,
and a sheet of these four. It prints what axe finds and which pages scroll sideways, and exits
with 1 if there is anything.
"""

import argparse
import shutil
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
from playwright.sync_api import Browser, Page, expect, sync_playwright

from acredita.embedded.ports import free_port
from acredita.embedded.stack import running_stack
from acredita.settings import Settings
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.specimens import make_specimen
from tests.browser.browser_arguments import BROWSER_ARGUMENTS
from tests.browser.conftest import (
    DESKTOP,
    PHONE,
    Service,
    faults_of_accessibility,
    with_organization,
)

PASSWORD = "a long password"
LISTED = "Baltasar Evaristo Quimbaya Zorrozúa"
OPEN = ("PENDING", "IN_PROGRESS")
LOOKS: Final = [
    (f"{size}-{scheme}", size, scheme, language, device)
    for scheme, language in (("light", "es"), ("dark", "en"))
    for size, device in (("desk", DESKTOP), ("phone", PHONE))
]
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
    post("/v1/organizations/me/users", {"email": "ana@banco.example", "role": "REVIEWER"})
    hook = {"url": "https://localhost/avisos", "events": ["verification.created"]}
    api.post("/v1/webhooks", json=hook)
    policy = {
        "name": "Alta con reglas",
        "rules": [
            {"name": "Parecido bajo", "when": "steps.failed > 0", "then": {"outcome": "REVIEW"}}
        ],
        "otherwise": {"outcome": "DEFAULT"},
    }
    post("/v1/policies", policy)
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
        other = service.create("DOCUMENT_OCR", externalId=f"cliente-{number}")["id"]
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
    workflow = service.workflow("DOCUMENT_OCR", "FACE_MATCH", "GOVERNMENT_VERIFY")
    policies = api.get("/v1/policies").raise_for_status().json()["policies"]
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
        "policies": f"policies?policy={policies[0]['id']}",
        **{f"{room}-{tab}": f"{room}?tab={tab}" for room, tabs in TABS.items() for tab in tabs},
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
        return context.storage_state()


def photograph(page: Page, address: str, file: Path) -> list[str]:
    """Write the whole page to the file. Return what is wrong with it."""
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.locator(".mantine-Skeleton-root, .mantine-Loader-root")).to_have_count(0)
    faults = faults_of_accessibility(page)
    if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
        faults.append("scrolls sideways")
    page.screenshot(path=file, full_page=True)
    return faults


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


def visit(browser: Browser, service: Service, folder: Path, only: str) -> Iterator[str]:
    """Photograph every page in every look. Yield what is wrong, with the name of the picture."""
    pages = fill(service)
    users = service.api.get("/v1/organizations/me/users").raise_for_status().json()["users"]
    owner = next(user["email"] for user in users if user["role"] == "OWNER")
    cookies = signed_in(browser, service.base_url, owner)
    names = [name for name in ("sign-in", *pages) if name.startswith(only)]
    for look, _, scheme, language, device in LOOKS:
        for state, group in ((None, ["sign-in"]), (cookies, list(pages))):
            with browser.new_context(
                locale=f"{language}-MX", color_scheme=scheme, storage_state=state, **device
            ) as context:
                page = context.new_page()
                for name in (each for each in group if each in names):
                    address = f"{service.base_url}/console/{pages.get(name, name)}"
                    for fault in photograph(page, address, folder / f"{name}-{look}.png"):
                        yield f"{name}-{look}: {fault}"
    for name in names:
        looks = [folder / f"{name}-{look}.png" for look, *_ in LOOKS]
        sheet(looks, folder / f"sheet-{name}.png")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="pages whose name begins with this")
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
                },
            )
        )
        api = stack.enter_context(
            httpx.Client(base_url=running.base_url, trust_env=False, timeout=30)
        )
        service = with_organization(running.base_url, api, "Banco")
        browser = stack.enter_context(sync_playwright()).chromium.launch(
            executable_path=shutil.which("chromium"), args=[*BROWSER_ARGUMENTS]
        )
        faults = list(visit(browser, service, asked.folder, asked.only))
        browser.close()
    sys.stdout.write("\n".join(faults or ["Nothing is wrong."]) + "\n")
    return int(bool(faults))


if __name__ == "__main__":
    raise SystemExit(main())
