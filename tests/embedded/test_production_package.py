"""The service's wheel, unpacked and run by itself: it holds no synthetic person and says so.

`python -S` reads no .pth file, so neither checkout is on the path of these processes: they see the
wheel's files and the environment's other packages alone.
"""

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow

HEALTH = """
import asyncio, httpx
from acredita.main import create_app
from acredita.settings import Settings

async def ask():
    app = create_app(Settings(_env_file=None))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return (await client.get("/health/services")).text

print(asyncio.run(ask()))
"""


def build_wheel(project, folder):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=project,
        check=True,
        capture_output=True,
    )
    [wheel] = folder.glob("*.whl")
    return zipfile.ZipFile(wheel)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    with build_wheel(PROJECT, tmp_path_factory.mktemp("service")) as opened:
        yield opened


@pytest.fixture(scope="module")
def run(wheel, tmp_path_factory):
    """Runs Python with the wheel's files and without what is installed from a checkout."""
    folder = tmp_path_factory.mktemp("installed")
    wheel.extractall(folder)
    borrow_bytecode(folder)
    path = os.pathsep.join([str(folder), sysconfig.get_path("purelib")])

    def run_python(*arguments, **environment):
        return subprocess.run(
            [sys.executable, "-S", *arguments],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": path} | environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return run_python


def borrow_bytecode(folder):
    """Let Python find what is compiled of the same sources: to compile all takes seconds."""
    for source in (PROJECT / "src").rglob("*.py"):
        copy = folder / source.relative_to(PROJECT / "src")
        if copy.exists() and copy.read_bytes() == source.read_bytes():
            about = source.stat()
            os.utime(copy, ns=(about.st_atime_ns, about.st_mtime_ns))
    for compiled in (PROJECT / "src").rglob("__pycache__"):
        parent = folder / compiled.relative_to(PROJECT / "src").parent
        if parent.exists():
            (parent / "__pycache__").symlink_to(compiled)


def top_folders(wheel):
    return {name.split("/")[0] for name in wheel.namelist() if ".dist-info/" not in name}


def test_the_services_wheel_holds_no_synthetic_module(wheel):
    assert top_folders(wheel) == {"acredita"}
    assert not [name for name in wheel.namelist() if "synthetic" in name]
    assert "acredita/main.py" in wheel.namelist()


def test_the_synthetic_wheel_holds_nothing_of_the_service(tmp_path):
    with build_wheel(PROJECT / "synthetic", tmp_path) as wheel:
        assert top_folders(wheel) == {"acredita_synthetic"}
        assert "acredita_synthetic/faces/render.py" in wheel.namelist()


def test_without_the_synthetic_package_the_service_runs_and_health_says_absent(
    run, database_url, settings, tmp_path
):
    done = run(
        "-c",
        HEALTH,
        ACREDITA_DATABASE_URL=database_url,
        ACREDITA_REDIS_URL=settings.redis_url,
        ACREDITA_DATA_DIR=str(tmp_path),
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["syntheticIdGenerator"] == {
        "status": "absent",
        "detail": "not part of this installation",
    }


async def test_with_the_synthetic_package_health_says_up(client):
    health = (await client.get("/health/services")).json()
    assert health["syntheticIdGenerator"]["status"] == "up"


@pytest.mark.parametrize("command", [["demo"], ["synth", "specimens"]])
def test_without_the_synthetic_package_its_commands_say_what_to_install(run, command):
    done = run("-m", "acredita.cli", *command)
    assert done.returncode == 1
    assert done.stderr == (
        f"acredita {command[0]}: the package acredita-synthetic is not installed."
        " In a checkout of the repository: pip install ./synthetic\n"
    )
