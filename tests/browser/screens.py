"""Pictures of every screen of the capture page, for people who change it.

    python -m tests.browser.screens FOLDER

writes one picture for each screen, size, language and theme, also of the browser SDK, from the
whole stack on this machine. `test_capture_page` visits the same screens and checks them against
WCAG.
"""

import argparse
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx
from playwright.sync_api import Browser, Page, expect, sync_playwright

from acredita.embedded.ports import free_port
from acredita.embedded.stack import running_stack
from acredita.settings import Settings
from tests.browser.browser_arguments import BROWSER_ARGUMENTS, CHROMIUM
from tests.browser.camera import camera
from tests.browser.conftest import SHARP_PHONE, with_organization
from tests.browser.probes import UPRIGHT
from tests.browser.walk import HOSTILE, LONG_NAME, walk

SIZES: Final = {
    "phone": (390, 844),
    "landscape": (844, 390),
    "small": (320, 568),
    "desktop": (1280, 900),
}


def photograph(page: Page, folder: Path, name: str, *, is_sheet: bool) -> None:
    """In every size and language; for a sheet, what a phone shows at once, in Spanish."""
    if is_sheet:
        page.screenshot(path=folder / f"{name}.png")
        return
    choice = page.locator("select.language")
    for language in ("es", "en", "pt", "fr", "de"):
        if language != "es":
            if not choice.is_visible():
                break
            choice.select_option(language)
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=folder / f"{name}-{size}-{language}.png", full_page=True)
    else:
        choice.select_option("es")
    width, height = SIZES["phone"]
    page.set_viewport_size({"width": width, "height": height})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="screens whose name begins with this")
    parser.add_argument("--sheet", action="store_true", help="one picture a screen, for a sheet")
    asked = parser.parse_args()
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
            )
        )
        eye = stack.enter_context(camera(scratch))
        browser = stack.enter_context(sync_playwright()).chromium.launch(
            executable_path=CHROMIUM, args=[*BROWSER_ARGUMENTS, *eye.arguments]
        )
        plain, hostile = ("plain", "Banco", None), ("hostile", LONG_NAME, HOSTILE)
        for looks, name, theme in (plain,) if asked.sheet else (plain, hostile):
            folder = asked.folder / looks
            folder.mkdir(parents=True, exist_ok=True)
            api = stack.enter_context(
                httpx.Client(base_url=running.base_url, trust_env=False, timeout=30)
            )
            service = with_organization(running.base_url, api, name)
            if asked.sheet:
                about = {"name": "Banco Ejemplo", "supportContact": "ayuda@banco.example"}
                api.patch("/v1/organizations/me", json=about).raise_for_status()
            service.database_url = running.environment["ACREDITA_DATABASE_URL"]
            pages = partial(_open, browser, asked.sheet)
            for screen, page in walk(service, pages, eye, theme, is_upright=asked.sheet):
                if screen.startswith(asked.only):
                    photograph(page, folder, screen, is_sheet=asked.sheet)
        browser.close()


def _open(
    browser: Browser,
    is_upright: bool,
    url: str,
    device: dict[str, Any] = SHARP_PHONE,
    permissions: Sequence[str] = ("camera",),
) -> Page:
    context = browser.new_context(locale="es-MX", permissions=permissions, **device)
    if is_upright:
        context.add_init_script(UPRIGHT)
    page = context.new_page()
    page.goto(url)
    return page


if __name__ == "__main__":
    main()
