"""Reading printed text: the protocol, its RapidOCR implementation and the loader."""

from acredita.engines.text.alphabet import CAPITALS, LATIN, MACHINE_READABLE, Alphabet
from acredita.engines.text.lines import Glyph, Image, Line, TextReader
from acredita.engines.text.rapid import RapidReader, load_reader

__all__ = [
    "CAPITALS",
    "LATIN",
    "MACHINE_READABLE",
    "Alphabet",
    "Glyph",
    "Image",
    "Line",
    "RapidReader",
    "TextReader",
    "load_reader",
]
