"""Alphabets: the characters that a line may contain.

The recognition model knows 18,708 characters, of which 2,800 are not Chinese. A Mexican document
uses about a hundred, an MRZ line 37. With a restricted alphabet, the decoder returns the printed
letter with that letter's own (low) probability instead of a fullwidth or Greek look-alike.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Alphabet:
    """A named set of allowed characters. `spaced`: whether blanks separate words."""

    name: str
    characters: frozenset[str]
    spaced: bool = True


_DIGITS = "0123456789"
_ASCII_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SPANISH_CAPITALS = _ASCII_CAPITALS + "ÑÁÉÍÓÚÜ"
_PUNCTUATION = " .,:;/-#'\"()&°ºª<+*_%@!?¿|"

LATIN = Alphabet(
    "latin",
    frozenset(_SPANISH_CAPITALS + _SPANISH_CAPITALS.lower() + _DIGITS + _PUNCTUATION),
)
CAPITALS = Alphabet("capitals", frozenset(_SPANISH_CAPITALS + _DIGITS + " .,/-'#&"))
MACHINE_READABLE = Alphabet(
    "machine-readable", frozenset(_ASCII_CAPITALS + _DIGITS + "<"), spaced=False
)
