"""The explorer in a real browser: its policy lets it work, and it asks nobody but us."""

import asyncio
import json
import re
from itertools import islice
from typing import Any

import pytest

from acredita.resources.openapi.endpoints import _serialize
from tests.api.documents.live import served
from tests.browser.browser_arguments import BROWSER_ARGUMENTS, HEADLESS_SHELL

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(HEADLESS_SHELL is None, reason="chromium is not installed"),
]


def shortened(described: dict[str, Any], most: int) -> dict[str, Any]:
    """The first paths, and of the components those alone that they lead to: half of what the
    browser draws would be the list of all schemas."""
    paths = dict(islice(described["paths"].items(), most))
    kept: dict[str, dict[str, Any]] = {
        "securitySchemes": described["components"]["securitySchemes"]
    }
    unread: list[Any] = [paths]
    while unread:
        for kind, name in re.findall(r'"#/components/(\w+)/([^"]+)"', json.dumps(unread.pop())):
            if name not in kept.setdefault(kind, {}):
                kept[kind][name] = described["components"][kind][name]
                unread.append(kept[kind][name])
    return described | {"paths": paths, "components": kept}


# To draw all of them takes the browser ten seconds.
@pytest.mark.parametrize("most", [20, pytest.param(None, marks=pytest.mark.thorough, id="all")])
async def test_a_browser_shows_every_operation_and_reports_no_breach_of_the_policy(
    app, tmp_path, monkeypatch, most
):
    described = app.openapi()
    shown = described if most is None else shortened(described, most)
    monkeypatch.setattr(app, "openapi", lambda: shown)
    monkeypatch.setattr(app.state, "description", _serialize(app), raising=False)
    async with served(app) as port:
        browser = await asyncio.create_subprocess_exec(
            *(str(HEADLESS_SHELL), "--headless", *BROWSER_ARGUMENTS),
            *(f"--user-data-dir={tmp_path}", "--virtual-time-budget=20000"),
            *("--enable-logging=stderr", "--dump-dom", f"http://127.0.0.1:{port}/docs"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        page, log = (part.decode() for part in await browser.communicate())
    for item in shown["paths"].values():
        for operation in item.values():
            tag = operation["tags"][0].replace(" ", "_")
            assert f'id="operations-{tag}-{operation["operationId"]}"' in page, log[-2000:]
    assert "Content Security Policy" not in log
    assert "CONSOLE" not in log
