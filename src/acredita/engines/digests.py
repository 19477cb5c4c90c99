"""What judges a step: SHA-256 of the service's source code with its data, and of the libraries'
versions. `model_digest` has that of the models.

A version names what its author meant; a digest names the bytes that ran. The digests are those of
lists that `sha256sum` and `pip` print, so that anyone can compute them for a release.
"""

import os
import platform
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import file_digest, sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

_PACKAGE = Path(__file__).parents[1]
# Pages and what is built of them judge nothing.
_PAGES = "web"
# The code, and data such as the templates of licences.
_JUDGING = (".py", ".json")
# The list of all files of a release, in a distribution that has only some of them.
WHOLE = _PACKAGE / "code.sha256"
# What reads pictures, compares names and evaluates rules. A test compares it with what is imported.
LIBRARIES: Final = (
    "anyascii",
    "cel-expr-python",
    "google-re2",
    "maxminddb",
    "numpy",
    "onnxruntime",
    "opencv-python-headless",
    "phonenumbers",
    "pillow",
    "pyclipper",
    "pypdfium2",
    "rapidfuzz",
    "zxing-cpp",
)


@cache
def code() -> str:
    """Return the digest of the package's Python and JSON files but those of `web`, sorted by path.
    It has 64 hexadecimal digits. The first call reads 4 MB: make it when the process starts, before
    an upgrade can replace the files."""
    return sha256(list_code()).hexdigest()


def list_code() -> bytes:
    """Return the list of the code's files. A distribution of some of them has the release's list,
    which counts if each of its own files is in it."""
    found: dict[str, Path] = {}
    for folder, folders, names in os.walk(_PACKAGE):
        if Path(folder) == _PACKAGE:
            folders[:] = [name for name in folders if name != _PAGES]
        paths = (Path(folder, name) for name in names if name.endswith(_JUDGING))
        found |= {str(path.relative_to(_PACKAGE)): path for path in paths}
    own = list_files(sorted(found.items()))
    whole = WHOLE.read_bytes() if WHOLE.is_file() else b""
    return whole if {*own.splitlines()} <= {*whole.splitlines()} else own


def list_files(files: Iterable[tuple[str, Path]]) -> bytes:
    """Return what `sha256sum` prints for the files, by the given names. Raise OSError."""
    lines = []
    for name, path in files:
        with path.open("rb") as file:
            lines.append(f"{file_digest(file, 'sha256').hexdigest()}  {name}\n")
    return "".join(lines).encode()


@cache
def libraries() -> Mapping[str, str]:
    """Return the versions of Python and of the installed LIBRARIES, sorted by name. It imports none
    of them. Call it first when the process starts, like `code`. The caller does not change it."""
    found = {"python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return dict(sorted(found.items()))


def of_libraries(versions: Mapping[str, str]) -> str:
    """Return the digest of the versions: of the lines `name==version`, sorted by name."""
    lines = (f"{name}=={number}\n" for name, number in sorted(versions.items()))
    return sha256("".join(lines).encode()).hexdigest()


@cache
def judging() -> Mapping[str, str]:
    """Return the digests of the code and of the libraries, which each step has. The caller does not
    change the mapping."""
    return {"code": code(), "libraries": of_libraries(libraries())}
