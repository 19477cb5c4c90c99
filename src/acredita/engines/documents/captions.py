"""Find spots by a caption and the shape of its value."""

import re
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from acredita.engines.documents.layout import Caption, Layout, find_shape, words_under
from acredita.engines.documents.second_reading import Spot
from acredita.engines.text import Line

Take = Callable[[Line], Line | None]
_WORDS_UNDER: Final = 3
_STOP_AS_COMMA: Final = re.compile(r"\b(COL|FRACC|INT|EXT|NUM|AV),")
"""Abbreviations of an address end in a stop. In small print it looks like a comma."""
_ZERO_AS_LETTER: Final = re.compile(r"(?<=[A-ZÁÉÍÓÚÜÑ])0(?=[A-ZÁÉÍÓÚÜÑ])")


def shaped(shape: str, *, first: bool = False) -> Take:
    return lambda line: find_shape(line, shape, first=first)


def day_first(text: str) -> str:
    """Convert DDMMYYYY to YYYY-MM-DD, even if there is no such day."""
    return f"{text[4:]}-{text[2:4]}-{text[:2]}"


def blank_after_commas(text: str) -> str:
    """Return the text in capitals, with a space after each comma, since readings often lose it."""
    return " ".join(text.upper().replace(",", ", ").split())


def as_address(text: str) -> str:
    """Return the line of an address in capitals, with a space after each comma.

    A zero between two letters is a misread O: COL L0S PINOS.
    """
    stopped = _STOP_AS_COMMA.sub(r"\1.", text.upper())
    return _ZERO_AS_LETTER.sub("O", blank_after_commas(stopped))


def best_line(lines: list[Line], shape: str) -> Line | None:
    """Return the line with the surest match of the shape; None without a match."""
    fitting = [(found.score, line) for line in lines if (found := find_shape(line, shape))]
    return max(fitting, key=lambda pair: pair[0], default=(0.0, None))[1]


def captioned(
    layout: Layout,
    field: str,
    shape: str,
    caption: str,
    write: Callable[[str], str] = str,
    *,
    repeated: bool = False,
) -> list[Spot]:
    """Return at most one spot: the value of that shape on the caption's line, beside or below
    it."""
    found = layout.caption(caption)
    if found is None:
        return []
    take = shaped(shape, first=True)
    if take(found.rest):
        after = after_caption(caption, take, layout.known)
        return [Spot(field, found.whole, after, write, repeated)]
    take = before_caption(layout, take)
    beside = layout.beside(found)
    if beside and take(beside):
        return [Spot(field, beside, take, write, repeated)]
    take = under(found.label, take)
    for line in layout.below(found):
        if take(line):
            return [Spot(field, line, take, write, repeated)]
    return []


def before_caption(layout: Layout, take: Take) -> Take:
    """Take the value from the part of a line that belongs to no other caption."""
    return lambda line: take(layout.before_caption(line))


def under(label: Line, take: Take) -> Take:
    """Take the value from the words below a caption, because two columns are often read as one row.

    The letters give only an approximate place of a word in a row, so the next two are tried, too.
    """

    def taken(line: Line) -> Line | None:
        near = words_under(line, label)[:_WORDS_UNDER]
        return next((value for word in near if (value := take(word))), None)

    return taken


def beside_caption(caption: Caption) -> Line:
    """Return the place of one or two characters to the right of a caption, if no text was found
    there."""
    label = caption.label
    along = (label.quad[1] - label.quad[0]) / max(label.right - label.left, 1.0) * label.height
    near, far = label.quad[[1, 1, 2, 2]] + along * 0.2, label.quad[[1, 1, 2, 2]] + along * 2.2
    return Line("", (), np.array([near[0], far[1], far[2], near[3]], np.float32))


def below_caption(caption: Caption) -> Line:
    """Return the place of one or two characters under the start of a caption, if no text was found
    there. A value is set up to half as high again as its caption."""
    label = caption.label
    along = (label.quad[1] - label.quad[0]) / max(label.right - label.left, 1.0) * label.height
    down = label.quad[3] - label.quad[0]
    start = label.quad[3] - along * 0.3
    corners = [start, start + along * 2.2, start + along * 2.2 + down * 1.5, start + down * 1.5]
    return Line("", (), np.array(corners, np.float32))


def after_caption(caption: str, take: Take, known: Sequence[str] = ()) -> Take:
    """Take the value from the text after the caption, up to the next one of the `known` captions.
    A second reading of the line may be without the caption."""

    def taken(line: Line) -> Line | None:
        own = Layout([line], known).caption(caption)
        return take(own.rest if own else line)

    return taken
