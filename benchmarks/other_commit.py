"""The sources of another commit, to compare with in one run. Needs the history."""

import io
import shutil
import subprocess
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def unpack(commit: str, folder: Path, *paths: str) -> Path:
    """Unpack `src` and the further `paths` of the commit into the folder. Return its `src`.

    Raise CalledProcessError if git does not have the commit.
    """
    git = shutil.which("git") or "git"
    archive = subprocess.run(
        [git, "-C", ROOT, "archive", commit, "src", *paths], check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return folder / "src"
