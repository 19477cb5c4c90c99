"""Loads the models, each checked against what `make models` made."""

import json
from functools import cache
from hashlib import file_digest
from pathlib import Path

import cv2
import onnxruntime

from acredita.engines.face.place import folder


class ModelsMissing(RuntimeError):
    """The folder of models is not there, or holds something else than it was made with."""


class _Chosen:
    """The folder that this process loads from."""

    folder = folder(None)


@cache
def graph(name: str, threads: int = 1) -> onnxruntime.InferenceSession:
    """One of blazeface, facemesh, iris, embedding. Raise ModelsMissing."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # By its name: handed over as bytes, the embedding's network takes 25 MB more.
    return onnxruntime.InferenceSession(
        _checked(f"{name}.onnx"), options, providers=["CPUExecutionProvider"]
    )


def warm_up(threads: int = 1, named: Path | None = None) -> None:
    """Load everything that a comparison needs, from the folder `named`; once a process."""
    cv2.setNumThreads(threads)
    _Chosen.folder = folder(named)
    for name in ("blazeface", "facemesh", "embedding"):
        graph(name)


def _checked(name: str) -> Path:
    path = _Chosen.folder / name
    try:
        expected = json.loads((_Chosen.folder / "manifest.json").read_text())["files"][name]
        with path.open("rb") as file:
            found = file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError, KeyError):
        raise ModelsMissing(f"{name} is not in {_Chosen.folder}: run `make models`") from None
    if found != expected:
        raise ModelsMissing(f"{name} in {_Chosen.folder} is not what was made: run `make models`")
    return path
