"""The version of this code, and the commit that it was built from."""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

# pyproject.toml has the same; a test compares them. The image has no metadata of a package.
VERSION = "0.1.0"
PACKAGE = Path(__file__).parent
# Written when the image is built.
COMMIT_FILE = PACKAGE / "commit"


def commit() -> str | None:
    """Return the commit of the image or of the checkout; None if it is unknown."""
    written = COMMIT_FILE.read_text().strip() if COMMIT_FILE.is_file() else _commit_of_checkout()
    return written if re.fullmatch("[0-9a-f]{7,40}", written) else None


@cache
def release() -> dict[str, str | None]:
    """Return version and commit of the running code. The caller does not change the mapping."""
    return {"version": VERSION, "commit": commit()}


def _commit_of_checkout() -> str:
    checkout, git = PACKAGE.parents[1], shutil.which("git")
    if git is None or not (checkout / ".git").exists():
        return ""
    done = subprocess.run(  # noqa: S603 (the git of the PATH, with constants)
        [git, "-C", checkout, "rev-parse", "--short=12", "HEAD"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip()
