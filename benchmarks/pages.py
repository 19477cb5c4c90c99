"""A whole service on this machine and a browser, for the benchmarks of its pages."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
from playwright.sync_api import Browser, sync_playwright

from acredita.embedded.ports import free_port
from acredita.embedded.stack import running_stack
from acredita.settings import Settings
from tests.browser.browser_arguments import CHROMIUM
from tests.browser.conftest import Service, with_organization


@contextmanager
def service_and_browser(
    folder: Path, arguments: Sequence[str], *, kinds: Sequence[str]
) -> Iterator[tuple[Service, Browser]]:
    """Start both. `arguments`: of chromium. `kinds`: the rate limits (IP, ORG) to lift."""
    if CHROMIUM is None:
        sys.exit("chromium is not installed")
    with ExitStack() as stack:
        running = stack.enter_context(
            running_stack(
                Settings(_env_file=None),
                folder,
                port=free_port(),
                durable=False,
                output=stack.enter_context((folder / "log").open("w")),
                extra={
                    f"ACREDITA_{kind}_RATE_{what}": "1000"
                    for kind in kinds
                    for what in ("LIMIT", "BURST")
                },
            )
        )
        api = stack.enter_context(
            httpx.Client(base_url=running.base_url, trust_env=False, timeout=30)
        )
        service = with_organization(running.base_url, api)
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*arguments])
        yield service, browser
        browser.close()
