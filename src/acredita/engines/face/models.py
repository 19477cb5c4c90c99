"""Loads the models and checks each against the manifest of `make models`."""

import json
from functools import cache
from hashlib import file_digest
from pathlib import Path

import cv2
import onnxruntime

from acredita.engines.face.model_folder import folder


class ModelsMissing(RuntimeError):
    """The folder of models is missing, or a file in it does not match the manifest."""


class _Chosen:
    """The folder from which this process loads."""

    folder = folder(None)


@cache
def graph(name: str, threads: int = 1) -> onnxruntime.InferenceSession:
    """Load a model once per process: blazeface, facemesh, iris or embedding. Raise
    ModelsMissing."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Loaded by path: from bytes, the embedding model takes 25 MB more.
    return onnxruntime.InferenceSession(
        _checked(f"{name}.onnx"), options, providers=["CPUExecutionProvider"]
    )


def warm_up(threads: int = 1, named: Path | None = None) -> None:
    """Load the models of a comparison from the folder `named` (None: the default). Call it once per
    process. Raise ModelsMissing."""
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
