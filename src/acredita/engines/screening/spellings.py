"""A lexicon of strings, sorted by length, with a search for similar spellings."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA, JaroWinkler

from acredita.engines.screening.tables import Array

_LEAST_SIMILARITY = 0.72
_LONGEST = 62
_TWICE = 37
_FEW = 64
_PAIR = 31


def by_length(strings: Iterable[str]) -> list[str]:
    """Sort strings by length, then alphabetically: the order that a lexicon needs."""
    return sorted(strings, key=lambda string: (len(string), string))


def letters(string: str) -> int:
    """Bit set of the characters: a-z and 0-9, one bit for any other, one per repeated letter."""
    bits = 0
    for char in string:
        code = ord(char)
        place = code - 97 if 97 <= code < 123 else code - 22 if 48 <= code < 58 else 36
        bit = 1 << place
        bits |= bit << _TWICE if bits & bit and place < 26 else bit
    return bits


def letters_of(strings: Sequence[str]) -> Array:
    """Bit sets of the strings, uint64[n]."""
    return np.fromiter(map(letters, strings), np.uint64, len(strings))


def length_starts(strings: Sequence[str]) -> Array:
    """int32[64]: for each length, the index of the first string that is not shorter.

    `strings` are sorted by length.
    """
    lengths = np.fromiter(map(len, strings), np.int32, len(strings))
    return np.searchsorted(lengths, np.arange(64)).astype(np.int32)


def pairs(string: str) -> int:
    """Bit set of the pairs of neighbouring letters, the two ends among them, by a hash."""
    bits = 0
    ended = b"\n" + string.encode() + b"\n"
    for one, other in pairwise(ended):
        bits |= 1 << ((one * _PAIR + other) % 64)
    return bits


def pairs_of(text: Array) -> Array:
    """Bit sets of the strings, uint64[n]. `text`: uint8, UTF-8, one string per line."""
    if not len(text):
        return np.empty(0, np.uint64)
    ended = np.concatenate([[10], text, [10]]).astype(np.uint8)
    bits = np.uint64(1) << ((ended[:-1] * np.uint8(_PAIR) + ended[1:]) % np.uint8(64))
    sets: Array = np.bitwise_or.reduceat(bits, np.flatnonzero(ended == 10)[:-1])
    return sets


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Strings sorted by length. `number`: string → index.

    `letters`: `letters_of(strings)`. `starts`: `length_starts(strings)`. `lengths`: int8[n], at
    most 63. `pairs`: of `pairs_of`.
    """

    strings: list[str]
    number: dict[str, int]
    letters: Array
    starts: Array
    lengths: Array
    pairs: Array

    @classmethod
    def from_text(cls, text: Array, letters: Array, starts: Array) -> "Lexicon":
        """`text`: uint8, UTF-8, one string per line."""
        strings = bytes(text).decode().split("\n") if len(text) else []
        number = {string: place for place, string in enumerate(strings)}
        lengths = np.repeat(np.arange(64, dtype=np.int8), np.diff(starts, append=len(strings)))
        return cls(strings, number, letters, starts, lengths, pairs_of(text))

    def near(self, string: str) -> dict[int, float]:
        """Index → similarity (0-1) of the strings within the edit distance that the length allows.

        One edit removes a letter, adds one, or both; or it swaps two. Comparing lengths and bit
        sets first leaves a few hundred strings for the exact distance.
        """
        edits = _edits(len(string))
        if edits == 0:
            return {}
        first = int(self.starts[max(1, len(string) - edits)])
        last = int(self.starts[min(63, len(string) + edits + 1)])
        theirs, ours = self.letters[first:last], np.uint64(letters(string))
        near = np.flatnonzero(np.bitwise_count(theirs ^ ours) <= 2 * edits)
        theirs = theirs[near]
        # A longer string has letters more, so that fewer edits are left to replace ours.
        longer = self.lengths[first:last][near] - np.int8(len(string))
        added, lost = np.bitwise_count(theirs & ~ours), np.bitwise_count(~theirs & ours)
        possible = added <= edits + np.minimum(longer, 0)
        possible &= lost <= edits - np.maximum(longer, 0)
        # A swap changes no letters, but three pairs; another edit changes at most two.
        changed = 3 * edits - np.maximum(added, lost)[possible]
        near = near[possible] + first
        our_pairs, their_pairs = np.uint64(pairs(string)), self.pairs[near]
        possible = np.bitwise_count(their_pairs & ~our_pairs) <= changed
        possible &= np.bitwise_count(~their_pairs & our_pairs) <= changed
        near = near[possible]
        others = [self.strings[place] for place in near.tolist()]
        compared = _alike if len(others) > _FEW else _few_alike
        return dict(compared(string, others, near, edits))


def _few_alike(
    string: str, others: list[str], places: Array, edits: int
) -> Iterator[tuple[int, float]]:
    """(place, similarity) of the others within the edit distance."""
    found = process.extract_iter(string, others, scorer=OSA.distance, score_cutoff=edits)
    for other, distance, number in found:
        spelled = 1 - distance / max(len(string), len(other))
        similarity = (spelled + JaroWinkler.similarity(string, other)) / 2
        if similarity >= _LEAST_SIMILARITY:
            yield int(places[number]), similarity


def _alike(
    string: str, others: list[str], places: Array, edits: int
) -> Iterator[tuple[int, float]]:
    """As `_few_alike`, at once: it takes a third of the time for hundreds, and more for few."""
    compare = partial(process.cdist, [string])
    distances = compare(others, scorer=OSA.distance, score_cutoff=edits, dtype=np.uint8)[0]
    near = np.flatnonzero(distances <= edits)
    others = [others[number] for number in near.tolist()]
    likeness = compare(others, scorer=JaroWinkler.similarity, dtype=np.float64)[0]
    longest = np.array([max(len(string), len(other)) for other in others])
    similarities = (1 - distances[near] / longest + likeness) / 2
    enough = similarities >= _LEAST_SIMILARITY
    return zip(places[near[enough]].tolist(), similarities[enough].tolist(), strict=True)


def _edits(length: int) -> int:
    if length < 3 or length > _LONGEST:
        return 0
    return 1 if length <= 5 else 2 if length <= 11 else 3
