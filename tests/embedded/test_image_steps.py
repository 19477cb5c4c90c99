"""The steps of the Dockerfile, executed as they are written, without an engine.

Each stage has a root of its own: the machine's programs, and empty folders for all else. So the
base image is this machine's system and Python instead of python:3.11-slim-trixie; the steps, their
order and what the stages copy from each other are the Dockerfile's. npm finds the packages of the
same lock that this checkout has fetched.

*reused* saves four fifths of the processor's time: pip finds the packages of the same lock that
this environment has, and the builds of models and pages find what make has built. They compare it
with the stage's own sources, by digest, and would build it again. *fetched*, of `make thorough`,
does everything in full.
"""

import asyncio
import importlib.metadata
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import sysconfig
import time
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from sqlalchemy import make_url

from acredita.embedded.ports import free_port
from acredita.settings_check.env_file import new_installation
from acredita.version import VERSION
from tests.conftest import PROJECT, on_server, plain_url

COMMIT = "0123456789ab"
# Of the machine: its programs, its devices, and the Python that these tests run on.
SHARED = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/dev", "/proc", "/sys")
# Packages that npm has fetched into this checkout; tools/npm.py takes them if the lock is the same.
FETCHED = [path for path in ("web", "console") if (PROJECT / path / "node_modules").is_dir()]
# What the steps build, and where make has put the same.
PAGES = PROJECT / "src/acredita/web"
BUILT = {
    "/models": Path(sys.prefix) / "share/acredita/models",
    "/web": PAGES / "built",
    "/console": PAGES / "console",
    "/guide": PAGES / "guide",
}
PACKAGES = Path(sysconfig.get_path("purelib"))
BYTECODE = "/bytecode"
START_SECONDS = 120
DATABASE = f"acredita_image_{os.getpid()}"


def can_mount():
    probe = ["unshare", "--mount", "true"]
    return shutil.which("unshare") and not subprocess.run(probe, check=False).returncode


pytestmark = [
    # `make test` compares the Dockerfile with lock, package and settings (test_deployment_files).
    pytest.mark.deployment,
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

    @property
    def own_bytecode(self):
        """Whether Python keeps what it compiles apart, and compiles only what is imported."""
        return Path(f"{self.root.parent}{BYTECODE}").is_dir()

    def place(self, path):
        """Where a path of the image is on this machine."""
        return self.root / os.path.normpath(f"{self.folder}/{path}" if path[0] != "/" else path)[1:]

    def command(self, *command):
        """The command that runs `command` in the stage, as its user."""
        # Root's folder has the settings of pip and npm; the image's user may not enter it.
        homes = [str(Path.home())] if self.user.startswith("0:") else []
        shared = {path: path for path in (*SHARED, *homes, sys.base_prefix) if Path(path).exists()}
        if self.own_bytecode:
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
        }
        if self.own_bytecode:
            base["PYTHONPYCACHEPREFIX"] = BYTECODE
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


def link(source, place):
    """Put a hard link at `place`: no step changes a file in place."""
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, place)
    except OSError:  # another file system
        shutil.copy2(source, place)


def copy_packages(environment, names):
    """Give a stage's environment what this one has of these packages."""
    files = set()
    for name in names:
        # A package that this machine does not need is not here.
        with suppress(importlib.metadata.PackageNotFoundError):
            files |= {Path(file) for file in importlib.metadata.files(name)}
    files |= {Path(cache_from_source(file)) for file in files if file.suffix == ".py"}
    for file in files:
        # Scripts, which are elsewhere, name their Python; no step uses one.
        if ".." not in file.parts and (PACKAGES / file).is_file():
            link(PACKAGES / file, environment / PACKAGES.relative_to(sys.prefix) / file)


def new_stage(root):
    """A stage that has only the base image."""
    base = root.parent / "base"
    if not base.exists():
        (base / "tmp").mkdir(parents=True)
        # A copy: a step adds a user.
        shutil.copytree("/etc", base / "etc", symlinks=True)
        make = [f"{sys.base_prefix}/bin/python3", "-m", "venv", "--without-pip", "/image"]
        Stage(base).run(*make)
        # ensurepip would take seconds.
        copy_packages(base / "image", ["pip"])
        pip = base / "image/bin/pip"
        pip.write_text("#!/image/bin/python\nfrom pip._internal.cli.main import main\nmain()\n")
        pip.chmod(0o755)
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


