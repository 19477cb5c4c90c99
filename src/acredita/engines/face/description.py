"""An operator's own model: an ONNX file, and a JSON file of the same name that describes it."""

from hashlib import file_digest
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from acredita.domain.faces import Scale

_ARCFACE: Final = (
    (38.2946, 51.6963),
    (73.5318, 51.5014),
    (56.0252, 71.7366),
    (41.5493, 92.3655),
    (70.7299, 92.2041),
)
_ARCFACE_SIDE: Final = 112
_LEVELS: Final = 255.0
Triple = tuple[float, float, float]
Place = tuple[float, float]


class ModelRefused(RuntimeError):
    """An operator's model or its description is missing or malformed, or they do not match."""


class _Described(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", frozen=True)


class Described(_Described):
    """`sha256` is that of the ONNX file, in hexadecimal digits."""

    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class Preparation(_Described):
    """How a face becomes the input of an embedding: float32 of shape (1, 3, side, side).

    The face is turned, scaled and shifted until its eyes, nose and corners of the mouth lie on
    `places` (pixels of the input: the eye on the left of the picture, the one on the right, the tip
    of the nose, the left corner, the right one; without them ArcFace's). Then its values from 0 to
    1, in the order of `colour_order`, are reduced by `mean` and divided by `std`. The defaults are
    the built-in model's, which takes RGB from 0 to 255.
    """

    input_size: int = Field(_ARCFACE_SIDE, ge=32, le=512)
    colour_order: Literal["RGB", "BGR"] = "RGB"
    mean: Triple = (0.0, 0.0, 0.0)
    std: Triple = (1 / _LEVELS, 1 / _LEVELS, 1 / _LEVELS)
    places: tuple[Place, Place, Place, Place, Place] | None = None

    @property
    def all_places(self) -> tuple[Place, ...]:
        scale = self.input_size / _ARCFACE_SIDE
        return self.places or tuple((x * scale, y * scale) for x, y in _ARCFACE)


class EmbeddingDescription(Described, Preparation):
    """An operator's embedding. `name` is shown in results. `scale` says which similarity a cosine
    means."""

    name: str = Field(pattern="^[A-Za-z0-9._-]{1,40}$")
    mean: Triple
    std: Triple
    scale: Scale

    @model_validator(mode="after")
    def _check(self) -> Self:
        if any(each <= 0 for each in self.std):
            raise ValueError("std must be positive")
        falls = all(a > c and b >= d for (a, b), (c, d) in pairwise(self.scale))
        if len(self.scale) < 2 or not falls or (self.scale[0][1], self.scale[-1][1]) != (1, 0):
            raise ValueError("scale must fall from the similarity 1 to the similarity 0")
        return self


D = TypeVar("D", bound=Described)


def read_description(path: Path, kind: type[D]) -> D:
    """Read the description of the model `path` and compare its digest. Raise ModelRefused."""
    try:
        described = kind.model_validate_json(path.with_suffix(".json").read_bytes())
        with path.open("rb") as file:
            found = file_digest(file, "sha256").hexdigest()
    except OSError as fault:
        raise ModelRefused(f"{path.name}: {type(fault).__name__}") from None
    except ValidationError as fault:
        places = "; ".join(f"{_at(each['loc'])}{each['msg']}" for each in fault.errors())
        raise ModelRefused(f"{path.with_suffix('.json').name}: {places}") from None
    if found != described.sha256:
        raise ModelRefused(f"{path.name} does not have the sha256 of its description")
    return described


def _at(place: tuple[int | str, ...]) -> str:
    return ".".join(map(str, place)) + ": " if place else ""
