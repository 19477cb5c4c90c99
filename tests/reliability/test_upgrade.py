"""The upgrade drill, and the way back: the former release's code runs on the new schema.

Under load, migrations run while the former code serves. The new code takes over, the former code
serves again, and then the new code for good. No request fails, besides a 503 that says when to try
again. What the former code accepted, the new code finishes, and `doctor` finds nothing.
"""

import io
import os
import signal
import subprocess
import sys
import tarfile
import threading
import time
from collections import Counter

import httpx
import pytest

from acredita.development import demo_organization
from acredita.embedded.ports import free_port
from acredita.embedded.servers import EmbeddedServers
from tests.chaos.installation import NO_LIMITS, Child
from tests.conftest import PROJECT
from tests.pipeline.test_registries import ACTIVE

# The former release, whose code must run on the schema of this one. Raise it with each release.
FORMER = "ce5ab70a"
START_SECONDS = 180
# Seconds of load before and after each change.
CALM = 5
CALLERS = 3
pytestmark = [pytest.mark.thorough, pytest.mark.timeout(900)]


@pytest.fixture
def former(tmp_path):
    """A folder with the former release's code and migrations."""
    archive = subprocess.run(
        ["git", "archive", FORMER, "src", "migrations", "alembic.ini"],
        cwd=PROJECT,
        capture_output=True,
        check=False,
    )
    if archive.returncode:
        pytest.skip(f"the history does not reach back to {FORMER}")
    folder = tmp_path / "former"
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
        packed.extractall(folder, filter="data")
    return folder


class Load:
    """Callers that create, read and list verifications, and remember each failure."""

    def __init__(self, base_url, key):
        self.base_url, self._key = base_url, key
        self.answers = Counter()
        self.failures = []
        self.created = []
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._run) for _ in range(CALLERS)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def serve_from(self, base_url):
        """Send all requests there for CALM seconds; some must have created something."""
        self.base_url, before = base_url, len(self.created)
        time.sleep(CALM)
        assert len(self.created) > before, f"nothing was created at {base_url}"

    def _run(self):
        with httpx.Client(headers=self._key, trust_env=False, timeout=60) as client:
            workflow = self._call(
                client,
                "POST",
                "/v1/workflows",
                {"name": "Upgrade", "steps": [{"type": "GOVERNMENT_VERIFY", "order": 0}]},
            )["workflow"]["id"]
            while not self._stop.wait(0.2):
                body = {"workflowId": workflow, "metadata": {"curp": ACTIVE}}
                if made := self._call(client, "POST", "/v1/verifications", body):
                    self.created.append(made["verification"]["id"])
                if self.created:
                    self._call(client, "GET", f"/v1/verifications/{self.created[-1]}")
                self._call(client, "GET", "/v1/verifications?limit=5")

    def _call(self, client, method, path, body=None):
        try:
            answer = client.request(method, self.base_url + path, json=body)
        except httpx.HTTPError as fault:
            self.failures.append(f"{method} {path}: {fault!r}")
            return None
        self.answers[answer.status_code] += 1
        if answer.is_success:
            return answer.json()
        if answer.status_code != 503 or "retry-after" not in answer.headers:
            self.failures.append(f"{method} {path}: {answer.status_code} {answer.text[:300]}")
        return None


def key_without_limit(base_url, folder):
    """The header of an API key whose requests are not limited."""
    demo = demo_organization(base_url, folder / "credentials.json")
    made = httpx.post(
        f"{base_url}/v1/organizations/me/api-keys",
        json={"name": "Upgrade", "rateLimit": 0},
        headers={"X-Api-Key": demo["client_secret"]},
        trust_env=False,
    ).raise_for_status()
    return {"X-Api-Key": made.json()["apiKey"]["key"]}


def wait_healthy(base_url):
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            if httpx.get(f"{base_url}/health", trust_env=False).is_success:
                return
        except httpx.TransportError:
            pass
        assert time.monotonic() < deadline, f"{base_url} did not start"
        time.sleep(0.2)


def test_the_former_code_runs_on_the_new_schema_without_a_failed_request(former, tmp_path):
    path = os.environ.get("PYTHONPATH", "")
    with EmbeddedServers(tmp_path / "data", durable=False) as servers:
        shared = {"ACREDITA_DATA_DIR": str(tmp_path / "data"), **NO_LIMITS, **servers.environment()}

        def child(name, code, command, **more):
            folder = {"former": former, "new": PROJECT}[code]
            given = shared | more | {"PYTHONPATH": f"{folder / 'src'}:{path}"}
            argv = [sys.executable, "-m", "acredita.cli", *command]
            return Child(f"{code}-{name}", argv, given, former if code == "former" else tmp_path)

        def succeed(code, *command):
            one = child(command[0], code, command)
            one.start()
            assert one._process.wait() == 0, one.log.read_text()[-3000:]
            one.stop(1)

        base_urls = {code: f"http://127.0.0.1:{free_port()}" for code in ("former", "new")}
        running = {
            (code, name): child(name, code, [name], ACREDITA_PORT=url.rpartition(":")[2])
            for code, url in base_urls.items()
            for name in ("api", "worker")
        }

        def start(code):
            for name in ("api", "worker"):
                running[code, name].start()
            wait_healthy(base_urls[code])

        try:
            succeed("former", "migrate")
            start("former")
            key = key_without_limit(base_urls["former"], tmp_path)
            with Load(base_urls["former"], key) as load:
                time.sleep(CALM)
                succeed("new", "migrate")
                load.serve_from(base_urls["former"])
                start("new")
                load.serve_from(base_urls["new"])
                load.serve_from(base_urls["former"])
                load.serve_from(base_urls["new"])
                for name in ("api", "worker"):
                    running["former", name].send(signal.SIGTERM)
                time.sleep(CALM)
            faults = [
                line[:3000]
                for one in running.values()
                for line in one.log.read_text().splitlines()
                if "unexpected error" in line
            ]
            assert load.failures == [], (load.answers, load.failures[:3], faults[:2])
            assert len(load.created) > CALLERS * CALM
            deadline = time.monotonic() + START_SECONDS
            with httpx.Client(base_url=base_urls["new"], headers=key, trust_env=False) as client:
                while client.get("/v1/verifications?status=PENDING").json()["verifications"]:
                    assert time.monotonic() < deadline, "a verification is never decided"
                    time.sleep(0.5)
            succeed("new", "doctor")
            succeed("new", "audit", "verify")
        finally:
            for one in running.values():
                one.stop(60)
