"""Opens one PDF in a separate process. Runs as a script: PDF on stdin, pages on stdout.

A PDF is a program: nested forms can make billions of drawings, and images can have gigabytes. The
limits that are set here end only this process, and so only this document. The script imports
nothing of the product, so that it starts quickly and holds no secrets.

Output: one line of JSON, {"error": code} or {"pages": [{"width", "height", "lines"}]}, lines being
[text, left, top, right, bottom] in pixels; then each page's BGR pixels, one after the other.
"""

import json
import resource
import sys
from typing import Any

CPU_SECONDS = 8
MEMORY_BYTES = 900_000_000
MAX_PAGES = 10
PAGES_READ = 3
LONGEST_SIDE = 2400
DOTS_PER_POINT = 250 / 72
MAX_LINES = 1500


def main() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    header, pixels = _open(sys.stdin.buffer.read())
    sys.stdout.buffer.write(json.dumps(header).encode() + b"\n")
    for page in pixels:
        sys.stdout.buffer.write(page)


def _open(data: bytes) -> tuple[dict[str, Any], list[bytes]]:
    import pypdfium2 as pdfium  # noqa: PLC0415 - after the limits, so that they cover it

    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        return {"error": "ENCRYPTED_FILE" if "assword" in str(error) else "BROKEN_FILE"}, []
    if not len(document):
        return {"error": "BROKEN_FILE"}, []
    if len(document) > MAX_PAGES:
        return {"error": "TOO_MANY_PAGES"}, []
    pages: list[dict[str, Any]] = []
    pixels: list[bytes] = []
    try:
        for number in range(min(len(document), PAGES_READ)):
            page, picture = _page(document[number])
            pages.append(page)
            pixels.append(picture)
    except pdfium.PdfiumError:
        return {"error": "BROKEN_FILE"}, []
    except MemoryError:
        return {"error": "TOO_COMPLEX"}, []
    return {"pages": pages}, pixels


def _page(page: Any) -> tuple[dict[str, Any], bytes]:
    width, height = page.get_size()
    scale = min(DOTS_PER_POINT, LONGEST_SIDE / max(width, height, 1.0))
    bitmap = page.render(scale=scale, rev_byteorder=False, prefer_bgrx=False, fill_color=(255,) * 4)
    picture = bitmap.to_numpy()[:, :, :3].tobytes()
    lines = []
    text = page.get_textpage()
    for index in range(min(text.count_rects(), MAX_LINES)):
        left, bottom, right, top = text.get_rect(index)
        words = text.get_text_bounded(left, bottom, right, top).strip()
        if words:
            box = (left, height - top, right, height - bottom)
            lines.append([words[:300], *(round(edge * scale, 1) for edge in box)])
    return {"width": bitmap.width, "height": bitmap.height, "lines": lines}, picture


if __name__ == "__main__":
    main()
