"""The program of acredita-verifier, as it runs where only its package and what that requires is."""

import contextlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from tools import packages

# None of it may be importable: web framework, database, Redis, engines, settings, commands.
OF_SERVICE = (
    *("fastapi", "starlette", "uvicorn", "sqlalchemy", "asyncpg", "redis", "arq", "pydantic"),
    *("cv2", "numpy", "onnxruntime", "rapidocr", "PIL", "zxingcpp", "typer", "acredita.services"),
)
PROGRAM = """
import sys
from importlib.util import find_spec

def refuse(event, arguments):
    if event in {"socket.connect", "socket.getaddrinfo"}:
        raise SystemExit(f"it asks the network: {arguments}")

sys.path += sys.argv[1:3]
sys.addaudithook(refuse)
present = [name for name in sys.argv[3].split() if find_spec(name) is not None]
if present:
    sys.exit(f"importable: {present}")
from acredita.engines.evidence.command import main
main(sys.argv[4:])
"""


class Verifier:
    """The program, from the folder of which `make packages` makes its wheel."""

    def __init__(self, scratch: Path) -> None:
        self.stage = packages.stage_verifier(scratch)
        self._libraries = scratch / "libraries"
        self._libraries.mkdir()
        project = tomllib.loads((self.stage / "pyproject.toml").read_text())["project"]
        for name in _required(project["dependencies"], set()):
            self._link(name)

    def run(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Run it in an isolated Python, whose own packages are not on the path."""
        source = self.stage / "src"
        command = [sys.executable, "-I", "-S", "-c", PROGRAM, source, self._libraries]
        return subprocess.run(
            [*map(str, command), " ".join(OF_SERVICE), *map(str, arguments)],
            env={},
            capture_output=True,
            text=True,
            check=False,
        )

    def _link(self, name: str) -> None:
        """Make the files of an installed package importable."""
        installed = distribution(name)
        for first in {path.parts[0] for path in installed.files or ()} - {"..", "__pycache__"}:
            (self._libraries / first).symlink_to(str(installed.locate_file(first)))


def _required(requirements: list[str], seen: set[str]) -> Iterator[str]:
    """Yield the packages that the requirements need, as far as they are installed here."""
    for requirement in requirements:
        name = re.split(r"[^\w.-]", requirement)[0].lower().replace("_", "-")
        if name in seen or "extra ==" in requirement:
            continue
        seen.add(name)
        # Those of other systems and other Pythons are not installed.
        with contextlib.suppress(PackageNotFoundError):
            required = distribution(name).requires or []
            yield name
            yield from _required(required, seen)
