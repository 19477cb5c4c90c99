"""Makes the folder of the browser's files: python -m tools.web FOLDER

The packages are pinned by hash (web/package-lock.json). Nothing is built again where the folder's
manifest says that it was made from the same sources.
"""

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from tools.built_folder import compressed_size, make

SOURCES = Path(__file__).parents[2] / "web"
# The texts of one language: `pt-….js`.
CATALOGUE = re.compile(r"[a-z]{2}-[\w-]+\.js")
# What a phone loads before the camera opens, and then for it, compressed.
LARGEST_PAGE = 40 * 1024
LARGEST_CAMERA = 4 * 1024 * 1024


def check(made: Path) -> Mapping[str, int]:
    """Return the compressed bytes of the page, in its largest language, and of its camera step.
    Raise SystemExit if one is too large.
    """
    folder = made / "page"
    first = set(json.loads((folder / "entry.json").read_text()).values())
    later = {path.name for path in folder.iterdir()} - first - {"entry.json"}
    catalogues = {name for name in later if CATALOGUE.fullmatch(name)}
    later -= catalogues
    page = compressed_size(folder / name for name in first)
    page += max(compressed_size([folder / name]) for name in catalogues)
    camera = compressed_size(folder / name for name in later)
    for part, size, largest in (("page", page, LARGEST_PAGE), ("camera", camera, LARGEST_CAMERA)):
        if size > largest:
            raise SystemExit(f"The {part} has {size} bytes compressed; {largest} are allowed.")
    return {"pageBytesCompressed": page, "cameraBytesCompressed": camera}


if __name__ == "__main__":
    make(Path(sys.argv[1]).resolve(), SOURCES, [Path(__file__)], check)
