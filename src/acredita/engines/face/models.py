"""Where the models are, and how they are loaded. `make models` makes them."""

import json
import os
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import cv2
import dlib
import onnxruntime

FOLDER_VARIABLE: Final = "FACE_MODELS"
EMBEDDING_WEIGHTS: Final = "dlib_face_recognition_resnet_model_v1.dat"


class ModelsMissing(RuntimeError):
    """The folder of models is not there, or holds something else than it was made with."""


def folder() -> Path:
    """With the environment that they were made for, unless the variable names another place."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else Path(sys.prefix) / "share" / "acredita" / "models"


def available() -> bool:
    return (folder() / "manifest.json").is_file()


@cache
def graph(name: str, threads: int = 1) -> onnxruntime.InferenceSession:
    """One of blazeface, facemesh, iris. Raise ModelsMissing."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(
        _checked(f"{name}.onnx"), options, providers=["CPUExecutionProvider"]
    )


@cache
def embedding_network() -> Any:
    """dlib's face_recognition_model_v1. Raise ModelsMissing."""
    # dlib reads a file by its name alone.
    _checked(EMBEDDING_WEIGHTS)
    return dlib.face_recognition_model_v1(str(folder() / EMBEDDING_WEIGHTS))


def warm_up(threads: int = 1) -> None:
    """Load everything that a comparison needs; the pool's initializer."""
    cv2.setNumThreads(threads)
    for name in ("blazeface", "facemesh"):
        graph(name)
    embedding_network()


def _checked(name: str) -> bytes:
    try:
        expected = json.loads((folder() / "manifest.json").read_text())["files"][name]
        content = (folder() / name).read_bytes()
    except (OSError, ValueError, KeyError):
        raise ModelsMissing(f"{name} is not in {folder()}: run `make models`") from None
    if sha256(content).hexdigest() != expected:
        raise ModelsMissing(f"{name} in {folder()} is not what was made: run `make models`")
    return content
