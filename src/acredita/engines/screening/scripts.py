"""Find Latin words by the sound of words in scripts that have many romanisations."""

from collections.abc import Collection, Iterator

from acredita.domain.screening import arabic_and_hebrew, korean, syllabic
from acredita.domain.screening.names import Script
from acredita.engines.screening.hashing import text_hash

_JOINED = 4
_PREFIX: dict[Script, str] = {"abjad": "abjad:", "korean": "korean:", "syllabic": "syllabic:"}


def script_hashes(word: str) -> Iterator[int]:
    """The hashes under which a listed word of small Latin letters is found."""
    for skeleton in arabic_and_hebrew.skeletons(word):
        yield text_hash(_PREFIX["abjad"] + skeleton)
    if key := korean.korean_key(word):
        yield text_hash(_PREFIX["korean"] + key)
    for skeleton in syllabic.listed_skeletons(word):
        yield text_hash(_PREFIX["syllabic"] + skeleton)


def asked_hashes(word: str, script: Script, *, joined: bool) -> Iterator[int]:
    """The hashes of a romanised word of a question; none if it has no sound to compare.

    `joined`: two words joined. Few consonants of two words are in many Latin ones.
    """
    keys: Collection[str]
    if script == "korean":
        keys = frozenset(filter(None, [korean.korean_key(word)]))
    elif script == "abjad":
        keys = arabic_and_hebrew.skeletons(word, latin=False)
    else:
        keys = syllabic.asked_skeletons(word)
    if joined and script != "korean":
        keys = [key for key in keys if len(key) >= _JOINED]
    return (text_hash(_PREFIX[script] + key) for key in sorted(keys))


def agreement(word: str, listed: str, script: Script) -> float:
    """Similarity (0-1) of a romanised word and a listed word of the same sound."""
    if script == "korean":
        return korean.agreement(word, listed)
    if script == "syllabic":
        return syllabic.agreement(word, listed)
    return arabic_and_hebrew.agreement(word, listed)
