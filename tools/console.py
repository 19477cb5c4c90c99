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
# What a browser loads before it shows a first screen.
LARGEST_START = 250 * 1000
# The sign-in, and the rooms that reviewers and others open first. The entry may have them.
FIRST_SCREENS = (
    "src/rooms/sign-in/SignInPage.tsx",
    "src/rooms/queue/QueuePage.tsx",
    "src/rooms/search/SearchPage.tsx",
)


def start_scripts(made: Path, screen: str) -> list[Path]:
    """Return the scripts of the entry and of a screen, and what they import statically."""
    chunks = json.loads((made / "vite-manifest.json").read_text())
    found: dict[str, str] = {}
    waiting = [name for name, chunk in chunks.items() if chunk.get("isEntry") or name == screen]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = chunks[name]["file"]
            waiting += chunks[name].get("imports", [])
    return [made / file for file in sorted(found.values())]


def check(made: Path) -> Mapping[str, int]:
    """Return the size in bytes of the largest start. Raise SystemExit if it is too large."""
    sizes = {screen: compressed_size(start_scripts(made, screen)) for screen in FIRST_SCREENS}
    screen, size = max(sizes.items(), key=lambda item: item[1])
    if size > LARGEST_START:
        raise SystemExit(
            f"{screen} loads {size} bytes compressed; {LARGEST_START} are allowed before it shows."
        )
    return {"startBytesCompressed": size}


if __name__ == "__main__":
    make(Path(sys.argv[1]).resolve(), SOURCES, [Path(__file__), PROJECT / "openapi.json"], check)
