"""Prepares a release: `make release V=0.2.0`

Writes the version into every file that states it, and the changelog's entries under its heading. It
commits and tags nothing: CONTRIBUTING.md has the steps that follow.
"""

import re
import sys
from datetime import UTC, date, datetime
from pathlib import Path

PROJECT = Path(__file__).parents[1]
# File → what stands around the version; each pattern has it as its only group.
PLACES = {
    "pyproject.toml": (r'^version = "(.+)"$',),
    "src/acredita/version.py": (r'^VERSION = "(.+)"$',),
    "synthetic/pyproject.toml": (r'^version = "(.+)"$',),
    "verifier/pyproject.toml": (r'^version = "(.+)"$',),
    "verifier/README.md": (r"acredita_verifier-([\d.]+)-py3",),
    "clients/python/pyproject.toml": (r'^version = "(.+)"$',),
    "clients/python/src/acredita_client/client.py": (r"acredita-client-python/([\d.]+)",),
    "clients/node/package.json": (r'^  "version": "(.+)",$',),
    "clients/node/package-lock.json": (r'^ {2,6}"name": "@acredita/node",\n +"version": "(.+)",$',),
    "clients/node/src/transport.ts": (r"acredita-client-node/([\d.]+)",),
    "web/build.mjs": (r'^ +version: "(.+)",$',),
    "deploy/helm/acredita/Chart.yaml": (r"^version: (.+)$", r'^appVersion: "(.+)"$'),
    "docs/compliance/evidence.md": (r"acredita_verifier-([\d.]+)-py3",),
    "docs/es/evidencia.md": (r"acredita_verifier-([\d.]+)-py3",),
    "docs/integrators/quickstart.md": (r"acredita-node-([\d.]+)\.tgz",),
    "docs/es/inicio-rapido.md": (r"acredita-node-([\d.]+)\.tgz",),
}
CHANGELOG = "CHANGELOG.md"
UNRELEASED = "## Unreleased\n"


def versions(folder: Path = PROJECT) -> dict[str, set[str]]:
    """Return the versions that each file states."""
    return {
        name: {
            found[1]
            for pattern in patterns
            for found in re.finditer(pattern, (folder / name).read_text(), re.MULTILINE)
        }
        for name, patterns in PLACES.items()
    }


def prepare(version: str, day: date, folder: Path = PROJECT) -> None:
    """Write the version and the changelog's heading. Raise ValueError and change nothing."""
    stated = set().union(*versions(folder).values())
    if not re.fullmatch(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", version):
        raise ValueError("a version has the form 1.2.3")
    if any(_order(version) < _order(former) for former in stated):
        raise ValueError(f"{version} is older than {max(stated, key=_order)}")
    changelog = (folder / CHANGELOG).read_text()
    entries = changelog.partition(UNRELEASED)[2].partition("\n## ")[0]
    if not entries.strip():
        raise ValueError(f"{CHANGELOG} has no entries under {UNRELEASED.strip()}")
    if f"\n## {version} " in changelog:
        raise ValueError(f"{CHANGELOG} has a section {version}")
    for name, patterns in PLACES.items():
        text = (folder / name).read_text()
        for pattern in patterns:
            text = re.sub(pattern, lambda found: _replaced(found, version), text, flags=re.M)
        (folder / name).write_text(text)
    heading = f"{UNRELEASED}\n## {version} ({day.isoformat()})\n"
    (folder / CHANGELOG).write_text(changelog.replace(UNRELEASED, heading, 1))


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _replaced(found: re.Match[str], version: str) -> str:
    start, end = (place - found.start() for place in found.span(1))
    return found[0][:start] + version + found[0][end:]


if __name__ == "__main__":
    try:
        prepare(sys.argv[1], datetime.now(UTC).date())
    except (IndexError, ValueError) as fault:
        sys.exit(f"make release V=1.2.3: {fault}")
