"""Schemathesis, briefly: all checks, stateful links, one seed; `make fuzz` runs it for long."""

import subprocess
import sys

import pytest

from acredita.embedded.ports import HOST, free_port
from acredita.embedded.processes import Supervisor
from tests.contract.fuzz import UNLIMITED, run_schemathesis

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
def base_url(settings, services, tmp_path):
    """The API as a process of its own, over this test's database."""
    port = free_port()
    environment = UNLIMITED | {
        "ACREDITA_ENV": "test",
        "ACREDITA_PORT": str(port),
        "ACREDITA_HOST": HOST,
        "ACREDITA_DATABASE_URL": settings.database_url,
        "ACREDITA_REDIS_URL": settings.redis_url,
        "ACREDITA_DATA_DIR": str(tmp_path),
        "ACREDITA_WEBHOOK_ALLOW_PRIVATE": "true",
    }
    url = f"http://{HOST}:{port}"
    with (tmp_path / "log").open("w") as log, Supervisor(output=log) as supervisor:
        supervisor.start("api", [sys.executable, "-m", "acredita.cli", "api"], env=environment)
        supervisor.wait_healthy(f"{url}/health")
        yield url


@pytest.mark.parametrize(
    "options",
    [
        # The other phases take minutes: they are in `make thorough` and `make fuzz`.
        ("--phases=fuzzing", "--max-examples=1"),
        pytest.param(("--max-examples=10",), marks=pytest.mark.thorough),
    ],
    ids=["briefly", "in all phases"],
)
def test_no_generated_request_finds_an_answer_that_the_description_does_not_promise(
    base_url, tmp_path, options
):
    done = run_schemathesis(base_url, tmp_path, "--seed=1", *options, output=subprocess.PIPE)
    assert done.returncode == 0, done.stdout + (tmp_path / "log").read_text()[-4000:]
