"""Puts pictures of the capture page's screens on one sheet.

    python -m tools.screen_sheet FOLDER FILE

FOLDER has one picture a screen, of one size (`python -m tests.browser.screens DIST --sheet` makes
them on the whole stack, with drawn documents and faces). FILE is a JPEG. The order is that of a
person's way.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

COLUMNS: Final = 7
# Of one screen on the sheet, in pixels.
WIDTH, HEIGHT, GAP, CAPTION = 180, 390, 14, 24
GROUND, INK = 238, 40
QUALITY = 66


def compose(pictures: Sequence[tuple[str, np.ndarray]]) -> np.ndarray:
    """Return a sheet of screens (BGR, uint8, any size), each under its name.

    Each is scaled to WIDTH, and cut at HEIGHT.
    """
    rows = -(-len(pictures) // COLUMNS)
    wide, high = WIDTH + GAP, HEIGHT + CAPTION + GAP
    sheet = np.full((rows * high + GAP, COLUMNS * wide + GAP, 3), GROUND, np.uint8)
    for place, (name, picture) in enumerate(pictures):
        left, top = GAP + place % COLUMNS * wide, GAP + place // COLUMNS * high
        scale = WIDTH / picture.shape[1]
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        small = small[:HEIGHT, :WIDTH]
        where = (left, top + CAPTION - 9)
        font = cv2.FONT_HERSHEY_SIMPLEX
        cv2.putText(sheet, name, where, font, 0.4, (INK,) * 3, 1, cv2.LINE_AA)
        sheet[top + CAPTION : top + CAPTION + small.shape[0], left : left + small.shape[1]] = small
    return sheet


def main() -> None:
    folder, target = Path(sys.argv[1]), Path(sys.argv[2])
    # The walk photographs them one after another.
    paths = sorted(folder.glob("*.png"), key=lambda path: path.stat().st_mtime_ns)
    pictures = []
    for path in paths:
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if picture is None:
            raise SystemExit(f"{path} is not a picture")
        pictures.append((path.stem, picture))
    if not pictures:
        raise SystemExit(f"{folder} has no pictures")
    is_made, content = cv2.imencode(".jpg", compose(pictures), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not is_made:
        raise SystemExit("The sheet could not be written")
    target.write_bytes(content.tobytes())
    print(f"{target}: {len(pictures)} screens, {len(content) // 1024} KiB")


if __name__ == "__main__":
    main()
