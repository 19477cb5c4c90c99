"""The form of a step in the compatible API (MetaMap), as far as the step's type decides it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any


class Place(Enum):
    """Where a part stands in the answer about a verification."""

    DOCUMENT = auto()
    # Beside no document: the part is about the person.
    PERSON = auto()
    # Beside the documents; where there are none, it stands for itself.
    DOCUMENT_IF_ANY = auto()


@dataclass(frozen=True, slots=True)
class Part:
    """One step of that API. A step of ours has one part or several there."""

    id: str
    data: Any = None
    place: Place = Place.DOCUMENT
    # The codes that speak against it. None: the step's own code, if it belongs to this part.
    codes: Sequence[str] | None = None
    registry: str | None = None


@dataclass(frozen=True, slots=True)
class StepSeen:
    """What a translation may look at."""

    result: Mapping[str, Any]
    config: Mapping[str, Any]
    # Null until the step has ended.
    code: str | None
    # What was read of one kind of document, in that API's words: {name: {value, label}}.
    fields: Mapping[str, Mapping[str, str]]
    selfie_url: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    # The parts, the one that tells most first; at least one.
    parts: Callable[[StepSeen], Sequence[Part]]
    # The id that the step has before the first upload; None: it is not shown then.
    started_as: str | None = None
    # Options that callers of that API expect, unless the workflow says otherwise.
    config: Mapping[str, Any] = field(default_factory=dict)
