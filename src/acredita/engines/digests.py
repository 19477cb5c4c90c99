"""SHA-256 of what judges a step: the source code of rules and engines, and the models.

A version names what its author meant; a digest names the bytes that ran. Both digests are those of
the list that `sha256sum` prints for the files, so that anyone can compute them for a release.
"""

from collections.abc import Iterable
from functools import cache
from hashlib import file_digest, sha256
from importlib.util import find_spec
from pathlib import Path

from acredita.engines.face import model_folder

_PACKAGE = Path(__file__).parents[1]
_JUDGING = ("domain", "engines")
_TEXT_MODELS = ("PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx")
_FACE_MODELS = ("blazeface.onnx", "facemesh.onnx", "iris.onnx", "sface.onnx")


@cache
def code() -> str:
    """Return the digest of the Python files of `acredita.domain` and `acredita.engines`, sorted by
    path. It has 64 hexadecimal digits."""
    files = sorted(
        str(p.relative_to(_PACKAGE)) for d in _JUDGING for p in (_PACKAGE / d).rglob("*.py")
    )
    return _of_list((name, _PACKAGE / name) for name in files)


@cache
def models(folder: Path | None, *own: Path | None) -> str:
    """Return the digest of the models, by their file names: of the text engine, of the face engine
    in `folder` (None: the default), and the operator's `own`. Raise OSError."""
    faces = model_folder.folder(folder)
    files = [
        *(text_models() / name for name in _TEXT_MODELS),
        *(faces / name for name in _FACE_MODELS if (faces / name).exists()),
        *(path for path in own if path is not None),
    ]
    return _of_list((path.name, path) for path in files)


def text_models() -> Path:
    """Return the folder of the text engine's models. It does not import their package, which takes
    a second."""
    found = find_spec("rapidocr")
    if found is None or found.origin is None:
        raise FileNotFoundError("rapidocr is not installed")
    return Path(found.origin).parent / "models"


def _of_list(files: Iterable[tuple[str, Path]]) -> str:
    digest = sha256()
    for name, path in files:
        with path.open("rb") as file:
            digest.update(f"{file_digest(file, 'sha256').hexdigest()}  {name}\n".encode())
    return digest.hexdigest()
