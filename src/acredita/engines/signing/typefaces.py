"""The typefaces of packages: Open Sans for text, Arimo for characters that Open Sans lacks.

Both come from Python packages (Apache-2.0, OFL). The PDF embeds the glyphs it uses. Together they
cover Latin, Greek, Cyrillic and the symbols of contracts. A character that neither has, and
right-to-left text, which is not supported, become replacement characters and are counted. Invisible
characters (controls, joiners, direction marks) are dropped, so the reading order is always the
order of the text.
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

from acredita.engines.signing.blocks import Style

REPLACEMENT: Final = "�"
# Check boxes as text: a reader must tell an empty one, a ticked one and a replacement apart.
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
# Unicode categories of invisible characters: controls and formats.
_INVISIBLE: Final = frozenset({"Cc", "Cf"})


class Face:
    """A typeface with 1000 units per em."""

    def __init__(self, name: str) -> None:
        font = _register(name)
        self.name = name
        self._widths: dict[int, float] = font.face.charWidths
        self._default: float = font.face.defaultWidth
        self.characters = frozenset(map(chr, font.face.charToGlyph))
        self._words: dict[str, float] = {}

    def width(self, word: str) -> float:
        """Width in thousandths of the font size. A bounded cache holds short words."""
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
    """Decides for each character of the texts: unchanged, fallback typeface, or substitution."""

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
        """Number of characters of the text that become replacement characters."""
        return sum(text.count(character) for character in self._replaced)

    def spell(self, text: str) -> str:
        """The text with its substitutions."""
        return text.translate(self._written) if self._written else text

    def pieces(self, text: str, style: Style) -> list[tuple[str, str]]:
        """(name of the typeface, text) for each piece of a text that `spell` returned."""
        if self._elsewhere is None:
            return [(style, text)] if text else []
        return [
            (FALLBACK if place % 2 else style, piece)
            for place, piece in enumerate(self._elsewhere.split(text))
            if piece
        ]


def _is_selector(character: str) -> bool:
    """Whether it is a variation selector, which selects a glyph of the preceding character."""
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
