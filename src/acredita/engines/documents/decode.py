"""Decode uploaded bytes to pixels, without trusting the sender.

Every limit is checked on the header, before the memory is allocated. The bytes must be of the
declared type, and no other decoder is tried. Any exception of a decoder becomes one typed error.
"""

import io
import warnings
from typing import Final

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL import ImageOps

from acredita.engines.documents.accepted_types import MAX_PIXELS, Undecodable
from acredita.engines.text import Image

WORKING_SIDE: Final = 2600
"""The longest side in pixels. A card that fills half of it still has twice the pixels that the
reader uses."""
_FORMATS: Final = {"image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WEBP"}


def decode_image(data: bytes, mime_type: str, *, most_pixels: int = MAX_PIXELS) -> Image:
    """Return the first frame, uint8 of shape (height, width, 3), BGR, upright by its EXIF tag, at
    most WORKING_SIDE pixels long. Raise Undecodable."""
    if mime_type not in _FORMATS:
        raise Undecodable("UNSUPPORTED_FILE_TYPE")
    if not data:
        raise Undecodable("EMPTY_FILE")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # malformed tags are common and do not matter
            warnings.simplefilter("error", Pillow.DecompressionBombWarning)
            return _decode(data, _FORMATS[mime_type], most_pixels)
    except Undecodable:
        raise
    except (Pillow.DecompressionBombWarning, Pillow.DecompressionBombError):
        raise Undecodable("TOO_MANY_PIXELS") from None
    except Exception:  # decoders raise anything, struct.error to RecursionError
        raise Undecodable("BROKEN_FILE") from None


def _decode(data: bytes, expected_format: str, most_pixels: int) -> Image:
    with Pillow.open(io.BytesIO(data), formats=(expected_format,)) as image:
        if image.width * image.height > most_pixels:
            raise Undecodable("TOO_MANY_PIXELS")
        image.draft("RGB", (WORKING_SIDE, WORKING_SIDE))  # a JPEG decodes at a fraction of its size
        image.load()
        shrink = max(image.size) // WORKING_SIDE
        small = image.reduce(shrink) if shrink > 1 and image.mode in ("L", "RGB", "RGBA") else image
        small = _on_white(small)
        if max(small.size) > WORKING_SIDE:
            small.thumbnail((WORKING_SIDE, WORKING_SIDE), Pillow.Resampling.BOX)
        small.getexif().update(image.getexif())
        upright = ImageOps.exif_transpose(small)
    return cv2.cvtColor(np.asarray(upright), cv2.COLOR_RGB2BGR)


def _on_white(image: Pillow.Image) -> Pillow.Image:
    """Convert to RGB; transparent parts become white, as in viewers."""
    if image.mode.startswith("I;16"):
        return Pillow.fromarray((np.asarray(image) >> 8).astype(np.uint8)).convert("RGB")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        rgba = image.convert("RGBA")
        page = Pillow.new("RGB", rgba.size, "white")
        page.paste(rgba, mask=rgba.getchannel("A"))
        return page
    return image.convert("RGB")
