"""Engine processes, models and thresholds."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from acredita.settings.base import SettingsGroup


class EngineSettings(SettingsGroup):
    engine_processes: int | None = Field(
        None,
        ge=1,
        description="Processes per worker that read documents, and as many that compare faces. "
        "Empty: as many as the cores hold, and at most one for 2 GiB of memory.",
    )
    engine_threads: int = Field(
        1,
        ge=1,
        description="Threads per engine process. Two processes of one thread read nearly twice as "
        "many documents as one of two threads, which reads a single one faster.",
    )
    engine_memory_limit: int = Field(
        4096,
        ge=512,
        description="Address space limit of an engine process in MiB, against hostile files. None "
        "with ENGINE_DEVICE=cuda, which maps much more.",
    )
    engine_device: Literal["cpu", "cuda"] = Field(
        "cpu",
        description="Where the models run. cuda: on an Nvidia GPU, with the package "
        "onnxruntime-gpu instead of onnxruntime.",
    )
    face_models: Path | None = Field(
        None,
        description="Folder of the face engine's models. Empty: the output of `make models`.",
    )
    face_embedding: Path | None = Field(
        None,
        description="ONNX file of an own embedding of faces; its description (.json) is next to "
        "it (docs/compliance/recognition.md). Empty: the built-in SFace.",
    )
    liveness_model: Path | None = Field(
        None,
        description="ONNX file of a passive liveness model; its description (.json) is next to it.",
    )
    calibration: Path | None = Field(
        None,
        description="File from `acredita calibrate` with field thresholds. Empty: built-in values.",
    )
    postal_codes: Path | None = Field(
        None,
        description="The catalogue of postal codes of Correos de México (CPdescarga.txt). It "
        "confirms addresses and places of birth. Empty: only their print decides.",
    )
