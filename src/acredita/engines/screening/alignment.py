"""Align the words of a query with the words of candidate names."""

from dataclasses import dataclass

import numpy as np

from acredita.domain.screening.names import Script
from acredita.engines.screening.coverage import coverage_score
from acredita.engines.screening.similar_words import INITIAL, SPLIT, Neighbours
from acredita.engines.screening.tables import Array, Tables, among

JOINED = 0.86
_WIDEST = 16
_MOST = 400
# Rounding of float32 and of scores must not exclude a name.
_ROUNDING = 0.001
PERSON = 0
# Of a word in characters, which no listed word begins with.
_NO_INITIAL = 255


@dataclass(frozen=True, slots=True)
class Query:
    """The words of one reading with their neighbours.

    `joined`: (index of the first word, neighbours of it and the next word joined).
    """

    words: tuple[str, ...]
    near: tuple[Neighbours, ...]
    joined: tuple[tuple[int, Neighbours], ...]
    by_sound: bool
    script: Script | None
    weights: Array  # float32[words]
    initials: int  # one-letter words

    @classmethod
    def from_words(
        cls,
        words: tuple[str, ...],
        near: tuple[Neighbours, ...],
        joined: tuple[tuple[int, Neighbours], ...],
        *,
        by_sound: bool,
        script: Script | None = None,
    ) -> "Query":
        weights = np.array([each.weight for each in near], np.float32)
        initials = sum(map(is_initial, words))
        return cls(words, near, joined, by_sound, script, weights, initials)


def is_initial(word: str) -> bool:
    return len(word) == 1 and word.isascii()


@dataclass(frozen=True, slots=True)
class Alignment:
    """Alignments of one query of q words with n names of up to w words.

    `names`: int32[n]. `rows`: intp[n, w], word numbers padded with V. `place`: int8[n, q], index
    of the matched listed word, -1 without one. `second`: int8[n, q], index of a second listed word
    that the same query word matches, else -1. `similarity`: float32[n, q]. `matched`:
    float32[n, w], similarity by listed word.
    """

    names: Array
    rows: Array
    place: Array
    second: Array
    similarity: Array
    matched: Array


class Aligner:
    """Aligns one query greedily, one-to-one, with the 400 most promising of many names."""

    def __init__(self, tables: Tables, words: list[str]) -> None:
        self._tables = tables
        self._none = len(words)
        self._initial = np.zeros(len(words) + 1, np.uint8)
        self._initial[:-1] = np.fromiter(
            (ord(word[0]) if word.isascii() else 0 for word in words), np.uint8, len(words)
        )
        self._singles = int(tables.word_lengths[2])

    def align(
        self, query: Query, names: Array, scratch: Array, *, least: float, same: set[int]
    ) -> Alignment:
        """Align the query with those of the names, int32[n], that may score at least `least`.

        `scratch`: float32[V + 1] zeros; they are zeros again on return. `same`: names with the same
        words, which stay.
        """
        rows = self._rows(names)
        similar = self._similarities(query, names, rows, scratch)
        best = self._promising(query, names, rows, similar, least, same)
        names, rows, similar = names[best], rows[best], similar[best]
        place = np.full((len(names), len(query.words)), -1, np.int8)
        similarity = np.zeros(place.shape, np.float32)
        matched = np.zeros(rows.shape, np.float32)
        alignment = Alignment(names, rows, place, place.copy(), similarity, matched)
        if len(names):
            _join(query, alignment, similar, scratch)
            _split(query, alignment, similar)
            _assign(alignment, similar)
        return alignment

    def _promising(
        self,
        query: Query,
        names: Array,
        rows: Array,
        similar: Array,
        least: float,
        same: set[int],
    ) -> Array:
        """The best names if each word could match its most similar word independently.

        An alignment scores no more than that, unless it joins or splits words.
        """
        ours = similar.max(2) @ query.weights / query.weights.sum()
        theirs = (similar.max(1) * self._tables.word_weight[rows]).sum(1)
        value = coverage_score(ours, theirs / self._tables.name_weight[names])
        best = np.arange(len(names))
        if len(names) > _MOST:
            best = np.argpartition(-value, _MOST)[:_MOST]
        if query.joined or any(near.splits for near in query.near):
            return best
        likely = value[best] >= least - _ROUNDING
        if same:
            likely |= among(names[best], same)
        chosen: Array = best[likely]
        return chosen

    def _rows(self, names: Array) -> Array:
        start = self._tables.name_start[names]
        length = self._tables.name_start[names + 1] - start
        columns = np.arange(min(int(length.max()), _WIDEST))
        inside = columns < length[:, None]
        rows: Array = self._tables.name_word[np.where(inside, start[:, None] + columns, 0)]
        return np.where(inside, rows, self._none).astype(np.intp)

    def _similarities(self, query: Query, names: Array, rows: Array, scratch: Array) -> Array:
        """n x words of the query x words of the name."""
        similar = np.zeros((len(rows), len(query.words), rows.shape[1]), np.float32)
        for i, near in enumerate(query.near):
            scratch[near.words] = near.similarities
            similar[:, i] = scratch.take(rows)
            scratch[near.words] = 0
        if query.script:
            return similar
        singles = rows < self._singles
        if query.initials or singles.any():
            self._initials(query, names, rows, singles, similar)
        return similar

    def _initials(
        self, query: Query, names: Array, rows: Array, singles: Array, similar: Array
    ) -> None:
        """Match initials: a person's "J." matches any name with J. Vessels have no initials."""
        persons = self._tables.entry_type[self._tables.name_entry[names]] == PERSON
        listed = np.where(persons[:, None], self._initial[rows], 0)
        asked = [ord(word[0]) if word.isascii() else _NO_INITIAL for word in query.words]
        short = listed[:, None] == np.array(asked, np.uint8)[:, None]
        short &= singles[:, None] | np.array([[len(word) == 1] for word in query.words])
        np.maximum(similar, INITIAL, out=similar, where=short)


