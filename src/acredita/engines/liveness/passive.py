"""The operator's passive model, which estimates whether a single picture shows a living face.

The service includes no model. The operator's is an ONNX file. A JSON file with the same name and
the ending .json describes its input:

    {"sha256": "…", "inputSize": 128, "cropScale": 1.5, "colourOrder": "RGB",
     "mean": [0, 0, 0], "std": [1, 1, 1], "liveIndex": 0, "threshold": 0.5}

The input has the shape (1, 3, inputSize, inputSize), float32: the face's square box, enlarged by
`cropScale`, with values from 0 to 1, minus `mean`, divided by `std`. The output has one score per
class, to which softmax is applied. A single score is the probability itself.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
import onnxruntime
from pydantic import Field

from acredita.engines.face.description import Described, ModelRefused, read_description
from acredita.engines.face.find import Face, Image
from acredita.engines.face.models import load_session

_LARGEST_INPUT: Final = 1024


class Description(Described):
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
        """Return the probability, 0 to 1, that the face is a living one. `image` is BGR."""
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
    """Load the model, once per process. Raise ModelRefused."""
    described = read_description(path, Description)
    try:
        model = PassiveModel(path.name, described, load_session("passive", path))
        blank = np.zeros((64, 64, 3), np.uint8)
        model.probability(blank, Face((0, 0, 64, 64), np.zeros((468, 3), np.float32), 1, 1))
    except Exception as fault:
        # onnxruntime has its own exceptions, and a graph of another shape can raise any.
        raise ModelRefused(f"{path.name}: {type(fault).__name__}") from None
    return model
