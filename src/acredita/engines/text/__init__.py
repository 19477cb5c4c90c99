"""Reading printed text: lines, alphabets and the protocol of a reader.

The implementation, `rapid`, is imported where it is loaded: its libraries take a second to import.
"""

from acredita.engines.text.alphabet import CAPITALS, LATIN, MACHINE_READABLE, Alphabet
from acredita.engines.text.lines import Enough, Glyph, Image, Line, TextReader, laid_level

__all__ = [
    "CAPITALS",
    "LATIN",
    "MACHINE_READABLE",
    "Alphabet",
    "Enough",
    "Glyph",
    "Image",
    "Line",
    "TextReader",
    "laid_level",
]
