"""The typefaces of packages: Open Sans for the text, Arimo for what Open Sans lacks.

Both come inside packages (Apache-2.0, OFL) and are embedded as far as they are used. Between them
they have the letters of Latin, Greek and Cyrillic, and the signs of contracts. What neither has, or
what runs from right to left, which is not set here, becomes a replacement character and is counted.
What is not to be seen (controls, joiners, marks of direction) is left out: letters stand in the
order in which they are written, whatever such marks ask for.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from acredita.engines.signing.contents import Style

REPLACEMENT: Final = "�"
# Boxes to tick: an empty one must not look like a ticked one, nor either like a replacement.
_WRITTEN_OUT: Final = {"☐": "[ ]", "☑": "[x]", "☒": "[x]", "✓": "√", "✔": "√", "✗": "×", "✘": "×"}
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})
FALLBACK: Final = "fallback"
TAB: Final = "    "
_FILES: Final = {
    Style.REGULAR: ("ttf_opensans", "ttf/OpenSans-Regular.ttf"),
    Style.BOLD: ("ttf_opensans", "ttf/OpenSans-Bold.ttf"),
    Style.ITALIC: ("ttf_opensans", "ttf/OpenSans-Italic.ttf"),
    Style.BOLD_ITALIC: ("ttf_opensans", "ttf/OpenSans-BoldItalic.ttf"),
    FALLBACK: ("fontpkg_arimo", "files/Arimo[wght].ttf"),
}
# Never to be seen, by their category: controls and formats.
_INVISIBLE: Final = frozenset({"Cc", "Cf"})


class Face:
    """A typeface at 1000 units to the em."""

    def __init__(self, name: str) -> None:
        font = _register(name)
        self.name = name
        self._widths: dict[int, float] = font.face.charWidths
        self._default: float = font.face.defaultWidth
        self.characters = frozenset(map(chr, font.face.charToGlyph))
        self._words: dict[str, float] = {}

    def width(self, word: str) -> float:
        """In thousandths of the size. Words repeat: what one costs is remembered, within bounds."""
        known = self._words.get(word)
        if known is None:
            widths, default = self._widths, self._default
            known = sum([widths.get(ord(character), default) for character in word])
            if len(word) <= 24:
                if len(self._words) > 50_000:
                    self._words.clear()
                self._words[word] = known
        return known


@cache
def face(name: str) -> Face:
    return Face(name)


def _register(name: str) -> Any:
    package, file = _FILES[name]
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"the typeface package {package} is not installed")
    font = TTFont(name, str(Path(spec.origin).parent / file))
    pdfmetrics.registerFont(font)
    return font


class Spelling:
    """How each character of some texts is set: as it is, in the other face, or as another."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._written: dict[int, str] = {}
        self._replaced: set[str] = set()
        elsewhere: set[str] = set()
        own, other = face(Style.REGULAR).characters, face(FALLBACK).characters
        for character in set().union(*texts):
            if character == "\n" or (character in own and character.isascii() and character >= " "):
                continue
            if character == "\t":
                self._written[ord(character)] = TAB
            elif character in _WRITTEN_OUT:
                self._written[ord(character)] = _WRITTEN_OUT[character]
            elif unicodedata.category(character) in _INVISIBLE or _is_selector(character):
                self._written[ord(character)] = ""
            elif character in own:
                continue
            elif character in other and unicodedata.bidirectional(character) not in _RIGHT_TO_LEFT:
                elsewhere.add(character)
            else:
                self._replaced.add(character)
                self._written[ord(character)] = REPLACEMENT
        self._elsewhere = (
            re.compile("([" + "".join(map(re.escape, sorted(elsewhere))) + "]+)")
            if elsewhere
            else None
        )

    def replaced(self, text: str) -> int:
        """How many characters of the text a replacement stands for."""
        return sum(text.count(character) for character in self._replaced)

    def spell(self, text: str) -> str:
        return text.translate(self._written) if self._written else text

    def pieces(self, text: str, style: Style) -> list[tuple[str, str]]:
        """(name of the face, text) for each piece of a spelt text."""
        if self._elsewhere is None:
            return [(style, text)] if text else []
        return [
            (FALLBACK if place % 2 else style, piece)
            for place, piece in enumerate(self._elsewhere.split(text))
            if piece
        ]


def _is_selector(character: str) -> bool:
    """A variation selector: it chooses among glyphs of the character before it."""
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
