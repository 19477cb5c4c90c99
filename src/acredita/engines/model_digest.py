"""SHA-256 of the models that judge: of the list that `sha256sum` prints for their files."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from acredita.engines.digests import list_files
from acredita.engines.face import model_folder
from acredita.engines.text import model_files

_FACE_MODELS = ("blazeface.onnx", "facemesh.onnx", "iris.onnx", "sface.onnx")


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
    return sha256(list_files((path.name, path) for path in files if path.exists())).hexdigest()
