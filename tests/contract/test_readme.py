"""The README's tour does what it says: its very commands are run against a running stack."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from acredita.development import demo_organization
from acredita.embedded.ports import free_port
from acredita.embedded.stack import running_stack
from acredita.settings import Settings

PROJECT = Path(__file__).parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


def tour() -> str:
    text = (PROJECT / "README.md").read_text()
    blocks = re.findall(
        r"<!-- tour: begin.*?-->\s*```sh\n(.*?)```\s*<!-- tour: end", text, re.DOTALL
    )
    assert len(blocks) == 2, "the README has lost its tour"
    return "".join(blocks)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_tour_ends_with_an_approved_verification(tmp_path, monkeypatch):
    for name in ("ACREDITA_DATABASE_URL", "ACREDITA_REDIS_URL"):
        monkeypatch.delenv(name)
    port = free_port()
    settings = Settings(_env_file=None)
    with (
        (tmp_path / "log").open("w") as log,
        running_stack(settings, tmp_path / "data", port=port, durable=False, output=log) as stack,
    ):
        credentials = demo_organization(stack.base_url, tmp_path / "credentials.json")
        script = tour().replace("http://127.0.0.1:8000", stack.base_url)
        script = script.replace(".venv/bin/acredita", f"{sys.executable} -m acredita.cli")
        script = script.replace("sleep 6", "sleep 15")
        done = subprocess.run(
            ["sh", "-eu"],
            input=script,
            cwd=tmp_path,
            env=os.environ
            | {
                "CLIENT_ID": credentials["client_id"],
                "CLIENT_SECRET": credentials["client_secret"],
            },
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert '"status":"APPROVED"' in done.stdout
    answered = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert not [answer for answer in answered if "error" in answer]
    for expected in ("sent", "matches", "lists", "allowed", "folio", "valid"):
        assert any(expected in answer for answer in answered), expected
    assert (tmp_path / "contrato.pdf").read_bytes().startswith(b"%PDF-")
