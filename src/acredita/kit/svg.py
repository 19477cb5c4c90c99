"""Draws small SVG images: text is readable by screen readers; no CSS, which a CSP could block."""

from typing import Final
from xml.sax.saxutils import escape, quoteattr

_INK: Final = "#1c2430"
_PAPER: Final = "#ffffff"


class Drawing:
    """Shapes on a white background, drawn in the order added. Lengths are in pixels."""

    def __init__(self, width: float, height: float, *, title: str, description: str) -> None:
        self._head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title desc"'
            f' width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
            f' font-family="sans-serif" font-size="13" fill="{_INK}">'
            f'<title id="title">{escape(title)}</title><desc id="desc">{escape(description)}</desc>'
        )
        self._shapes: list[str] = []
        self.rectangle(0, 0, width, height, fill=_PAPER)
        self.text(16, 26, title, size=16)

    def rectangle(self, x: float, y: float, width: float, height: float, *, fill: str) -> None:
        self._shapes.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}"'
            f' height="{max(height, 0):.1f}" fill={quoteattr(fill)}/>'
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        anchor: str = "start",
        size: float = 13,
        fill: str = _INK,
    ) -> None:
        self._shapes.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}"'
            f" fill={quoteattr(fill)}>{escape(text)}</text>"
        )

    def line(
        self, x1: float, y1: float, x2: float, y2: float, *, colour: str, dashed: bool = False
    ) -> None:
        dashes = ' stroke-dasharray="5 4"' if dashed else ""
        self._shapes.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
            f' stroke={quoteattr(colour)} stroke-width="1.5"{dashes}/>'
        )

    def dot(self, x: float, y: float, radius: float, *, fill: str) -> None:
        self._shapes.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill={quoteattr(fill)}/>'
        )

    def rendered(self) -> bytes:
        return (self._head + "".join(self._shapes) + "</svg>").encode()
