"""Turn blocks into rows, rows into pages, and draw the pages. All lengths are in points."""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Final, NamedTuple

from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from acredita.engines.signing.blocks import Block, Paragraph, Rule, Run, Style, Table
from acredita.engines.signing.line_breaks import Line, Span, lines_of
from acredita.engines.signing.typefaces import Spelling, face

# US Letter, the paper size of Mexico.
PAGE_WIDTH: Final = 612.0
PAGE_HEIGHT: Final = 792.0
MARGIN: Final = 62.0
TEXT_WIDTH: Final = PAGE_WIDTH - 2 * MARGIN
TOP: Final = PAGE_HEIGHT - MARGIN
BOTTOM: Final = MARGIN + 12
FOOT: Final = MARGIN - 14

SIZE: Final = 9.5
LEADING: Final = 13.0
SMALL: Final = 7.5
HEADING_SIZES: Final = {1: 15.0, 2: 13.0, 3: 11.5, 4: 10.5, 5: 10.0, 6: 10.0}
INDENT: Final = 18.0
GAP: Final = 5.0
CELL_GAP: Final = 6.0
RULE_GREY: Final = 0.6
# Longer sequences of blank lines are shortened to this number.
MOST_BLANK_LINES: Final = 3


class PackageTooLong(Exception):
    """The package needs more pages than the limit."""


class Row(NamedTuple):
    height: float
    size: float
    line: Line
    # Draws a horizontal line at the top of the row.
    ruled: bool = False


@dataclass(slots=True)
class Picture:
    """A JPEG with the width and height at which it is drawn."""

    jpeg: bytes
    width: float
    height: float


Part = Row | Picture


@dataclass(slots=True)
class Pages:
    """Fills pages with parts. Raises PackageTooLong beyond `most` pages."""

    most: int
    pages: list[list[Part]] = field(default_factory=list)
    _left: float = 0.0

    def new_page(self) -> None:
        if len(self.pages) >= self.most:
            raise PackageTooLong
        self.pages.append([])
        self._left = TOP - BOTTOM

    def extend(self, parts: Iterable[Part]) -> None:
        for part in parts:
            if part.height > self._left or not self.pages:
                self.new_page()
            self.pages[-1].append(part)
            self._left -= part.height


def rows_of(blocks: Iterable[Block], spelling: Spelling) -> Iterator[Row]:
    """The rows of the blocks, across the full width of the text."""
    blanks = 0
    for block in blocks:
        match block:
            case Paragraph():
                if not block.mark and not any(run.text.strip() for run in block.runs):
                    blanks += 1
                    if blanks <= MOST_BLANK_LINES:
                        yield Row(LEADING, SIZE, ())
                    continue
                yield from _paragraph(block, spelling)
            case Table():
                yield from _table(block, spelling)
            case Rule():
                yield Row(GAP, SIZE, ())
                yield Row(GAP, SIZE, (), ruled=True)
        blanks = 0


def text_rows(
    text: str, spelling: Spelling, *, size: float = SIZE, style: Style = Style.REGULAR
) -> Iterator[Row]:
    for line in lines_of([Run(text, style)], spelling, size=size, width=TEXT_WIDTH):
        yield Row(size * LEADING / SIZE, size, line)


def _paragraph(block: Paragraph, spelling: Spelling) -> Iterator[Row]:
    size = HEADING_SIZES.get(block.heading, SIZE)
    leading = size * LEADING / SIZE
    left = block.indent * INDENT
    runs = block.runs
    if block.heading:
        runs = [Run(run.text, Style.BOLD) for run in runs]
        yield Row(GAP, size, ())
    lines = lines_of(runs, spelling, size=size, width=TEXT_WIDTH - left, left=left)
    for number, line in enumerate(lines):
        if number == 0 and block.mark:
            # Right-aligned before the text, because numbers differ in width.
            width = face(Style.REGULAR).width(block.mark) * size / 1000
            line = (Span(left - width - 5, Style.REGULAR, block.mark), *line)  # noqa: PLW2901
        yield Row(leading, size, line)
    if not block.keeps_blanks:
        yield Row(GAP, size, ())


def _table(table: Table, spelling: Spelling) -> Iterator[Row]:
    columns = max(map(len, table.rows), default=0)
    if not columns:
        return
    left = table.indent * INDENT
    edges = _edges(table.shares or (1.0,) * columns, left)
    for row in table.rows:
        cells = [
            list(
                lines_of(
                    cell,
                    spelling,
                    size=SIZE,
                    width=edges[place + 1] - edges[place] - CELL_GAP,
                    left=edges[place],
                )
            )
            for place, cell in enumerate(row)
        ]
        for number in range(max(map(len, cells))):
            spans = [span for cell in cells if number < len(cell) for span in cell[number]]
            yield Row(LEADING, SIZE, tuple(spans), ruled=number == 0)
    yield Row(GAP, SIZE, (), ruled=True)


def _edges(shares: Sequence[float], left: float) -> list[float]:
    """The left edges of the columns and the right edge of the last one."""
    unit = (TEXT_WIDTH - left) / sum(shares)
    return [left + unit * edge for edge in accumulate(shares, initial=0.0)]


def draw(pages: Sequence[Sequence[Part]], *, title: str, author: str, foot: str) -> bytes:
    """Draw the pages as a PDF. The foot of each page has `foot` and the page number."""
    file = io.BytesIO()
    canvas = Canvas(
        file,
        pagesize=(PAGE_WIDTH, PAGE_HEIGHT),
        pageCompression=1,
        lang="es-MX",
        initialFontName=Style.REGULAR,
    )
    canvas.setTitle(title)
    canvas.setAuthor(author)
    canvas.setCreator(author)
    for number, parts in enumerate(pages, start=1):
        _draw_page(canvas, parts, f"{foot}   ·   Página {number} de {len(pages)}")
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _draw_page(canvas: Canvas, parts: Sequence[Part], foot: str) -> None:
    top = TOP
    text = canvas.beginText()
    used: tuple[str, float] | None = None
    rules = []
    for part in parts:
        if isinstance(part, Picture):
            picture = ImageReader(io.BytesIO(part.jpeg))
            canvas.drawImage(picture, MARGIN, top - part.height, part.width, part.height, mask=None)
        else:
            if part.ruled:
                rules.append(top)
            for x, name, words in part.line:
                if used != (name, part.size):
                    used = (name, part.size)
                    text.setFont(name, part.size)
                text.setTextOrigin(MARGIN + x, top - part.size)
                text.textOut(words)
        top -= part.height
    text.setFont(Style.REGULAR, SMALL)
    text.setTextOrigin(MARGIN, FOOT)
    text.textOut(foot)
    canvas.drawText(text)
    canvas.setStrokeGray(RULE_GREY)
    canvas.setLineWidth(0.4)
    for height in rules:
        canvas.line(MARGIN, height, PAGE_WIDTH - MARGIN, height)


def picture_of(jpeg: bytes, *, widest: float, highest: float) -> Picture:
    """Scale a JPEG to fit into `widest` by `highest`, keeping its aspect ratio."""
    width, height = _size(ImageReader(io.BytesIO(jpeg)))
    scale = min(widest / width, highest / height)
    return Picture(jpeg, width * scale, height * scale)


def _size(picture: Any) -> tuple[float, float]:
    width, height = picture.getSize()
    return max(1.0, width), max(1.0, height)
