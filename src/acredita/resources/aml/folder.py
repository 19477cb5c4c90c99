"""The folder for downloads and index files on this machine.

It is below DATA_DIR, because a list can be larger than a container's /tmp.
"""

import shutil
import time
from pathlib import Path

from acredita.settings import Settings

# Seconds. After this time no process still uses the working folder of a killed process.
ABANDONED_AFTER = 86_400.0
WORK = "work-"


def folder_of(settings: Settings) -> Path:
    folder = settings.data_dir / "aml"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def sweep(folder: Path) -> None:
    """Delete abandoned working folders and partial files. Blocking: call it in a thread."""
    for path in (*folder.glob(f"{WORK}*"), *folder.glob(".*")):
        if not _is_abandoned(path):
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _is_abandoned(path: Path) -> bool:
    try:
        return path.stat().st_mtime < time.time() - ABANDONED_AFTER
    except FileNotFoundError:  # its process has just finished with it
        return False
