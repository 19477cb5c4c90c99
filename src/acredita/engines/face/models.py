"""Loads the models and checks each against the manifest of `make models`."""

import json
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache
from hashlib import file_digest
from pathlib import Path
from typing import TypeVar

import cv2
import onnxruntime

from acredita.engines.face.model_folder import folder
from acredita.engines.sessions import open_session
from acredita.kit.machine import usable_cores
from acredita.kit.memory import share_one_heap

Result = TypeVar("Result")


class ModelsMissing(RuntimeError):
    """The folder of models is missing, or a file in it does not match the manifest."""


class _Chosen:
    """What this process loads: the folder of models, and the operator's embedding instead of the
    folder's. `beside` is its second thread, if it has one."""

    folder = folder(None)
    own_embedding: Path | None = None
    beside: Executor | None = None


@cache
def graph(name: str, threads: int = 1) -> onnxruntime.InferenceSession:
    """Load a model once per process: blazeface, facemesh, iris or sface. Raise
    ModelsMissing."""
    return load_session(name, _checked(f"{name}.onnx"), threads)


def load_session(name: str, path: Path, threads: int = 1) -> onnxruntime.InferenceSession:
    """Load an ONNX file. `name`: see sessions.open_session."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # By path: from bytes, the embedding takes its size once more.
    return open_session(name, path, options)


def own_embedding() -> Path | None:
    """The operator's embedding, which this process uses; None: the built-in one."""
    return _Chosen.own_embedding


def warm_up(threads: int = 1, named: Path | None = None, own_embedding: Path | None = None) -> None:
    """Load the detectors from the folder `named` (None: the default), and set the operator's
    embedding, if any. Call it once per process. Raise ModelsMissing.

    On a machine of several cores, a second thread looks at the selfie while the first one looks at
    the portrait, whatever `threads` is: it takes the same CPU time, and a pair is ready in 0.55 of
    the time.
    """
    cv2.setNumThreads(threads)
    if usable_cores() > 1 and _Chosen.beside is None:
        share_one_heap()
        _Chosen.beside = ThreadPoolExecutor(1, "faces")
    _Chosen.folder = folder(named)
    _Chosen.own_embedding = own_embedding
    for name in ("blazeface", "facemesh"):
        graph(name)


def beside(task: Callable[[], Result]) -> Callable[[], Result]:
    """Run the task in the second thread. Without one, run it when the result is requested."""
    return task if _Chosen.beside is None else _Chosen.beside.submit(task).result


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
