"""Which listed words a word of the query may stand for."""

from dataclasses import dataclass

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA, JaroWinkler

from acredita.domain.screening_names import is_particle
from acredita.engines.screening.building import letters, text_hash
from acredita.engines.screening.phonetic import phonetic_key
from acredita.engines.screening.tables import Array, Tables

PHONETIC = 0.93
INITIAL = 0.82
_LEAST_SIMILARITY = 0.72
_ONE_BIT_EACH = np.uint64((1 << 37) - 1)
_REMEMBERED = 20_000
_LONGEST = 62


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Listed words (their numbers) with similarities (0-1), and the weight of the query's word:
    that of the listed word it most likely is, or 1 if it is like none."""

    words: Array
    similarities: Array
    weight: float

    def at_least(self, similarity: float) -> "Neighbours":
        near = self.similarities >= similarity
        return Neighbours(self.words[near], self.similarities[near], self.weight)


class Vocabulary:
    """The listed words, and a memory of what was asked about: names repeat their words, and
    remembering them halves the time. Threads may share it: each entry is written whole."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        text = bytes(tables.words_text).decode()
        self.words: list[str] = text.split("\n") if text else []
        self.number: dict[str, int] = {word: place for place, word in enumerate(self.words)}
        self._remembered: dict[tuple[str, bool], Neighbours] = {}

    def neighbours(self, word: str, *, exact: bool = False) -> Neighbours:
        known = self._remembered.get((word, exact))
        if known is None:
            known = self._find(word, exact=exact)
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[word, exact] = known
        return known

    def parted(self, word: str) -> tuple[str, ...]:
        """The known words that an unknown one is made of, particles left out; empty if none."""
        if len(word) < 6 or word in self.number:
            return ()
        best = 0
        parts: tuple[str, ...] = ()
        for end in range(2, len(word) - 1):
            halves = word[:end], word[end:]
            if not all(half in self.number or is_particle(half) for half in halves):
                continue
            telling = tuple(half for half in halves if not is_particle(half))
            worth = min(map(len, halves)) + 3 * (len(telling) == 2)
            if worth > best:
                best, parts = worth, telling
        if parts and (self.neighbours(word).similarities >= 0.9).any():
            return ()
        return parts

    def _find(self, word: str, *, exact: bool) -> Neighbours:
        alike: dict[int, float] = {}
        if not exact and word.isascii():
            alike = self._spelled_alike(word)
            for other in self._sounding_alike(word):
                alike[other] = max(alike.get(other, 0.0), PHONETIC)
        if (same := self.number.get(word)) is not None:
            alike[same] = 1.0
        words = np.fromiter(alike.keys(), np.int32, len(alike))
        similarities = np.fromiter(alike.values(), np.float32, len(alike))
        return Neighbours(words, similarities, self._weight(same, words, similarities))

    def _weight(self, same: int | None, words: Array, similarities: Array) -> float:
        if same is not None:
            return float(self._tables.word_weight[same])
        if len(words) == 0:
            return 1.0
        return float(self._tables.word_weight[words[similarities.argmax()]])

    def _spelled_alike(self, word: str) -> dict[int, float]:
        """Words within the edits that their length allows. Lengths and letters, compared as bits,
        leave one in twenty words to be compared by their spelling: an edit changes two bits."""
        length = len(word)
        edits = _edits(length)
        if edits == 0:
            return {}
        start = self._tables.length_start
        first, last = int(start[max(1, length - edits)]), int(start[min(63, length + edits + 1)])
        differing = self._tables.word_letters[first:last] ^ np.uint64(letters(word))
        bits = np.bitwise_count(differing & _ONE_BIT_EACH)
        places = np.flatnonzero(bits <= 2 * edits) + first
        if len(places) == 0:
            return {}
        distances = process.cdist(
            [word],
            [self.words[place] for place in places.tolist()],
            scorer=OSA.distance,
            score_cutoff=edits,
            dtype=np.uint8,
        )[0]
        near = np.flatnonzero(distances <= edits)
        alike = {}
        for place, distance in zip(places[near].tolist(), distances[near].tolist(), strict=True):
            other = self.words[place]
            spelled = 1 - distance / max(length, len(other))
            similarity = (spelled + JaroWinkler.similarity(word, other)) / 2
            if similarity >= _LEAST_SIMILARITY:
                alike[place] = similarity
        return alike

    def _sounding_alike(self, word: str) -> list[int]:
        key = phonetic_key(word)
        hashed = np.uint64(text_hash(key))
        hashes = self._tables.key_hash
        first, last = np.searchsorted(hashes, hashed), np.searchsorted(hashes, hashed, "right")
        return [int(place) for place in self._tables.key_word[first:last]]


def _edits(length: int) -> int:
    if length < 3 or length > _LONGEST:
        return 0
    return 1 if length <= 5 else 2 if length <= 11 else 3
