"""Find the captions of a licence and the lines next to them.

Captions are similar to each other (nacimiento, vencimiento), contain each other (vigencia, fecha de
vigencia) and stand in columns. So all are found together, each at most once, and no caption is read
as a value.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from acredita.domain.documents.licence_templates import Place, TemplateField
from acredita.engines.documents.layout import Caption, Layout, squeezed
from acredita.engines.text import Line


@dataclass(frozen=True, slots=True)
class Label:
    """The line with a field's caption, and the wording that matched."""

    caption: Caption
    wording: str

    def overlaps(self, other: Caption) -> bool:
        mine = self.caption.label
        return (
            self.caption.whole is other.whole
            and mine.left < other.label.right
            and other.label.left < mine.right
        )


class Labels:
    """The captions of one card."""

    def __init__(self, layout: Layout, fields: Mapping[str, TemplateField]) -> None:
        self.layout = layout
        self.by_field: dict[str, Label] = {}
        wordings = [(text, name) for name, spec in fields.items() for text in spec.captions]
        wordings.sort(key=lambda pair: -len(squeezed(pair[0])))
        for exactly in (True, False):
            for wording, name in wordings:
                if name not in self.by_field and (found := self._free(wording, exactly=exactly)):
                    self.by_field[name] = Label(found, wording)
        self._captions = {id(label.caption.whole) for label in self.by_field.values()}

    def _free(self, wording: str, *, exactly: bool) -> Caption | None:
        """Return the first line with the wording that is not another field's caption."""
        taken = self.by_field.values()
        return next(
            (
                caption
                for caption in self.layout.captions(wording, exactly=exactly)
                if not any(label.overlaps(caption) for label in taken)
            ),
            None,
        )

    def rest(self, label: Label) -> Line | None:
        """Return the text after the caption on the same line, unless it is another caption."""
        rest = label.caption.rest
        others = (other.caption for other in self.by_field.values() if other is not label)
        crowded = any(
            other.whole is label.caption.whole and other.label.left > label.caption.label.left
            for other in others
        )
        return None if crowded or not rest.text.strip() else rest

    def near(self, label: Label, place: Place) -> Iterator[Line]:
        """Return the lines beside or below a caption, likeliest first, without captions."""
        caption = label.caption
        if place is Place.BESIDE:
            beside = self.layout.beside(caption)
            if beside and not self.is_caption(beside):
                yield beside
            return
        under = [line for line in self.layout.below(caption) if not self.is_caption(line)]
        yield from sorted(under, key=lambda line: abs(line.left - caption.label.left))

    def block(self, label: Label, most: int) -> list[Line]:
        """Return the lines below a caption, down to the next caption or a gap."""
        start = label.caption.label
        block: list[Line] = []
        above = start
        for line in self.layout.lines:
            drop = line.centre[1] - above.centre[1]
            if drop < 0.5 * min(line.height, above.height) or len(block) == most:
                continue
            if abs(line.left - start.left) > 1.5 * max(start.height, line.height):
                continue
            if self.is_caption(line) or drop > 2.4 * max(line.height, above.height):
                break
            block.append(line)
            above = line
        return block

    def inside(
        self, box: tuple[float, float, float, float], size: tuple[float, float]
    ) -> Sequence[Line]:
        """Return the lines whose centre is in the box, from top to bottom, without captions."""
        left, top, right, bottom = (share * side for share, side in zip(box, size * 2, strict=True))
        return [
            line
            for line in self.layout.lines
            if left <= line.centre[0] <= right
            and top <= line.centre[1] <= bottom
            and not self.is_caption(line)
        ]

    def is_caption(self, line: Line) -> bool:
        return id(line) in self._captions
