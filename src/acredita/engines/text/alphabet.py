"""Which characters a line may hold.

The recognition model knows 18,708 characters, most of them Chinese. A Mexican document holds
about a hundred, an MRZ line 37: telling the decoder so turns a fullwidth or Chinese look-alike
into the letter that was printed, at that letter's own (honest, low) probability.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Alphabet:
    """A named set of admissible characters; `spaced` says whether blanks mean anything."""

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
