"""Schemathesis, briefly: all checks, one seed, a quarter of the operations; `make thorough` takes
all of them and their links, and `make fuzz` runs it for long."""

import subprocess

import pytest

from acredita.embedded.ports import HOST
from tests.contract.fuzz import UNLIMITED, run_schemathesis
from tests.loaded_processes import loaded_api

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
def base_url(settings, services, tmp_path):
    """The API as a process of its own, over this test's database."""
    more = UNLIMITED | {"ACREDITA_WEBHOOK_ALLOW_PRIVATE": "true"}
    with loaded_api(settings, tmp_path / "log", **more) as port:
        yield f"http://{HOST}:{port}"


@pytest.mark.parametrize(
    "options",
    [
        # What a person's browser and a reviewer ask. The other phases and operations take minutes.
        (
            *("--phases=fuzzing", "--max-examples=1"),
            "--include-path-regex=^/v1/(verifications|sdk|reviews|otp)",
        ),
        pytest.param(("--max-examples=10",), marks=pytest.mark.thorough),
    ],
    ids=["briefly", "in all phases"],
)
def test_no_generated_request_finds_an_answer_that_the_description_does_not_promise(
    base_url, tmp_path, options
):
    done = run_schemathesis(base_url, tmp_path, "--seed=1", *options, output=subprocess.PIPE)
    assert done.returncode == 0, done.stdout + (tmp_path / "log").read_text()[-4000:]
