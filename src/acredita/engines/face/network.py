"""The network that computes embeddings: SFace, or the operator's own."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from acredita.domain.faces import EMBEDDING_VERSION, FaceEmbedding, Scale, distance_at
from acredita.engines.face import models
from acredita.engines.face.description import (
    EmbeddingDescription,
    ModelRefused,
    Preparation,
    read_description,
)
from acredita.engines.face.find import Image

Embedding = NDArray[np.float64]
_MOST_NUMBERS: Final = 2048
_DIGITS: Final = 12
"""Of the digest of an operator's description, which a change of model or calibration changes."""


@dataclass(frozen=True)
class Network:
    """`version` names what embeddings must share to be comparable. An empty `scale` is the built-in
    model's."""

    session: onnxruntime.InferenceSession
    preparation: Preparation
    version: str = EMBEDDING_VERSION
    scale: Scale = ()

    @property
    def own(self) -> str:
        """The version of the operator's network; empty for the built-in one."""
        return "" if self.version == EMBEDDING_VERSION else self.version

    def embed(self, face: Image) -> Embedding:
        """Return the embedding of an aligned face (RGB) and its mirror image together: float64,
        of length 1."""
        ordered = face if self.preparation.colour_order == "RGB" else face[:, :, ::-1]
        values = (ordered / 255.0 - self.preparation.mean) / self.preparation.std
        numbers: Embedding = self._run(values) + self._run(values[:, ::-1])
        return np.asarray(numbers / max(float(np.linalg.norm(numbers)), 1e-12), np.float64)

    def distance(self, one: Embedding, other: Embedding) -> float:
        return distance_at(float(one @ other), self.scale)

    def stored(self, embedding: Embedding) -> FaceEmbedding:
        numbers = tuple(round(float(number), 6) for number in embedding)
        return FaceEmbedding(numbers, self.version, self.scale)

    def _run(self, values: NDArray[np.float64]) -> Embedding:
        fed = np.ascontiguousarray(values.transpose(2, 0, 1)[None], np.float32)
        (numbers, *_) = self.session.run(None, {self.session.get_inputs()[0].name: fed})
        return np.asarray(numbers, np.float64).reshape(-1)


@cache
def network() -> Network:
    """Load the network, once per process. Raise ModelsMissing, ModelRefused."""
    own = models.own_embedding()
    if own is not None:
        return _load_own(own)
    return Network(models.graph("sface"), Preparation())


def _load_own(path: Path) -> Network:
    described = read_description(path, EmbeddingDescription)
    digest = sha256(described.model_dump_json().encode()).hexdigest()[:_DIGITS]
    side = described.input_size
    try:
        session = models.load_session("own", path)
        loaded = Network(session, described, f"{described.name}/{digest}", described.scale)
        numbers = loaded.embed(np.arange(side * side * 3, dtype=np.uint8).reshape(side, side, 3))
    except Exception as fault:
        # onnxruntime has its own exceptions, and a graph of another shape can raise any.
        raise ModelRefused(f"{path.name}: {type(fault).__name__}") from None
    if not (1 < numbers.size <= _MOST_NUMBERS and abs(np.linalg.norm(numbers) - 1) < 1e-6):
        raise ModelRefused(f"{path.name}: it makes no embedding of a face")
    return loaded
