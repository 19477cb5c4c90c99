"""SHA-256 of what judges a step: the service's source code with its data, and the models.

A version names what its author meant; a digest names the bytes that ran. Both digests are those of
the list that `sha256sum` prints for the files, so that anyone can compute them for a release.
"""

import os
from collections.abc import Iterable
from functools import cache
from hashlib import file_digest, sha256
from pathlib import Path

from acredita.engines.face import model_folder
from acredita.engines.text import model_files

_PACKAGE = Path(__file__).parents[1]
# Pages and what is built of them judge nothing.
_PAGES = "web"
# The code, and data such as the templates of licences.
_JUDGING = (".py", ".json")
_FACE_MODELS = ("blazeface.onnx", "facemesh.onnx", "iris.onnx", "sface.onnx")


@cache
def code() -> str:
    """Return the digest of the package's Python and JSON files but those of `web`, sorted by path.
    It has 64 hexadecimal digits. The first call reads 4 MB: make it when the process starts, before
    an upgrade can replace the files."""
    found: dict[str, Path] = {}
    for folder, folders, names in os.walk(_PACKAGE):
        if Path(folder) == _PACKAGE:
            folders[:] = [name for name in folders if name != _PAGES]
        paths = (Path(folder, name) for name in names if name.endswith(_JUDGING))
        found |= {str(path.relative_to(_PACKAGE)): path for path in paths}
    return _of_list(sorted(found.items()))


@cache
def models(folder: Path | None, *own: Path | None) -> str:
    """Return the digest of the models, by their file names: of the text engine, of the face engine
    in `folder` (None: the default), and the operator's `own`, each with its description, which has
    its limits and scale. Files that are absent are left out. Raise OSError."""
    faces = model_folder.folder(folder)
    files = [
        *model_files.paths(),
        *(faces / name for name in _FACE_MODELS),
        *(each for path in own if path is not None for each in (path, path.with_suffix(".json"))),
    ]
    return _of_list((path.name, path) for path in files if path.exists())


def _of_list(files: Iterable[tuple[str, Path]]) -> str:
    digest = sha256()
    for name, path in files:
        with path.open("rb") as file:
            digest.update(f"{file_digest(file, 'sha256').hexdigest()}  {name}\n".encode())
    return digest.hexdigest()
