"""The files that `make web` and `make console` build, kept in memory, compressed once."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template

from starlette.requests import Request
from starlette.responses import Response

FOLDER = files("acredita.web") / "built"
CONSOLE = Path(str(files("acredita.web"))) / "console"
# Seconds.
YEAR = 365 * 86_400
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
    """The web files are missing: run `make web` or `make console`."""


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
            found[file.name] = _read(file, is_lasting=folder == "page")
    return found


@cache
def console_files() -> dict[str, BuiltFile]:
    """Return the console's scripts and styles by their path below /console/. Empty if not built."""
    return {
        file.relative_to(CONSOLE).as_posix(): _read(file, is_lasting=True)
        for file in (CONSOLE / "assets").rglob("*")
        if file.is_file()
    }


@cache
def console_page() -> Template:
    """Return the console's page, with `$nonce` where the response's nonce belongs.

    Raise NotBuilt.
    """
    try:
        text = (CONSOLE / "index.html").read_text("utf-8")
    except FileNotFoundError:
        raise NotBuilt from None
    return Template(text.replace("$", "$$").replace("CSP_NONCE", "$nonce"))


def file_response(
    file: BuiltFile, request: Request, headers: Mapping[str, str] | None = None
) -> Response:
    """Return the response with a file, compressed if the browser takes that."""
    lasting = f"public, max-age={YEAR}, immutable"
    answered = {
        "Cache-Control": lasting if file.is_lasting else "public, max-age=600",
        "Vary": "Accept-Encoding",
        **(headers or {}),
    }
    content = file.content
    if "gzip" in request.headers.get("accept-encoding", ""):
        content = file.compressed
        answered["Content-Encoding"] = "gzip"
    return Response(content, media_type=file.media_type, headers=answered)


def _read(file: Traversable, *, is_lasting: bool) -> BuiltFile:
    content = file.read_bytes()
    return BuiltFile(
        content,
        gzip.compress(content, mtime=0),
        _MEDIA_TYPES[file.name.rpartition(".")[2]],
        is_lasting,
    )
