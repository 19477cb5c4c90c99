"""Sessions of ONNX Runtime, whose weights the engine processes of a worker share.

ONNX Runtime copies the weights of a model in the order that is the fastest for the CPU. The first
process that loads a model writes them to a file in this order. All processes map this file into
memory. The file is valid only for this CPU and this version of ONNX Runtime, so each worker writes
its own.
"""

from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any, Final

from onnxruntime import GraphOptimizationLevel, InferenceSession, SessionOptions

from acredita.engines.device import Device, chosen, providers
from acredita.kit.floating_point import subnormals_as_zero

_SMALLEST_SHARED: Final = 1024
"""Bytes of weights that are written to the file. Smaller ones stay in the model."""


class _Chosen:
    folder: Path | None = None


class Session(InferenceSession):  # type: ignore[misc]
    """A session that computes with subnormal numbers as zeros, also in its own threads.

    Two layers of the text detector have many where a page is blank: on a processor that is slow
    with them (Intel's Sapphire Rapids), it took 174 ms of a card, and takes 54. The text is the
    same. ONNX Runtime's own setting reaches its threads, but not all that call `run`.
    """

    def __init__(self, model: Path | bytes, options: SessionOptions) -> None:
        options.add_session_config_entry("session.set_denormal_as_zero", "1")
        with subnormals_as_zero():  # the setting would change this thread, too, for good
            super().__init__(model, options, providers=providers())

    def run(self, *args: Any, **named: Any) -> Any:
        with subnormals_as_zero():
            return super().run(*args, **named)


def share_in(folder: Path | None) -> None:
    """Load all further models of this process from `folder`, which only the processes of one worker
    use; None: share nothing."""
    _Chosen.folder = folder


def open_session(name: str, model: Path | bytes, options: SessionOptions) -> Session:
    """Load an ONNX file, by its path or from its bytes. `name`: of the shared file, [a-z0-9-]."""
    if _Chosen.folder is None or chosen() is not Device.CPU:
        return Session(model, options)
    shared = _Chosen.folder / f"{name}.onnx"
    with (_Chosen.folder / f"{name}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not shared.exists():
            _write(model, shared)
    options.graph_optimization_level = GraphOptimizationLevel.ORT_DISABLE_ALL
    return Session(shared, options)


def _write(model: Path | bytes, shared: Path) -> None:
    part = shared.with_suffix(".part")
    options = SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    options.optimized_model_filepath = str(part)
    for entry, value in {
        "optimized_model_external_initializers_file_name": shared.with_suffix(".weights").name,
        "optimized_model_external_initializers_min_size_in_bytes": str(_SMALLEST_SHARED),
    }.items():
        options.add_session_config_entry(f"session.{entry}", value)
    InferenceSession(model, options, providers=providers())
    part.rename(shared)
