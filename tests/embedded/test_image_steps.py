"""The steps of the Dockerfile, executed as they are written, without an engine.

Each stage has a root of its own: the machine's programs, and empty folders for all else. So the
base image is this machine's system and Python instead of python:3.11-slim-trixie; the steps, their
order and what the stages copy from each other are the Dockerfile's. Two things save half of the
processor's time: npm finds the packages of the same lock that this checkout has fetched, and Python
compiles what is imported instead of all that pip installs.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from acredita.embedded.ports import free_port
from acredita.embedded.servers import EmbeddedServers
from acredita.settings_check.env_file import new_installation
from acredita.version import VERSION
from tests.conftest import PROJECT

COMMIT = "0123456789ab"
# Of the machine: its programs, its devices, and the Python that these tests run on.
SHARED = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/dev", "/proc", "/sys")
# Packages that npm has fetched into this checkout; tools/npm.py takes them if the lock is the same.
FETCHED = [path for path in ("web", "console") if (PROJECT / path / "node_modules").is_dir()]
BYTECODE = "/bytecode"
START_SECONDS = 120


def can_mount():
    probe = ["unshare", "--mount", "true"]
    return shutil.which("unshare") and not subprocess.run(probe, check=False).returncode


pytestmark = [
    pytest.mark.thorough,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount folders"),
    pytest.mark.skipif(not can_mount(), reason="unshare may not mount here"),
]


@dataclass
class Stage:
    root: Path
    folder: str = "/"
    user: str = "0:0"
    environment: dict[str, str] = field(default_factory=dict)
    health: list[str] = field(default_factory=list)

    def place(self, path):
        """Where a path of the image is on this machine."""
        return self.root / os.path.normpath(f"{self.folder}/{path}" if path[0] != "/" else path)[1:]

    def command(self, *command):
        """The command that runs `command` in the stage, as its user."""
        # Root's folder has the settings of pip and npm; the image's user may not enter it.
        homes = [str(Path.home())] if self.user.startswith("0:") else []
        shared = {path: path for path in (*SHARED, *homes, sys.base_prefix) if Path(path).exists()}
        shared[f"{self.root.parent}{BYTECODE}"] = BYTECODE
        if self.place("/build").exists():
            shared |= {
                f"{PROJECT}/{name}/node_modules": f"/build/{name}/node_modules" for name in FETCHED
            }
        binds = [
            f"mkdir -p {self.root}{path}; mount --rbind {source} {self.root}{path}"
            for source, path in shared.items()
        ]
        uid, gid = self.user.split(":")
        into = ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups"]
        inner = f"cd {self.folder} && exec {shlex.join([*into, *command])}"
        script = "; ".join([*binds, f"exec chroot {self.root} /bin/sh -c {shlex.quote(inner)}"])
        return ["unshare", "--mount", "sh", "-ec", script]

    def variables(self):
        outside = {n: v for n, v in os.environ.items() if not n.startswith(("ACREDITA_", "PYTHON"))}
        base = {
            "PATH": f"/image/bin:{os.environ['PATH']}",
            "TMPDIR": "/tmp",
            "PIP_NO_COMPILE": "1",
            "PYTHONPYCACHEPREFIX": BYTECODE,
        }
        return outside | base | self.environment | {"PYTHONDONTWRITEBYTECODE": ""}

    def run(self, *command):
        done = subprocess.run(
            self.command(*command),
            env=self.variables(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        return done.stdout


def instructions():
    text = (PROJECT / "Dockerfile").read_text()
    text = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    joined = re.sub(r"\\\n", " ", text)
    return [line.split(None, 1) for line in joined.splitlines() if line.strip()]


def new_stage(root):
    """A stage that has only the base image."""
    base = root.parent / "base"
    if not base.exists():
        (base / "tmp").mkdir(parents=True)
        (root.parent / BYTECODE[1:]).mkdir()
        (root.parent / BYTECODE[1:]).chmod(0o777)
        # A copy: a step adds a user.
        shutil.copytree("/etc", base / "etc", symlinks=True)
        Stage(base).run(f"{sys.base_prefix}/bin/python3", "-m", "venv", "/image")
    subprocess.run(["cp", "-a", base, root], check=True)
    return Stage(root)


def copy_of_project(path, target):
    """What the builder copies: tracked files; .dockerignore leaves out only others."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", path], cwd=PROJECT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        place = target / os.path.relpath(name, path) if Path(PROJECT / path).is_dir() else target
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, place)