def _join(query: Query, alignment: Alignment, similar: Array, scratch: Array) -> None:
    """Match two query words with one listed word."""
    place, similarity = alignment.place, alignment.similarity
    every = np.arange(len(place))
    for i, near in query.joined:
        scratch[near.words] = near.similarities
        whole = scratch[alignment.rows]
        scratch[near.words] = 0
        column = whole.argmax(1)
        value = whole[every, column]
        better = (value > JOINED) & (value > np.maximum(*similar[:, i : i + 2].max(2).T))
        better &= (place[:, i] < 0) & (similar[every, :, column].max(1) < 1)
        chosen = (better).nonzero()[0]
        for word in (i, i + 1):
            place[chosen, word] = column[chosen]
            similarity[chosen, word] = value[chosen]
            similar[chosen, word] = 0
        alignment.matched[chosen, column[chosen]] = value[chosen]
        similar[chosen, :, column[chosen]] = 0


def _split(query: Query, alignment: Alignment, similar: Array) -> None:
    """Match one query word with two listed words."""
    rows, place = alignment.rows, alignment.place
    for i, near in enumerate(query.near):
        for left, right in near.splits:
            first, second = rows == left, rows == right
            better = first.any(1) & second.any(1) & (similar[:, i].max(1) < SPLIT)
            chosen = (better & (place[:, i] < 0)).nonzero()[0]
            if len(chosen) == 0:
                continue
            columns = first[chosen].argmax(1), second[chosen].argmax(1)
            place[chosen, i], alignment.second[chosen, i] = columns
            alignment.similarity[chosen, i] = SPLIT
            similar[chosen, i] = 0
            for column in columns:
                alignment.matched[chosen, column] = SPLIT
                similar[chosen, :, column] = 0


def _assign(alignment: Alignment, similar: Array) -> None:
    """Assign greedily: the most similar pair first, then the most similar of the rest."""
    n, words, columns = similar.shape
    flat = similar.reshape(n, -1)
    every = np.arange(n)
    for _ in range(min(words, columns)):
        best = flat.argmax(1)
        value = flat[every, best]
        chosen = (value > 0).nonzero()[0]
        if len(chosen) == 0:
            return
        word, column = best[chosen] // columns, best[chosen] % columns
        alignment.place[chosen, word] = column
        alignment.similarity[chosen, word] = value[chosen]
        alignment.matched[chosen, column] = value[chosen]
        similar[chosen, word, :] = 0
        similar[chosen, :, column] = 0
