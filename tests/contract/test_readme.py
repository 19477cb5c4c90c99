"""The README's tour does what it says: its very commands are run against a running stack."""

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
    between = re.search(
        r"<!-- tour: begin.*?-->\s*```sh\n(.*?)```\s*<!-- tour: end", text, re.DOTALL
    )
    assert between, "the README has lost its tour"
    return between.group(1)


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
