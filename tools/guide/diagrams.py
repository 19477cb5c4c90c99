"""Renders the Mermaid diagrams of a page to SVG files: readers need no script and no network."""

import hashlib
import re
from pathlib import Path

import mmdr

_FENCE = re.compile(r"^```mermaid\n(?P<source>.*?)^```$", re.DOTALL | re.MULTILINE)
_TITLE = re.compile(r"^\s*accTitle: *(?P<title>.+)$", re.MULTILINE)


def render_diagrams(text: str, folder: Path, address: str) -> str:
    """Return the Markdown with an image in place of each Mermaid fence.

    The images are written to `folder`; `address` is the folder's address relative to the page. The
    image's alternative text is the diagram's `accTitle`. Raises ValueError for a diagram without
    one, or with a fault.
    """

    def render(fence: re.Match[str]) -> str:
        source = fence["source"]
        title = _TITLE.search(source)
        if title is None:
            raise ValueError(f"a diagram has no accTitle: {source!r}")
        try:
            # A separate SVG file: the page's policy does not apply to the styles of an image.
            svg = mmdr.render(source).svg()
        except Exception as fault:
            raise ValueError(f"a diagram has a fault: {fault}: {source!r}") from fault
        name = f"{hashlib.sha256(svg.encode()).hexdigest()[:16]}.svg"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(svg)
        return f"![{title['title']}]({address}/{name}){{ .diagram }}"

    return _FENCE.sub(render, text)
