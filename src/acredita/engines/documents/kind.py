"""The interface of a kind of page: each kind has one `KindReader`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from acredita.domain.documents import PageKind
from acredita.domain.identifiers.mrz import Mrz
from acredita.engines.documents.layout import Layout
from acredita.engines.documents.second_reading import Spot
from acredita.engines.text import Line


class Clue(IntEnum):
    """The strength of the evidence that a page is of a kind; the strongest wins."""

    NONE = 0
    HINT = 1  # looks like it
    TITLES = 2  # titles and captions that only this kind has together
    ZONE = 3  # the prefix of its machine-readable zone


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page: its lines, its MRZ if legible, and its width and height in pixels."""

    layout: Layout
    zone: Mrz | None = None
    size: tuple[float, float] = (1.0, 1.0)


def _no_model(_page: PageText) -> str | None:
    return None


def _never(_layout: Layout) -> bool:
    return False


def _untitled(_lines: Sequence[Line]) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class KindReader:
    """How pages of one kind are recognized and read.

    `zone_width` is the number of characters of a row of its MRZ, 0 for a page without one. `model`
    returns the model or layout within the kind. `has_codes` states that it has QR codes or PDF417.
    `complete` states that the lines of a part of the page identify the kind and contain all fields.
    `usual_fields` is how many fields a page has on which nothing is hidden, `all_fields` how many
    it has at most, both 0 if that differs. `titled` states that the top lines may be this kind's.
    `strongest_clue` is the strongest that `clue` returns.
    """

    kind: PageKind
    clue: Callable[[Layout], Clue]
    spots: Callable[[PageText], list[Spot]]
    zone_width: int = 0
    has_codes: bool = False
    model: Callable[[PageText], str | None] = _no_model
    complete: Callable[[Layout], bool] = _never
    usual_fields: int = 0
    all_fields: int = 0
    titled: Callable[[Sequence[Line]], bool] = _untitled
    strongest_clue: Clue = Clue.ZONE
