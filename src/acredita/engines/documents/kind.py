"""What a kind of page brings along to be recognized and read: one `KindReader` a kind."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from acredita.domain.documents import PageKind
from acredita.domain.identifiers.mrz import Mrz
from acredita.engines.documents.layout import Layout
from acredita.engines.documents.spots import Spot


class Clue(IntEnum):
    """How much speaks for a page being of a kind; the kind with the most has it."""

    NONE = 0
    HINT = 1  # looks like it
    TITLES = 2  # titles and captions that only this kind has together
    ZONE = 3  # the prefix of its machine-readable zone


@dataclass(frozen=True, slots=True)
class PageText:
    """What was read on a page: its lines, its MRZ where it has one that could be read, and its
    width and height in pixels.
    """

    layout: Layout
    zone: Mrz | None = None
    size: tuple[float, float] = (1.0, 1.0)


def _no_model(_page: PageText) -> str | None:
    return None


def _never(_layout: Layout) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class KindReader:
    """How pages of one kind are told and read.

    `zone_width` is the number of characters of a row of its MRZ, 0 for a page that has none.
    `model` names the model or layout within the kind; `has_codes`: QR or PDF417 stand on it.
    `complete`: the lines of a part of the page tell the kind and hold all that is read on it.
    """

    kind: PageKind
    clue: Callable[[Layout], Clue]
    spots: Callable[[PageText], list[Spot]]
    zone_width: int = 0
    has_codes: bool = False
    model: Callable[[PageText], str | None] = _no_model
    complete: Callable[[Layout], bool] = _never
