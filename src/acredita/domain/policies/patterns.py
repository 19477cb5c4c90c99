"""The size of the patterns in a condition, estimated from its text before anything compiles them.

RE2 matches in linear time, but compiles a short pattern with counted repetitions or classes of
Unicode to thousands of instructions: 20 characters can take 0.3 seconds.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

# Space and remarks of CEL. Possessive (`*+`): a search never goes back into one, so that it takes
# time in proportion to the text.
GAP: Final = r"(?:\s|//[^\n]*+(?:\n|$))*+"
# Instructions of all patterns of a condition. A CURP has 40.
LARGEST: Final = 500
TOO_LARGE: Final = "the patterns are too large: repeat less often, and without \\p"
NOT_LITERAL: Final = "matches takes one text in quotes, in the form x.matches(r'...')"
# A pattern that this estimate does not understand.
_UNKNOWN: Final = 10**9
_NAME: Final = re.compile(r"\bmatches\b")
_OPENING: Final = re.compile(rf"{GAP}\({GAP}")
# Without escapes but of the backslash itself, which could hide a repetition.
_LITERAL: Final = re.compile(
    r"""(?:[rR](?:'(?P<raw>[^'\n]*)'|"(?P<raw2>[^"\n]*)")"""
    r"""|'(?P<text>(?:[^'\\\n]|\\\\)*)'|"(?P<text2>(?:[^"\\\n]|\\\\)*)")"""
    rf"{GAP}\)"
)
_TOKEN: Final = re.compile(
    r"(?P<count>\{(?P<least>\d+)(?P<to>,(?P<most>\d*))?\})"
    r"|(?P<unicode>\\[pP](?:\{\^?\w*\}|\w))"
    r"|(?P<quoted>\\Q)"
    r"|(?P<class>\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\])|(?P<unclosed>\[)"
    r"|(?P<negated>\\[A-Z])|(?P<escape>\\.)"
    r"|(?P<open>\()|(?P<close>\))|(?P<repeat>[*+?])|(?P<any>\.)|(?P<other>.)",
    re.DOTALL,
)
# Of a character that a class names, or of a range, beyond ASCII.
_OF_RANGE: Final = 4
# Without regard to case, a letter has up to three forms, some of them beyond ASCII.
_EITHER_CASE: Final = re.compile(r"\(\?[a-zA-Z]*i")
_OF_CASES: Final = 3
_SIZE: Final = {"unicode": 300, "negated": 10, "escape": 2, "any": 10, "other": 2}


@dataclass(frozen=True, slots=True)
class Patterns:
    """The patterns of a condition, as texts in CEL, by their places. `fault`: the place of a call
    of `matches` that is not accepted, with the reason; None if all are.
    """

    written: Mapping[int, str]
    fault: tuple[int, str] | None = None


def find(condition: str) -> Patterns:
    """Return the patterns up to one that is not accepted."""
    total = 0
    written: dict[int, str] = {}
    for name in _NAME.finditer(condition):
        opening = _OPENING.match(condition, name.end())
        if opening is None:
            continue  # a variable has this name
        literal = _LITERAL.match(condition, opening.end())
        if literal is None:
            return Patterns(written, (name.start(), NOT_LITERAL))
        total += size(_content(literal))
        if total > LARGEST:
            return Patterns(written, (name.start(), TOO_LARGE))
        written[literal.start()] = literal[0]
    return Patterns(written)


def size(pattern: str) -> int:
    """Return about how many instructions RE2 needs for a pattern; a huge number if unknown."""
    sizes, last = [0], 0
    for token in _TOKEN.finditer(pattern):
        match token.lastgroup:
            case "open":
                sizes.append(1)
                continue
            case "close":
                if len(sizes) == 1:
                    return _UNKNOWN
                last = sizes.pop()
            case "count":
                times = _times(token)
                sizes[-1] += last * (times - 1)
                last *= max(times, 1)
                continue
            case "repeat":
                sizes[-1] += 1
                last += 1
                continue
            case "quoted" | "unclosed":
                return _UNKNOWN
            case "class":
                last = _size_of_class(token["class"])
            case kind:
                last = _SIZE[str(kind)]
        sizes[-1] += last
    return sum(sizes) * (_OF_CASES if _EITHER_CASE.search(pattern) else 1)


def _times(token: re.Match[str]) -> int:
    least = int(token["least"])
    if token["to"] is None:
        return least
    return int(token["most"]) if token["most"] else least + 1


def _size_of_class(characters: str) -> int:
    if "\\p" in characters or "\\P" in characters:
        return _SIZE["unicode"]
    if not characters.isascii() or "\\x" in characters:
        return 10 + _OF_RANGE * len(characters)
    is_negated = "[^" in characters or "[:^" in characters or re.search(r"\\[A-Z]", characters)
    return 10 if is_negated else 2


def _content(literal: re.Match[str]) -> str:
    raw = literal["raw"] or literal["raw2"]
    return raw or (literal["text"] or literal["text2"] or "").replace("\\\\", "\\")
