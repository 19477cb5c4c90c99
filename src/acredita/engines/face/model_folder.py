"""The folder of the face engine's models, which `make models` creates."""

import sys
from pathlib import Path


def folder(named: Path | None) -> Path:
    """Return `named`, or the default folder in the Python environment."""
    return named or Path(sys.prefix) / "share" / "acredita" / "models"


def available(named: Path | None) -> bool:
    """Whether the folder has models."""
    return (folder(named) / "manifest.json").is_file()
