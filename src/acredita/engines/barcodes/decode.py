"""Find and decode the codes of a page with zxing-cpp.

Measured on drawn codes: QR codes decode at every difficulty. PDF417 in photographs of a flat page:
4 of 8 unprocessed, 7 of 8 after a Gaussian blur (1 px), 8 of 8 doubled and blurred. In tilted,
blurred photographs: at most 3 of 8. So an undecoded PDF417 proves nothing.
"""

import time
from collections.abc import Iterator
from typing import Final

import cv2
import zxingcpp

from acredita.domain.documents import Barcode
from acredita.engines.text import Image

MOST_CODES: Final = 16
MOST_CHARACTERS: Final = 3000
"""More than the code of any document has. A QR code can hold 7,089."""
_SECONDS: Final = 2.0
"""No pass starts later. This limits the time for a page with many false candidates."""
_SYMBOLOGIES: Final = {
    zxingcpp.BarcodeFormat.QRCode: "QR_CODE",
    zxingcpp.BarcodeFormat.PDF417: "PDF_417",
}
_FORMATS: Final = zxingcpp.BarcodeFormats(list(_SYMBOLOGIES))
_MOST_PIXELS_DOUBLED: Final = 4_000_000


def read_codes(page: Image) -> tuple[Barcode, ...]:
    """Decode the distinct codes of a page, uint8 of shape (height, width, 3), BGR.

    It tries the page unprocessed and blurred, and doubled if both show no code. Return at most
    MOST_CODES codes in the order found; codes with more than MOST_CHARACTERS are left out. Boxes
    are in shares of the page (0-1).
    """
    grey = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY)
    found: dict[tuple[str, str], Barcode] = {}
    started = time.monotonic()
    for number, picture in enumerate(_pictures(grey)):
        if (number >= 2 and found) or time.monotonic() - started > _SECONDS:
            break
        for code in _decode(picture):
            found.setdefault((code.symbology, code.text), code)
    return tuple(found.values())[:MOST_CODES]


def _pictures(grey: Image) -> Iterator[Image]:
    yield grey
    yield cv2.GaussianBlur(grey, (0, 0), 1.0)
    if grey.size <= _MOST_PIXELS_DOUBLED:
        double = cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        yield cv2.GaussianBlur(double, (0, 0), 1.5)
        yield double


def _decode(picture: Image) -> Iterator[Barcode]:
    height, width = picture.shape[:2]
    for code in zxingcpp.read_barcodes(
        picture, formats=_FORMATS, text_mode=zxingcpp.TextMode.Plain
    ):
        text = code.text
        symbology = _SYMBOLOGIES.get(code.format) or _SYMBOLOGIES.get(code.symbology)
        if symbology is None or not text or len(text) > MOST_CHARACTERS:
            continue
        place = code.position
        corners = (place.top_left, place.top_right, place.bottom_right, place.bottom_left)
        across, down = [point.x / width for point in corners], [p.y / height for p in corners]
        box = (min(across), min(down), max(across), max(down))
        yield Barcode(symbology, _printable(text), tuple(round(share, 4) for share in box))


def _printable(text: str) -> str:
    """Replace invalid code points, such as lone surrogates, which PostgreSQL cannot store."""
    return text.encode("utf-8", "replace").decode()
