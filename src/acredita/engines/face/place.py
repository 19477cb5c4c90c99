"""Where the face engine's models are. `make models` makes them."""

import sys
from pathlib import Path


def folder(named: Path | None) -> Path:
    """`named`, or with the environment that they were made for."""
    return named or Path(sys.prefix) / "share" / "acredita" / "models"


def available(named: Path | None) -> bool:
    return (folder(named) / "manifest.json").is_file()