def copy(stage, stages, arguments):
    *options, source, target = arguments.split()
    is_folder = target.endswith("/")
    place = stage.place(target) / (Path(source).name if is_folder else "")
    if options:
        origin = stages[options[0].removeprefix("--from=")].place(source)
        # Hard links: no later step changes a file in place.
        shutil.copytree(origin, place, symlinks=True, copy_function=os.link, dirs_exist_ok=True)
    else:
        copy_of_project(source, place)


def with_variables(text, variables):
    """Put in build arguments and variables, as the builder does in ENV."""
    return re.sub(r"\$\{?(\w+)\}?", lambda found: variables.get(found[1], ""), text)


def build(folder):
    """Execute all instructions; return the last stage."""
    stages, stage = {}, Stage(folder)
    for word, arguments in instructions():
        if word == "FROM":
            name = arguments.partition(" AS ")[2] or "last"
            stage = stages[name] = new_stage(folder / name)
        elif word == "ENV":
            for name, value in re.findall(r"(\w+)=(\S+)", arguments):
                stage.environment[name] = with_variables(value, stage.variables())
        elif word == "ARG":
            stage.environment[arguments.partition("=")[0]] = COMMIT
        elif word == "WORKDIR":
            stage.folder = arguments
            stage.place(arguments).mkdir(parents=True, exist_ok=True)
        elif word == "COPY":
            copy(stage, stages, arguments)
        elif word == "RUN":
            stage.run("/bin/sh", "-c", arguments)
        elif word == "USER":
            stage.user = arguments
        elif word == "HEALTHCHECK":
            stage.health = json.loads(arguments.partition(" CMD ")[2])
    return stage


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    folder = tmp_path_factory.mktemp("image")
    # Others than root walk through it.
    for path in (folder, *folder.parents):
        if path.is_relative_to("/tmp") and path != Path("/tmp"):
            path.chmod(path.stat().st_mode | 0o011)
    yield build(folder)
    # A gigabyte, which pytest would keep for three runs.
    shutil.rmtree(folder)


def test_the_image_has_the_code_of_its_commit_and_all_pages(image):
    assert image.run("acredita", "--version") == f"acredita {VERSION} (commit {COMMIT})\n"
    for made in ("share/acredita/models/manifest.json",):
        assert (image.root / "opt/acredita" / made).is_file()
    web = image.root / "app/src/acredita/web"
    for page in ("built", "console", "guide"):
        assert (web / page / "manifest.json").is_file(), page
    installed = {path.name for path in (image.root / "opt/acredita/bin").iterdir()}
    assert "pip" not in installed


def test_the_service_runs_as_a_user_who_can_change_nothing_but_its_data(image):
    assert image.run("id", "-u", "-n").strip() == "acredita"
    places = "/app /app/src /opt/acredita /etc /var/lib/acredita"
    writable = f"for place in {places}; do if test -w $place; then echo $place; fi; done"
    assert image.run("/bin/sh", "-c", writable) == "/var/lib/acredita\n"


def test_an_installation_that_the_image_set_up_serves_and_is_healthy(image, tmp_path):
    written = image.run("acredita", "init", "https://id.example", "--file", "-")
    assert written.splitlines()[0] == new_installation("https://id.example").splitlines()[0]
    settings = dict(re.findall(r"^(ACREDITA_\w+)=(.+)$", written, re.MULTILINE))
    port = str(free_port())
    with EmbeddedServers(tmp_path / "servers", durable=False) as servers:
        given = settings | servers.environment() | {"ACREDITA_PORT": port}
        given |= {"ACREDITA_HOST": "127.0.0.1", "ACREDITA_METRICS_PORT": str(free_port())}
        image.environment |= given
        image.run("acredita", "check-config", "--connect")
        image.run("acredita", "migrate")
        with (tmp_path / "log").open("w") as log:
            api = subprocess.Popen(
                image.command("acredita", "api"), env=image.variables(), stdout=log, stderr=log
            )
            try:
                wait_until_healthy(image, api, tmp_path / "log")
            finally:
                api.terminate()
                api.wait(30)


def wait_until_healthy(image, api, log):
    deadline = time.monotonic() + START_SECONDS
    while True:
        done = subprocess.run(
            image.command(*image.health), env=image.variables(), capture_output=True, check=False
        )
        if not done.returncode:
            return
        assert api.poll() is None, log.read_text()[-3000:]
        assert time.monotonic() < deadline, done.stderr.decode()[-1000:]
        time.sleep(0.5)
