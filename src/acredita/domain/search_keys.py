"""The search keys of a verification: parts of external id and metadata values, words of the name.

DECISIONS, Verifications: `search`. Texts are compared case-folded and otherwise letter by letter;
words of names are compared as registries fold them, without accents.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from acredita.domain.names import fold

# Between two texts. Case-folded text holds no capital, so no search runs over the end of a text.
BETWEEN = "A"
GRAM = 3
# A code point has 21 bits: three of them fit PostgreSQL's bigint.
CODE_POINT_BITS = 21
# Shorter ones would select too many verifications, longer ones are nearly whole words.
SHORTEST_PREFIX, LONGEST_PREFIX = 3, 10
WORDS = re.compile(r"[^\W_]+")


def folded(text: str) -> str:
    """Return the case-folded text in normalization form NFC."""
    composed = unicodedata.normalize("NFC", text)
    return unicodedata.normalize("NFC", composed.casefold())


def searchable(external_id: str | None, metadata: Mapping[str, Any] | None) -> str:
    """External id and metadata values, folded, with what no search holds between them."""
    texts = () if external_id is None else (external_id,)
    return BETWEEN.join(folded(text) for text in (*texts, *_values(metadata or {})) if text)


def _values(value: Any) -> Iterator[str]:
    """Strings and numbers, however deep; a number as JSON writes it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for member in value.values():
            yield from _values(member)
    elif isinstance(value, list):
        for item in value:
            yield from _values(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield json.dumps(value)


def grams(text: str, organization_id: UUID) -> set[int]:
    """Every three letters in a row of a folded text, as numbers below 2**63.

    The numbers are the organization's own, so that an index over all organizations leads to its
    rows alone; no two grams of one organization share a number.
    """
    own = int.from_bytes(organization_id.bytes[8:]) >> 1
    found = set()
    for part in text.split(BETWEEN):
        codes = [ord(letter) for letter in part]
        for first, second, third in zip(codes, codes[1:], codes[2:], strict=False):
            found.add((first << 2 * CODE_POINT_BITS | second << CODE_POINT_BITS | third) ^ own)
    return found


def name_words(names: Iterable[str]) -> set[str]:
    """Return the folded words of names, or of a search for one."""
    return {word for name in names for word in WORDS.findall(fold(name))}


def name_prefixes(names: Iterable[str]) -> set[str]:
    """Return the beginnings of the names' words that a search finds. No word is its own."""
    return {
        word[:length]
        for word in name_words(names)
        for length in range(SHORTEST_PREFIX, min(len(word) - 1, LONGEST_PREFIX) + 1)
    }


def typed_name(text: str) -> tuple[set[str], str] | None:
    """Return the words of a search for a name and the beginning of the last one, which may still be
    typed; None if that has not the length of a prefix.
    """
    *words, last = WORDS.findall(fold(text)) or [""]
    if not SHORTEST_PREFIX <= len(last) <= LONGEST_PREFIX:
        return None
    return set(words), last


def only_word(text: str) -> str | None:
    """Return the word of a search for one word of a name; None if it has none or several."""
    words = WORDS.findall(fold(text))
    return words[0] if len(words) == 1 else None
