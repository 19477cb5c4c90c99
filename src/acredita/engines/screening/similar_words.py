"""Find the listed words that a query word may match."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from acredita.domain.screening.names import Script, is_particle
from acredita.domain.screening.nicknames import familiar_forms
from acredita.engines.screening.coverage import WEIGHTLESS
from acredita.engines.screening.hashing import text_hash
from acredita.engines.screening.phonetic import phonetic_key
from acredita.engines.screening.scripts import alike_in_script
from acredita.engines.screening.spellings import Lexicon
from acredita.engines.screening.tables import Array, Tables

PHONETIC = 0.93
NICKNAME = 0.95
INITIAL = 0.82
ATTACHED = 0.9
SPLIT = 0.97
_LEAST_SIMILARITY = 0.72
_CLOSE = 0.9
_SURELY = 0.86
_CERTAINLY_A_NAME = 50
_DOUBT = 1.5
_REMEMBERED = 40_000
_ATTACHED = re.compile("^(?:de|del|la|las|los|el|al|bin|ibn|ben|van|von|da|dos?)+(?=.{4})")
_MOST_SPLITS = 4
_LEAST_HALF = 4


Way = Literal["alone", "joined", "exact"] | tuple[Script, Literal["alone", "joined"]]


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Similar listed words of one query word: word numbers and similarities (0-1), ascending.

    Equal only to itself, so that it can be a key.
    """

    words: Array
    similarities: Array
    weight: float  # weight of the most similar listed word; 1 if there is none
    family: float  # share of the word's uses as a family name
    best: float  # highest similarity
    splits: tuple[tuple[int, int], ...]  # pairs of listed words that it concatenates
    sharers: Array  # listed words whose names partly match: `words`, its initial, first parts
    shares: Array  # the matched share of the word (0-1), ascending
    hashed: int


_NONE = np.empty(0, np.intp), np.empty(0, np.float32)
_NOTHING = Neighbours(*_NONE, 1.0, 0.5, 0.0, (), *_NONE, 0)  # shared: most joined pairs have none


