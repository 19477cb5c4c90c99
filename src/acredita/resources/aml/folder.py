"""Where this machine keeps what it fetched, and works: below DATA_DIR, for lists may be larger than
what a container has as /tmp."""

import shutil
import time
from pathlib import Path

from acredita.settings import Settings

# What a killed process left half-done is deleted when no process can be at it any more.
ABANDONED_AFTER = 86_400.0
WORK = "work-"


def folder_of(settings: Settings) -> Path:
    folder = settings.data_dir / "aml"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def sweep(folder: Path) -> None:
    """Blocking. Delete what work left here long ago."""
    for path in folder.glob(f"{WORK}*"):
        if path.stat().st_mtime < time.time() - ABANDONED_AFTER:
            shutil.rmtree(path, ignore_errors=True)
