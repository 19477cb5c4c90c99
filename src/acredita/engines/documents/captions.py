"""Spots found by a caption and the shape of the value that belongs to it."""

from collections.abc import Callable
from typing import Final

import numpy as np

from acredita.engines.documents.layout import Caption, Layout, find_shape, words_under
from acredita.engines.documents.spots import Spot
from acredita.engines.text import Line

Take = Callable[[Line], Line | None]
_WORDS_UNDER: Final = 3


def shaped(shape: str) -> Take:
    return lambda line: find_shape(line, shape)


def day_first(text: str) -> str:
    """DDMMYYYY as an ISO date, whether or not there is such a day."""
    return f"{text[4:]}-{text[2:4]}-{text[:2]}"


def blank_after_commas(text: str) -> str:
    """The text in capitals; blanks after commas are the first to be lost."""
    return " ".join(text.upper().replace(",", ", ").split())


def best_line(lines: list[Line], shape: str) -> Line | None:
    """The line on which the shape is found with the most certainty."""
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
    """The value of that shape on the caption's own line, beside it or under it; at most one."""
    found = layout.caption(caption)
    if found is None:
        return []
    take = shaped(shape)
    if take(found.rest):
        return [Spot(field, found.whole, after_caption(caption, take), write, repeated)]
    beside = layout.beside(found)
    if beside and take(beside):
        return [Spot(field, beside, take, write, repeated)]
    take = under(found.label, take)
    for line in layout.below(found):
        if take(line):
            return [Spot(field, line, take, write, repeated)]
    return []


def under(label: Line, take: Take) -> Take:
    """Take from what stands under a caption: rows of two columns are easily read as one.

    Where in a row a word stands is known by its letters alone: the next two are tried, too.
    """

    def taken(line: Line) -> Line | None:
        near = words_under(line, label)[:_WORDS_UNDER]
        return next((value for word in near if (value := take(word))), None)

    return taken


def beside_caption(caption: Caption) -> Line:
    """The place of a character or two to the right of a caption, where no text was found."""
    label = caption.label
    along = (label.quad[1] - label.quad[0]) / max(label.right - label.left, 1.0) * label.height
    near, far = label.quad[[1, 1, 2, 2]] + along * 0.2, label.quad[[1, 1, 2, 2]] + along * 2.2
    return Line("", (), np.array([near[0], far[1], far[2], near[3]], np.float32))


def after_caption(caption: str, take: Take) -> Take:
    """Take from what follows the caption, which the line is known to hold."""

    def taken(line: Line) -> Line | None:
        own = Layout([line]).caption(caption)
        return take(own.rest) if own else None

    return taken
