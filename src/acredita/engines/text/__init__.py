"""Text recognition (OCR): lines, alphabets and the reader protocol.

Import the implementation, `rapid`, only where it is used: its libraries take a second to import.
"""

from acredita.engines.text.alphabet import CAPITALS, LATIN, MACHINE_READABLE, Alphabet
from acredita.engines.text.lines import (
    Check,
    Enough,
    Glyph,
    Image,
    Line,
    Reading,
    TextReader,
    share_of_page,
)

__all__ = [
    "CAPITALS",
    "LATIN",
    "MACHINE_READABLE",
    "Alphabet",
    "Check",
    "Enough",
    "Glyph",
    "Image",
    "Line",
    "Reading",
    "TextReader",
    "share_of_page",
]