def give_what_is_made(stage, step):
    """Put what this checkout has of a step's result where the step looks for it."""
    last = step.split()[-1]
    if lock := re.search(r"-r (\S+)", step):
        environment = re.search(r"-m venv --without-pip (\S+)", step)
        pinned = re.findall(r"^([\w.-]+)==", stage.place(lock[1]).read_text(), re.MULTILINE)
        copy_packages(stage.place(environment[1] if environment else "/image"), pinned)
    elif last in BUILT and BUILT[last].is_dir():
        shutil.copytree(BUILT[last], stage.place(last))


def copy(stage, stages, arguments):
    *options, source, target = arguments.split()
    is_folder = target.endswith("/")
    place = stage.place(target) / (Path(source).name if is_folder else "")
    if options:
        origin = stages[options[0].removeprefix("--from=")].place(source)
        place.mkdir(parents=True, exist_ok=True)
        # Hard links: no later step changes a file in place.
        subprocess.run(["cp", "-al", f"{origin}/.", place], check=True)
    else:
        copy_of_project(source, place)


def with_variables(text, variables):
    """Put in build arguments and variables, as the builder does in ENV."""
    return re.sub(r"\$\{?(\w+)\}?", lambda found: variables.get(found[1], ""), text)


def build(folder, reuses):
    """Execute all instructions; return the last stage."""
    stages, stage = {}, Stage(folder)
    if not reuses:
        (folder / BYTECODE[1:]).mkdir()
        (folder / BYTECODE[1:]).chmod(0o777)
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
            if reuses:
                give_what_is_made(stage, arguments)
            stage.run("/bin/sh", "-c", arguments)
        elif word == "USER":
            stage.user = arguments
        elif word == "HEALTHCHECK":
            stage.health = json.loads(arguments.partition(" CMD ")[2])
    return stage


@pytest.fixture(
    scope="module", params=["reused", pytest.param("fetched", marks=pytest.mark.thorough)]
)
def image(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("image")
    # Others than root walk through it.
    for path in (folder, *folder.parents):
        if path.is_relative_to("/tmp") and path != Path("/tmp"):
            path.chmod(path.stat().st_mode | 0o011)
    yield build(folder, reuses=request.param == "reused")
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


@pytest.fixture
def empty_database():
    """The URL of a database without tables."""
    server = make_url(os.environ["ACREDITA_DATABASE_URL"])
    asyncio.run(on_server(plain_url(server), f'CREATE DATABASE "{DATABASE}"'))
    yield server.set(database=DATABASE).render_as_string(hide_password=False)
    asyncio.run(on_server(plain_url(server), f'DROP DATABASE "{DATABASE}" WITH (FORCE)'))


def test_an_installation_that_the_image_set_up_serves_and_is_healthy(
    image, empty_database, tmp_path
):
    written = image.run("acredita", "init", "https://id.example", "--file", "-")
    assert written.splitlines()[0] == new_installation("https://id.example").splitlines()[0]
    settings = dict(re.findall(r"^(ACREDITA_\w+)=(.+)$", written, re.MULTILINE))
    port = free_port()
    image.environment |= settings | {
        "ACREDITA_DATABASE_URL": empty_database,
        "ACREDITA_REDIS_URL": os.environ["ACREDITA_REDIS_URL"],
        "ACREDITA_HOST": "127.0.0.1",
        "ACREDITA_PORT": str(port),
        "ACREDITA_METRICS_PORT": str(free_port()),
    }
    image.run("acredita", "check-config", "--connect")
    image.run("acredita", "migrate")
    with (tmp_path / "log").open("w") as log:
        api = subprocess.Popen(
            image.command("acredita", "api"), env=image.variables(), stdout=log, stderr=log
        )
        try:
            wait_until_it_listens(port, api, tmp_path / "log")
            image.run(*image.health)
        finally:
            api.terminate()
            api.wait(30)


def wait_until_it_listens(port, api, log):
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            assert api.poll() is None, log.read_text()[-3000:]
            assert time.monotonic() < deadline, "the service did not start"
            time.sleep(0.2)
        else:
            return
