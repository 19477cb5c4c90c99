"""Which listed words a word of the query may stand for."""

import math
import re
from dataclasses import dataclass

import numpy as np

from acredita.domain.screening_names import is_particle
from acredita.engines.screening.lexicon import Lexicon
from acredita.engines.screening.phonetic import phonetic_key
from acredita.engines.screening.tables import Array, Tables

PHONETIC = 0.93
INITIAL = 0.82
ATTACHED = 0.9
SPLIT = 0.97
_LEAST_SIMILARITY = 0.72
_CLOSE = 0.9
_CERTAINLY_A_NAME = 50
_DOUBT = 1.5
_REMEMBERED = 20_000
_ATTACHED = re.compile("^(?:de|del|la|las|los|el|al|bin|ibn|ben|van|von|da|dos?)+(?=.{4})")
_MOST_SPLITS = 4


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Listed words (their numbers) with similarities (0-1); the weight of the query's word, which
    is that of the listed word it most likely is, or 1 if it is like none; its share of uses as a
    family name; and pairs of listed words that it is without the blank between."""

    words: Array
    similarities: Array
    weight: float
    family: float
    splits: tuple[tuple[int, int], ...]

    @property
    def best(self) -> float:
        return float(self.similarities.max()) if len(self.similarities) else 0.0


class Vocabulary:
    """The listed words, and a memory of what was asked about: names repeat their words, and
    remembering them halves the time. Threads may share it: each entry is written whole."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._listed = Lexicon.of(tables.words_text, tables.word_letters, tables.word_lengths)
        self._keys = Lexicon.of(tables.keys_text, tables.key_letters, tables.key_lengths)
        self.words = self._listed.strings
        self._remembered: dict[tuple[str, bool], Neighbours] = {}

    def neighbours(self, word: str, *, exact: bool = False) -> Neighbours:
        known = self._remembered.get((word, exact))
        if known is None:
            known = self._find(word, exact=exact or not word.isascii())
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[word, exact] = known
        return known

    def _find(self, word: str, *, exact: bool) -> Neighbours:
        same = self._listed.number.get(word)
        alike = {} if exact else self._alike(word, same)
        if same is not None:
            alike[same] = 1.0
        words = np.fromiter(alike.keys(), np.int32, len(alike))
        similarities = np.fromiter(alike.values(), np.float32, len(alike))
        likely = same if same is not None else max(alike, key=alike.__getitem__, default=None)
        weight = 1.0 if likely is None else float(self._tables.word_weight[likely])
        family = 0.5 if same is None else float(self._tables.word_family[same])
        splits = () if exact or same is not None else self._splits(word)
        return Neighbours(words, similarities, weight, family, splits)

    def _alike(self, word: str, same: int | None) -> dict[int, float]:
        alike = self._listed.near(word)
        if same is not None:
            alike = self._doubted(alike, same)
        key = phonetic_key(word)
        keys = {} if (number := self._keys.number.get(key)) is None else {number: 1.0}
        if same is None and max(alike.values(), default=0.0) < _CLOSE:
            keys = self._keys.near(key) | keys
        for number, similarity in keys.items():
            for other in self._sounding(number):
                alike[other] = max(alike.get(other, 0.0), PHONETIC * similarity)
        if same is None:
            bare = self._listed.number.get(_ATTACHED.sub("", word))
            if bare is not None:
                alike[bare] = max(alike.get(bare, 0.0), ATTACHED)
        return alike

    def _doubted(self, alike: dict[int, float], same: int) -> dict[int, float]:
        """A word that is itself a common name is seldom another one misspelt: Hernandez is not
        Fernandez, García is not María. The longer it is, the less by chance."""
        start = self._tables.posting_start
        uses = int(start[same + 1] - start[same])
        common = min(1.0, math.log1p(uses) / math.log1p(_CERTAINLY_A_NAME))
        doubt = 1 + _DOUBT * common * min(1.0, (len(self.words[same]) - 2) / 5)
        doubted = {other: 1 - (1 - similarity) * doubt for other, similarity in alike.items()}
        return {other: value for other, value in doubted.items() if value >= _LEAST_SIMILARITY}

    def _sounding(self, key: int) -> list[int]:
        start = self._tables.key_start
        words: list[int] = self._tables.key_word[start[key] : start[key + 1]].tolist()
        return words

    def _splits(self, word: str) -> tuple[tuple[int, int], ...]:
        """Pairs of listed words, the most even first; the second is the first's where the rest is
        a particle."""
        number = self._listed.number
        found = []
        for end in range(2, len(word) - 1):
            left, right = word[:end], word[end:]
            if left in number and right in number:
                found.append((-min(len(left), len(right)), number[left], number[right]))
            elif left in number and is_particle(right):
                found.append((-len(right), number[left], number[left]))
        return tuple((left, right) for _, left, right in sorted(found)[:_MOST_SPLITS])
