"""Writes docs/reference/events.md from the API's description of its webhooks: `make openapi`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from acredita.domain.events import EventKind
from acredita.main import create_app
from acredita.settings import Settings

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "events.md"
# In the order of a delivery.
ENVELOPE = ("id", "event", "createdAt", "data")
HEADER = """\
# Events

Made from the API's description by `make openapi`.

The body of each [webhook](../integrators/webhooks.md), by type. The envelope is always the same:
`id` (the same in each attempt), `event`, `createdAt`, `data`. `externalId` is yours, or null. Apart
from what you put into it, only `aml.match` contains personal data, those of
[monitored](../integrators/aml.md) people. Fetch the details with `GET /v1/verifications/{id}`.
A test compares these examples with the events of a verification.
"""


def render(description: Mapping[str, Any]) -> str:
    """Return the page. `description` is the OpenAPI document."""
    sections = (_section(kind, description["webhooks"][kind.value]["post"]) for kind in EventKind)
    return "\n".join((HEADER, *sections))


def _section(kind: EventKind, operation: Mapping[str, Any]) -> str:
    [media] = operation["requestBody"]["content"].values()
    body = {name: media["example"][name] for name in ENVELOPE}
    shown = json.dumps(body, ensure_ascii=False, indent=2)
    text = f"{operation['summary']}. {operation['description']}"
    return f"## {kind.value}\n\n{text}\n\n<!-- event -->\n```json\n{shown}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(render(create_app(Settings(_env_file=None)).openapi()))
