"""Place captioned values in rows, so that a layout is a list of rows and not of coordinates."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from acredita_synthetic.canvas import Box, Canvas, Colour

_LINE = 1.26
"""The distance of two lines, as a share of the type size."""
_BESIDE_GAP = 10
_LEAST_GAP = 18


@dataclass(frozen=True, slots=True)
class Cell:
    """A caption and the lines below it, or a single line beside it. A line is (field, text)."""

    caption: str
    lines: tuple[tuple[str, str], ...]
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Type:
    """Sizes in pixels. `spread`: whether free space between cells varies by chance."""

    caption: int
    value: int
    label_ink: Colour
    spread: bool
    bold_captions: bool = True


def lay_out(
    canvas: Canvas, region: Box, rows: Sequence[Sequence[Cell]], setting: Type, rng: Random
) -> None:
    """Print the rows in `region`. Raise ValueError if they need more height than it has."""
    left, top, width, height = region
    heights = _heights(rows, setting)
    free = height - sum(heights)
    if free < 0:
        raise ValueError(f"the rows need {sum(heights)} pixels of {height}")
    y = top
    for row, needed, gap in zip(rows, heights, _shares(free, len(rows), setting, rng), strict=True):
        _print_row(canvas, (left, y, width, needed), row, setting, rng)
        y += needed + gap


def height_of(rows: Sequence[Sequence[Cell]], setting: Type) -> int:
    return sum(_heights(rows, setting))


def in_rows(canvas: Canvas, cells: Iterable[Cell], width: int, setting: Type) -> list[list[Cell]]:
    """Put the cells in rows of `width` pixels, in their order."""
    rows: list[list[Cell]] = []
    used = 0
    for cell in cells:
        needed = _width(canvas, cell, setting) + _LEAST_GAP
        if not rows or used + needed > width or len(cell.lines) > 1:
            rows.append([])
            used = 0
        rows[-1].append(cell)
        used += needed if len(cell.lines) == 1 else width
    return rows


def _heights(rows: Sequence[Sequence[Cell]], setting: Type) -> list[int]:
    return [max(_height(cell, setting) for cell in row) for row in rows]


def _height(cell: Cell, setting: Type) -> int:
    caption = 0 if cell.beside else setting.caption
    return round(_LINE * (caption + len(cell.lines) * setting.value))


def _width(canvas: Canvas, cell: Cell, setting: Type) -> int:
    caption = canvas.text_width(cell.caption, size=setting.caption, bold=setting.bold_captions)
    value = max(canvas.text_width(text, size=setting.value) for _, text in cell.lines)
    return caption + _BESIDE_GAP + value if cell.beside else max(caption, value)


def _shares(free: int, count: int, setting: Type, rng: Random) -> list[int]:
    """Divide the free space into `count` gaps: equally, or by chance."""
    weights = [rng.uniform(0.3, 1.0) if setting.spread else 1.0 for _ in range(count)]
    return [int(free * weight / sum(weights)) for weight in weights]


def _print_row(
    canvas: Canvas, region: Box, row: Sequence[Cell], setting: Type, rng: Random
) -> None:
    left, top, width, _ = region
    widths = [_width(canvas, cell, setting) for cell in row]
    excess = sum(widths) + _LEAST_GAP * (len(row) - 1) - width
    if excess > 0:
        widths[widths.index(max(widths))] -= excess
    gaps = _shares(max(0, -excess), len(row), setting, rng)
    x = left
    for cell, room, gap in zip(row, widths, gaps, strict=True):
        _print_cell(canvas, (x, top, room, 0), cell, setting)
        x += room + _LEAST_GAP + gap


def _print_cell(canvas: Canvas, region: Box, cell: Cell, setting: Type) -> None:
    x, y, room, _ = region
    # Capitals with an accent are as high as the type size.
    baseline = y + (setting.value if cell.beside else setting.caption)
    _, _, caption_width, _ = canvas.text(
        (x, baseline),
        cell.caption,
        size=setting.caption,
        bold=setting.bold_captions,
        ink=setting.label_ink,
    )
    if cell.beside:
        beside = caption_width + _BESIDE_GAP
        x, room = x + beside, room - beside
    for number, (field_name, text) in enumerate(cell.lines, start=0 if cell.beside else 1):
        canvas.text(
            (x, baseline + round(number * _LINE * setting.value)),
            text,
            size=setting.value,
            field_name=field_name,
            max_width=room,
        )