class Vocabulary:
    """The listed words, with a cache of neighbours: names repeat words, and it halves the time.

    Thread-safe: each cache entry is written in one assignment.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._listed = Lexicon.from_text(
            tables.words_text, tables.word_letters, tables.word_lengths
        )
        self._keys = Lexicon.from_text(tables.keys_text, tables.key_letters, tables.key_lengths)
        self.words = self._listed.strings
        self._singles = {
            word: place for place, word in enumerate(self.words[: int(tables.word_lengths[2])])
        }
        self._remembered: dict[tuple[str, Way], Neighbours] = {}
        # Apart, because few pairs occur again: they must not displace the words.
        self._joined: dict[tuple[str, Way], Neighbours] = {}

    def neighbours(
        self, word: str, *, exact: bool = False, script: Script | None = None
    ) -> Neighbours:
        """Neighbours of a word. `exact`: only the same word. `script`: of the same sound."""
        way: Way = "exact" if exact or not word.isascii() else "alone"
        return self._known(word, (script, "alone") if script else way, self._remembered)

    def joined(self, word: str, *, exact: bool = False, script: Script | None = None) -> Neighbours:
        """Neighbours of two joined words: only the same word or the same sound."""
        way: Way = "exact" if exact or not word.isascii() else "joined"
        return self._known(word, (script, "joined") if script else way, self._joined)

    def _known(
        self, word: str, way: Way, remembered: dict[tuple[str, Way], Neighbours]
    ) -> Neighbours:
        known = remembered.get((word, way))
        if known is None:
            known = self._found(word, way)
            if len(remembered) >= _REMEMBERED:
                remembered.clear()
            remembered[word, way] = known
        return known

    def _found(self, word: str, way: Way) -> Neighbours:
        if isinstance(way, tuple):
            script, joined = way[0], way[1] == "joined"
            alike = alike_in_script(
                self._tables, self.words, word, script, joined=joined, least=_LEAST_SIMILARITY
            )
            return self._neighbours(word, None, alike, ())
        same = self._listed.number.get(word)
        alike = {}
        if way == "joined":
            alike = self._alike_in_sound(word)
        elif way == "alone":
            alike = self._alike(word, same)
        if way == "joined" and not alike and same is None:
            return _NOTHING
        return self._neighbours(word, same, alike, self._splits(word) if way == "alone" else ())

    def _neighbours(
        self,
        word: str,
        same: int | None,
        alike: dict[int, float],
        splits: tuple[tuple[int, int], ...],
    ) -> Neighbours:
        if same is not None:
            alike[same] = 1.0
        ordered, similarities = _ascending(alike)
        best = float(similarities[-1]) if len(ordered) else 0.0
        shares = {left: 0.5 for left, _ in splits}
        if len(word) > 1 and (initial := self._singles.get(word[0])) is not None:
            shares[initial] = INITIAL
        sharers, shared = _ascending(shares | alike)
        return Neighbours(
            words=ordered,
            similarities=similarities.astype(np.float32),
            weight=self._weight(int(ordered[-1]), best) if len(ordered) else 1.0,
            family=0.5 if same is None else float(self._tables.word_family[same]),
            best=best,
            splits=splits,
            sharers=sharers,
            shares=shared.astype(np.float32),
            hashed=text_hash(word),
        )

    def _weight(self, likely: int, similarity: float) -> float:
        """Weight of the most similar listed word.

        A misspelt word gets the low weight of a legal form only if the similarity is high.
        """
        weight = float(self._tables.word_weight[likely])
        return weight if weight > WEIGHTLESS or similarity >= _SURELY else 1.0

    def _alike(self, word: str, same: int | None) -> dict[int, float]:
        alike = self._listed.near(word)
        if same is not None:
            alike = self._doubted(alike, same)
        near = same is None and max(alike.values(), default=0.0) < _CLOSE
        for other, similarity in self._alike_in_sound(word, near=near).items():
            alike[other] = max(alike.get(other, 0.0), similarity)
        for other_form in familiar_forms(word):
            if (listed := self._listed.number.get(other_form)) is not None:
                alike[listed] = max(alike.get(listed, 0.0), NICKNAME)
        if same is None:
            for bare in _bare(word):
                if (listed := self._listed.number.get(bare)) is not None:
                    alike[listed] = max(alike.get(listed, 0.0), ATTACHED)
        return alike

    def _alike_in_sound(self, word: str, *, near: bool = False) -> dict[int, float]:
        """Words with the same phonetic key; with `near`, also with a similar one."""
        key = phonetic_key(word)
        keys = self._keys.near(key) if near else {}
        if (number := self._keys.number.get(key)) is not None:
            keys[number] = 1.0
        start, words = self._tables.key_start, self._tables.key_word
        return {
            other: PHONETIC * similarity
            for number, similarity in keys.items()
            for other in words[start[number] : start[number + 1]].tolist()
        }

    def _doubted(self, alike: dict[int, float], same: int) -> dict[int, float]:
        """Lower the similarities of a word that is itself listed and common.

        A common name is rarely a misspelling of another one: Hernandez is not Fernandez, García is
        not María. The reduction grows with frequency and length.
        """
        start = self._tables.posting_start
        uses = int(start[same + 1] - start[same])
        common = min(1.0, math.log1p(uses) / math.log1p(_CERTAINLY_A_NAME))
        doubt = 1 + _DOUBT * common * min(1.0, (len(self.words[same]) - 2) / 5)
        doubted = {other: 1 - (1 - similarity) * doubt for other, similarity in alike.items()}
        return {other: value for other, value in doubted.items() if value >= _LEAST_SIMILARITY}

    def _splits(self, word: str) -> tuple[tuple[int, int], ...]:
        """Pairs of words that concatenate to the word and are in one listed name, most even first.

        A word that is itself listed has only longer ones (Goodwill, Good Will).
        """
        number = self._listed.number
        shortest = _LEAST_HALF if word in number else 2
        halves = ((word[:end], word[end:]) for end in range(shortest, len(word) - shortest + 1))
        found = [
            (-min(len(left), len(right)), number[left], number[right])
            for left, right in halves
            if left in number and right in number and left != right
        ]
        pairs = [pair for _, *pair in sorted(found) if self._together(*pair)]
        return tuple((left, right) for left, right in pairs[:_MOST_SPLITS])

    def _together(self, one: int, other: int) -> bool:
        """Whether a listed name contains both words."""
        few, many = sorted((self._names_with(one), self._names_with(other)), key=len)
        places = many.searchsorted(few)
        places[places == len(many)] = 0
        return len(many) > 0 and bool((many[places] == few).any())

    def _names_with(self, word: int) -> Array:
        start = self._tables.posting_start
        names: Array = self._tables.posting_name[int(start[word]) : int(start[word + 1])]
        return names


def _ascending(values: dict[int, float]) -> tuple[Array, Array]:
    """(keys, intp[n]; values, float64[n]), in ascending order of the values."""
    keys = np.fromiter(values.keys(), np.intp, len(values))
    found = np.fromiter(values.values(), np.float64, len(values))
    order = found.argsort(kind="stable")
    return keys[order], found[order]


def _bare(word: str) -> Iterator[str]:
    """The word without an attached particle: delacruz, saadal."""
    if (rest := _ATTACHED.sub("", word)) != word:
        yield rest
    for end in range(4, len(word) - 1):
        if is_particle(word[end:]):
            yield word[:end]
