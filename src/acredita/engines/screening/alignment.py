"""How the words of a query and of candidate names stand for each other, and what that is worth."""

from dataclasses import dataclass

import numpy as np

from acredita.engines.screening.neighbours import INITIAL, Neighbours
from acredita.engines.screening.tables import Array, Tables

_WIDEST = 16
JOINED = 0.86
_LONE_WORD = 0.70


@dataclass(frozen=True, slots=True)
class Query:
    """The words of one reading: what each is like, and what two neighbours are like as one."""

    words: tuple[str, ...]
    near: tuple[Neighbours, ...]
    joined: tuple[tuple[int, Neighbours], ...]
    split: frozenset[int] = frozenset()
    by_sound: bool = False

    @property
    def weights(self) -> Array:
        return np.array([near.weight for near in self.near], np.float32)


@dataclass(frozen=True, slots=True)
class Alignment:
    """For n candidates: scores, and for each word of the query the place of the listed word it
    stands for (-1: none) with their similarity. `rows` are the candidates' words, padded."""

    scores: Array
    rows: Array
    place: Array
    similarity: Array


class Aligner:
    """Greedy one-to-one alignment of one query with many names at once."""

    def __init__(self, tables: Tables, words: list[str]) -> None:
        self._tables = tables
        self._none = len(words)
        self._first_letter = np.zeros(len(words) + 1, np.uint8)
        self._first_letter[:-1] = np.fromiter(
            (ord(word[0]) if word.isascii() else 0 for word in words), np.uint8, len(words)
        )
        self._single = np.zeros(len(words) + 1, bool)
        self._single[: int(tables.length_start[2])] = True

    def align(self, query: Query, names: Array, scratch: Array) -> Alignment:
        """`scratch` is float32[V + 1], zero, and is given back as zeros."""
        rows = self._rows(names)
        similar = self._similarities(query, rows, scratch)
        place = np.full((len(names), len(query.words)), -1, np.int8)
        similarity = np.zeros(place.shape, np.float32)
        self._join(query, rows, similar, place, similarity, scratch)
        _assign(similar, place, similarity)
        scores = self._scores(query, names, rows, place, similarity)
        return Alignment(scores, rows, place, similarity)

    def _rows(self, names: Array) -> Array:
        start = self._tables.name_start[names]
        length = self._tables.name_start[names + 1] - start
        columns = np.arange(min(int(length.max()), _WIDEST))
        inside = columns < length[:, None]
        rows: Array = self._tables.name_word[np.where(inside, start[:, None] + columns, 0)]
        return np.where(inside, rows, self._none)

    def _similarities(self, query: Query, rows: Array, scratch: Array) -> Array:
        """n x words of the query x words of the name."""
        similar = np.zeros((len(rows), len(query.words), rows.shape[1]), np.float32)
        singles = self._single[rows]
        has_singles = bool(singles.any())
        initials = self._first_letter[rows] if has_singles or self._any_single(query) else None
        for i, (word, near) in enumerate(zip(query.words, query.near, strict=True)):
            scratch[near.words] = near.similarities
            similar[:, i] = scratch[rows]
            scratch[near.words] = 0
            if initials is not None and word.isascii():
                short = (initials == ord(word[0])) & (True if len(word) == 1 else singles)
                similar[:, i] = np.where(short, np.maximum(similar[:, i], INITIAL), similar[:, i])
        return similar

    @staticmethod
    def _any_single(query: Query) -> bool:
        return any(len(word) == 1 for word in query.words)

    def _join(
        self,
        query: Query,
        rows: Array,
        similar: Array,
        place: Array,
        similarity: Array,
        scratch: Array,
    ) -> None:
        """Two words of the query that are one in the name ("de la cruz", "delacruz")."""
        every = np.arange(len(rows))
        for i, near in query.joined:
            scratch[near.words] = near.similarities
            whole = scratch[rows]
            scratch[near.words] = 0
            column = whole.argmax(1)
            value = whole[every, column]
            apart = np.maximum(similar[:, i].max(1), similar[:, i + 1].max(1))
            better = (value > JOINED) & (value > apart)
            better &= (place[:, i] < 0) & (place[:, i + 1] < 0)
            better &= ~(place == column[:, None]).any(1)
            chosen = np.flatnonzero(better)
            for word in (i, i + 1):
                place[chosen, word] = column[chosen]
                similarity[chosen, word] = value[chosen]
                similar[chosen, word] = 0
            similar[chosen, :, column[chosen]] = 0

    def _scores(
        self, query: Query, names: Array, rows: Array, place: Array, similarity: Array
    ) -> Array:
        weights = query.weights
        covered = (similarity * weights).sum(1) / weights.sum()
        best = np.zeros(rows.shape, np.float32)
        every = np.arange(len(rows))
        for i in range(place.shape[1]):
            matched = np.flatnonzero(place[:, i] >= 0)
            best[every[matched], place[matched, i]] = similarity[matched, i]
        listed = (best * self._tables.word_weight[rows]).sum(1)
        listed_covered = np.minimum(listed / self._tables.name_weight[names], 1)
        high, low = np.maximum(covered, listed_covered), np.minimum(covered, listed_covered)
        scores = high * (0.58 + 0.42 * low)
        count = (rows != self._none).sum(1)
        words = len(query.words)
        few = (listed_covered > 0.9) & (covered < 0.85) & (count <= 2) & (words >= 3)
        scores = np.where(few, np.minimum(scores, 0.58 + 0.42 * covered - 0.10), scores)
        lone = ((place >= 0).sum(1) < 2) & ((count > 1) | (words > 1))
        capped: Array = np.where(lone, np.minimum(scores, _LONE_WORD), scores)
        return capped


def _assign(similar: Array, place: Array, similarity: Array) -> None:
    """The most alike pair first, then the most alike of what is left."""
    n, words, columns = similar.shape
    flat = similar.reshape(n, -1)
    every = np.arange(n)
    for _ in range(min(words, columns)):
        best = flat.argmax(1)
        value = flat[every, best]
        chosen = np.flatnonzero(value > 0)
        if len(chosen) == 0:
            return
        word, column = best[chosen] // columns, best[chosen] % columns
        place[chosen, word] = column
        similarity[chosen, word] = value[chosen]
        similar[chosen, word, :] = 0
        similar[chosen, :, column] = 0
