"""Spots found by a caption and the shape of the value that belongs to it."""

from collections.abc import Callable

import numpy as np

from acredita.engines.documents.layout import Caption, Layout, find_shape, word_under
from acredita.engines.documents.spots import Spot
from acredita.engines.text import Line

Take = Callable[[Line], Line | None]


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
    below = [word_under(line, found.label) for line in layout.below(found)]
    for line in ([beside] if beside else []) + below:
        if take(line):
            return [Spot(field, line, take, write, repeated)]
    return []


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
