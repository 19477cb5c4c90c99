"""What a page of a signed document consists of: paragraphs, tables and rules."""

from dataclasses import dataclass, field
from enum import StrEnum


class Style(StrEnum):
    REGULAR = "regular"
    BOLD = "bold"
    ITALIC = "italic"
    BOLD_ITALIC = "bold_italic"


@dataclass(frozen=True, slots=True)
class Run:
    text: str
    style: Style = Style.REGULAR


@dataclass(slots=True)
class Paragraph:
    """Text to break into lines; `\\n` forces a break. `mark` precedes the first line."""

    runs: list[Run]
    indent: int = 0
    # 0: body text; 1 to 6: heading level.
    heading: int = 0
    mark: str = ""
    # Keep leading blanks and repeated blanks.
    keeps_blanks: bool = False


@dataclass(slots=True)
class Table:
    rows: list[list[list[Run]]] = field(default_factory=list)
    indent: int = 0
    # Relative widths of the columns; empty: equal widths.
    shares: tuple[float, ...] = ()


@dataclass(slots=True)
class Rule:
    """A horizontal line across the page."""


Block = Paragraph | Table | Rule
