"""The files that `make web` builds from web/, kept in memory, compressed once."""

import gzip
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

FOLDER = files("acredita.web") / "built"
_MEDIA_TYPES = {
    "js": "text/javascript",
    "css": "text/css",
    # TypeScript declarations for editors.
    "ts": "text/plain; charset=utf-8",
    "json": "application/json",
    "wasm": "application/wasm",
    # The weights of networks.
    "bin": "application/octet-stream",
}


class NotBuilt(Exception):
    """The web files are missing: run `make web`."""


@dataclass(frozen=True, slots=True)
class BuiltFile:
    content: bytes
    compressed: bytes
    media_type: str
    # Its name changes with its content.
    is_lasting: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """The file names of the capture page's script and style."""

    script: str
    style: str


@cache
def entry() -> Entry:
    """Raise NotBuilt."""
    try:
        return Entry(**json.loads((FOLDER / "page" / "entry.json").read_bytes()))
    except FileNotFoundError:
        raise NotBuilt from None


@cache
def built_files() -> dict[str, BuiltFile]:
    """Return the files by the names that they are served under. Raise NotBuilt."""
    entry()
    found = {}
    for folder in ("page", "sdk"):
        for file in (FOLDER / folder).iterdir():
            if file.name == "entry.json":
                continue
            content = file.read_bytes()
            found[file.name] = BuiltFile(
                content,
                gzip.compress(content, mtime=0),
                _MEDIA_TYPES[file.name.rpartition(".")[2]],
                folder == "page",
            )
    return found
