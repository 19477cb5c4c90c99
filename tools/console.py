"""Builds the console: python -m tools.console FOLDER

The types of the API are generated from openapi.json first, so that a console that does not fit the
API fails to compile. The packages are pinned by hash (console/package-lock.json).
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from tools.built_folder import compressed_size, make

PROJECT = Path(__file__).parents[1]
SOURCES = PROJECT / "console"
# What a browser loads before the first page shows: the entry's scripts, without rooms.
LARGEST_START = 250 * 1000


def start_scripts(made: Path) -> list[Path]:
    """Return the scripts that index.html loads: the entry, and what it imports statically."""
    chunks = json.loads((made / "vite-manifest.json").read_text())
    found: dict[str, str] = {}
    waiting = [name for name, chunk in chunks.items() if chunk.get("isEntry")]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = chunks[name]["file"]
            waiting += chunks[name].get("imports", [])
    return [made / file for file in sorted(found.values())]


def check(made: Path) -> Mapping[str, int]:
    """Return the size of the start scripts in bytes. Raise SystemExit if it is too large."""
    size = compressed_size(start_scripts(made))
    if size > LARGEST_START:
        raise SystemExit(f"The start has {size} bytes compressed; {LARGEST_START} are allowed.")
    return {"startBytesCompressed": size}


if __name__ == "__main__":
    make(Path(sys.argv[1]).resolve(), SOURCES, [Path(__file__), PROJECT / "openapi.json"], check)
