"""A passive model of the operator's: one picture in, how likely it is of a living face out.

None comes with the service. The model is an ONNX file; beside it, under the same name with the
ending .json, stands how it is to be fed:

    {"sha256": "…", "inputSize": 128, "cropScale": 1.5, "colourOrder": "RGB",
     "mean": [0, 0, 0], "std": [1, 1, 1], "liveIndex": 0, "threshold": 0.5}

Its input is 1 × 3 × inputSize × inputSize: the face's square box, `cropScale` times as large, of
values from 0 to 1, less `mean`, by `std`. Its output is one score a class, of which a softmax is
taken; one single score is taken for the probability itself.
"""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
import onnxruntime
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from acredita.engines.face.find import Face, Image

_LARGEST_INPUT: Final = 1024


class PassiveModelRefused(RuntimeError):
    """The model or its description is missing, or is not what the description says."""


class Description(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", frozen=True)

    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    input_size: int = Field(ge=16, le=_LARGEST_INPUT)
    crop_scale: float = Field(gt=0, le=5)
    colour_order: Literal["RGB", "BGR"]
    mean: tuple[float, float, float]
    std: tuple[float, float, float]
    live_index: int = Field(ge=0)
    threshold: float = Field(ge=0, le=1)


@dataclass(frozen=True)
class PassiveModel:
    name: str
    description: Description
    session: onnxruntime.InferenceSession

    def probability(self, image: Image, face: Face) -> float:
        """That the face is a living one, from 0 to 1."""
        size = self.description.input_size
        side = face.side * self.description.crop_scale
        x, y = (face.box[0] + face.box[2]) / 2, (face.box[1] + face.box[3]) / 2
        scale = size / side
        placed = np.array([[scale, 0, size / 2 - x * scale], [0, scale, size / 2 - y * scale]])
        crop = cv2.warpAffine(image, placed, (size, size), borderMode=cv2.BORDER_REPLICATE)
        if self.description.colour_order == "RGB":
            crop = cv2.cvtColor(crop, cv2.COLOR_BGR2RGB)
        values = (crop / 255.0 - self.description.mean) / self.description.std
        fed = np.ascontiguousarray(values.transpose(2, 0, 1)[None], np.float32)
        (output, *_) = self.session.run(None, {self.session.get_inputs()[0].name: fed})
        scores = np.asarray(output, np.float64).reshape(-1)
        if scores.size > 1:
            scores = np.exp(scores - scores.max())
            scores /= scores.sum()
        return float(scores[self.description.live_index])


@cache
def load(path: Path) -> PassiveModel:
    """Raise PassiveModelRefused."""
    try:
        described = Description.model_validate_json(path.with_suffix(".json").read_bytes())
        content = path.read_bytes()
    except (OSError, ValidationError) as fault:
        raise PassiveModelRefused(f"{path.name}: {type(fault).__name__}") from None
    if sha256(content).hexdigest() != described.sha256:
        raise PassiveModelRefused(f"{path.name} is not the file that its description is of")
    try:
        session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
        model = PassiveModel(path.name, described, session)
        blank = np.zeros((64, 64, 3), np.uint8)
        model.probability(blank, Face((0, 0, 64, 64), np.zeros((468, 3), np.float32), 1, 1))
    except Exception as fault:
        # onnxruntime raises classes of its own, and anything on a graph of another shape.
        raise PassiveModelRefused(f"{path.name}: {type(fault).__name__}") from None
    return model
