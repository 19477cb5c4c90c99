"""The form of a step type in the compatible API (MetaMap)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any


class Place(Enum):
    """The position of a part in the response about a verification."""

    DOCUMENT = auto()
    # In no document: the part is about the person.
    PERSON = auto()
    # In each document; at the top level if there is no document.
    DOCUMENT_IF_ANY = auto()


@dataclass(frozen=True, slots=True)
class Part:
    """One step of the compatible API. Each of our steps becomes one or several parts."""

    id: str
    data: Any = None
    place: Place = Place.DOCUMENT
    # The codes of the part's errors. None: the step's own code, if it belongs to this part.
    codes: Sequence[str] | None = None
    registry: str | None = None


@dataclass(frozen=True, slots=True)
class TranslationInput:
    """The data that a translation uses."""

    result: Mapping[str, Any]
    config: Mapping[str, Any]
    # None until the step has ended.
    code: str | None
    # The fields of one kind of document, by the compatible API's names: {name: {value, label}}. A
    # document that was read lacks some values.
    fields: Mapping[str, Mapping[str, str | None]]
    selfie_url: str | None
    # Links to pictures of the liveness check: its frames on one sheet, the face, and a film of the
    # frames.
    sprite_url: str | None
    liveness_url: str | None
    film_url: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTranslation:
    # At least one part, the most important first.
    parts: Callable[[TranslationInput], Sequence[Part]]
    # The id of the step before the first upload, or what computes it from the step's options. None:
    # the response omits the step.
    initial_id: str | Callable[[Mapping[str, Any]], str] | None = None
    # The type of the document that the parts describe; None: those that identify the person.
    document_type: str | None = None
    # Default options of that API's callers. The workflow's options override them.
    config: Mapping[str, Any] = field(default_factory=dict)

    def first_id(self, config: Mapping[str, Any]) -> str | None:
        return self.initial_id(config) if callable(self.initial_id) else self.initial_id

    def count_parts(self, result: Mapping[str, Any], config: Mapping[str, Any]) -> int:
        """Return the number of parts of a step that has ended."""
        return len(self.parts(TranslationInput(result, config, None, {}, None, None, None, None)))
