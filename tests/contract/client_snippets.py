"""The programs of the clients' READMEs and of the page on webhooks, with what their reader has."""

import json
import os
from datetime import UTC, datetime
from uuid import uuid4

from acredita.domain.events import EventKind
from acredita.resources.webhooks import signed_request
from acredita.resources.webhooks.secrets import PREFIX
from tests.factories.pages import PROJECT, block

SECRET = PREFIX + "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE="
SERVICE = "https://acredita.example"
PYTHON_START = """
import os, json
organization_id, api_key = os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"]
raw_body, headers = os.environ["BODY"].encode(), json.loads(os.environ["HEADERS"])
secret = os.environ["SECRET"]
redirect_to = print
"""
PYTHON_MIDDLE = f"""
client = Client.from_credentials("{SERVICE}", organization_id, api_key)
client.organization.set_allowed_origins(["https://app.example"])
"""
NODE_START = """
const { CLIENT_ID: organizationId, CLIENT_SECRET: apiKey } = process.env;
const { BODY: rawBody, SECRET: secret } = process.env;
const request = { headers: JSON.parse(process.env.HEADERS) };
"""


def delivery():
    """The environment variables of a delivery as the service signs it."""
    kind, number, now = EventKind.VERIFICATION_APPROVED, uuid4(), datetime.now(UTC)
    body = signed_request.envelope(number, kind, now, b'{"verificationId":"one"}')
    headers = signed_request.headers(
        SECRET, body, kind=kind, delivery_id=number, attempt_id=uuid4(), now=now
    )
    return {"BODY": body.decode(), "HEADERS": json.dumps(headers), "SECRET": SECRET}


def python_program():
    page = "clients/python/README.md"
    verify, link, hook = (block(page, about) for about in ("verify", "link", "webhook"))
    standard = block("docs/integrators/webhooks.md", "standard webhooks")
    parts = (PYTHON_START, verify, PYTHON_MIDDLE, link, hook, 'print(event["event"])\n', standard)
    return "".join(parts).replace(SERVICE, os.environ["BASE"])


def node_program():
    verify, hook = (block("clients/node/README.md", about) for about in ("verify", "webhook"))
    source = (PROJECT / "clients" / "node" / "src" / "index.ts").as_uri()
    hook = hook.replace("…", "console.log(event.event);")
    return (
        (NODE_START + verify + hook)
        .replace(SERVICE, os.environ["BASE"])
        .replace('"@acredita/node"', f'"{source}"')
    )
