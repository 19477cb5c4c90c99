"""Align the words of a query with the words of candidate names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from acredita.domain.screening.names import Script
from acredita.engines.screening.coverage import coverage_score
from acredita.engines.screening.similar_words import INITIAL, SPLIT, Neighbours
from acredita.engines.screening.tables import Array, Tables, among

JOINED = 0.86
_WIDEST = 16
_MOST = 400
_AT_ONCE = 16
# Rounding of float32 and of scores must not exclude a name.
_ROUNDING = 0.001
PERSON = 0
# Of a word that is no Latin word, and of no word at all.
_NO_INITIAL = 255
_INITIAL = np.float32(INITIAL)


@dataclass(slots=True)
class Query:
    """The words of one reading with their neighbours.

    `joined`: (index of the first word, neighbours of it and the next word joined). `hashed`: of all
    words of the reading, in any order.
    """

    words: tuple[str, ...]
    near: tuple[Neighbours, ...]
    joined: tuple[tuple[int, Neighbours], ...]
    by_sound: bool
    script: Script | None
    hashed: int
    weights: Array  # float32[words]
    total: np.float32  # their sum
    initials: int  # one-letter words

    @classmethod
    def from_words(
        cls,
        words: tuple[str, ...],
        near: tuple[Neighbours, ...],
        joined: tuple[tuple[int, Neighbours], ...],
        *,
        by_sound: bool,
        script: Script | None,
        hashed: int,
    ) -> "Query":
        weights = np.array([each.weight for each in near], np.float32)
        initials = sum(map(is_initial, words))
        total = weights.sum()
        return cls(words, near, joined, by_sound, script, hashed, weights, total, initials)


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


@dataclass(slots=True)
class Wanted:
    """A query and the names, int32[n], that are to be aligned with it if they may score at least
    `least`. `same`: those with the same words, which are aligned in any case.
    """

    query: Query
    names: Array
    least: float
    same: set[int]

    @property
    def may_join(self) -> bool:
        return bool(self.query.joined) or any(near.splits for near in self.query.near)


@dataclass(slots=True)
class _Compared:
    """Several queries of up to q words, compared with their names of up to w words, word by word.

    `names`: int32[n]. `owners`: intp[n], places of their queries. `rows`: intp[w, n], word numbers
    padded with V. `lengths`: int[n]. `similar`: float32[q, w, n]. Names are last, because NumPy
    computes along the last axis, and few words are in a name.
    """

    names: Array
    owners: Array
    rows: Array
    lengths: Array
    similar: Array


class Aligner:
    """Aligns each query greedily, one-to-one, with the 400 most promising of many names."""

    def __init__(self, tables: Tables, words: list[str]) -> None:
        self._tables = tables
        self._none = len(words)
        self._initial = np.zeros(len(words) + 1, np.uint8)
        self._initial[:-1] = np.fromiter(
            (ord(word[0]) if word.isascii() else 0 for word in words), np.uint8, len(words)
        )
        self._singles = int(tables.word_lengths[2])

    def align(self, wanted: Sequence[Wanted], scratch: Array) -> Iterator[tuple[int, Alignment]]:
        """Align in order: (place in `wanted`, alignment), if any name may reach the least score.

        `scratch`: float32[V + 1] zeros; they are zeros again on return.
        """
        for places in _in_parts(wanted):
            some = [wanted[place] for place in places]
            compared = self._compared(some, scratch)
            for place, each, names in zip(
                places, some, self._promising(some, compared), strict=True
            ):
                if len(names):
                    yield place, _aligned(each.query, compared, names, scratch)

    def _compared(self, wanted: Sequence[Wanted], scratch: Array) -> _Compared:
        counts = [len(each.names) for each in wanted]
        names = np.concatenate([each.names for each in wanted])
        start = self._tables.name_start[names]
        lengths = np.minimum(self._tables.name_start[names + 1] - start, _WIDEST)
        columns = np.arange(int(lengths.max()))[:, None]
        inside = columns < lengths
        rows = self._tables.name_word[np.where(inside, start + columns, 0)]
        rows = np.where(inside, rows, self._none).astype(np.intp)
        most = max(len(each.query.words) for each in wanted)
        similar = np.zeros((most, *rows.shape), np.float32)
        end = 0
        for each, count in zip(wanted, counts, strict=True):
            first, end = end, end + count
            for i, near in enumerate(each.query.near):
                scratch[near.words] = near.similarities
                similar[i, :, first:end] = scratch.take(rows[:, first:end])
                scratch[near.words] = 0
        compared = _Compared(names, np.arange(len(wanted)).repeat(counts), rows, lengths, similar)
        self._match_initials(wanted, compared)
        return compared

    def _match_initials(self, wanted: Sequence[Wanted], compared: _Compared) -> None:
        """Match initials: a person's "J." matches any name with J. Vessels have no initials."""
        singles = compared.rows < self._singles
        if not any(each.query.initials for each in wanted) and not singles.any():
            return
        shape = compared.similar.shape[0], len(wanted)
        asked, short = np.full(shape, _NO_INITIAL, np.uint8), np.zeros(shape, bool)
        for place, each in enumerate(wanted):
            for i, word in enumerate(() if each.query.script else each.query.words):
                asked[i, place] = ord(word[0]) if word.isascii() else _NO_INITIAL
                short[i, place] = len(word) == 1
        persons = self._tables.entry_type[self._tables.name_entry[compared.names]] == PERSON
        listed = np.where(persons, self._initial.take(compared.rows), 0)
        owners, similar = compared.owners, compared.similar
        for i in np.flatnonzero(short.any(1)).tolist():
            alike = (listed == asked[i, owners]) & short[i, owners]
            np.maximum(similar[i], alike * _INITIAL, out=similar[i])
        columns, names = singles.nonzero()
        alike = listed[columns, names] == asked[:, owners[names]]
        former = similar[:, columns, names]
        similar[:, columns, names] = np.maximum(former, alike * _INITIAL)

    def _promising(self, wanted: Sequence[Wanted], compared: _Compared) -> Iterator[Array]:
        """Of each query, the places of the best names if each word could match its most similar
        word independently.

        An alignment scores no more than that, unless it joins or splits words.
        """
        shape = compared.similar.shape[0], len(wanted)
        weights = np.zeros(shape, np.float32)
        for place, each in enumerate(wanted):
            weights[: len(each.query.words), place] = each.query.weights / each.query.total
        least = np.array([each.least - _ROUNDING for each in wanted], np.float32)
        values = self._most(compared, weights[:, compared.owners])
        likely = values >= least[compared.owners]
        end = 0
        for each in wanted:
            first, end = end, end + len(each.names)
            yield first + _best(each, values[first:end], likely[first:end])

    def _most(self, compared: _Compared, weights: Array) -> Array:
        """The highest scores, float32[n]. `weights`: float32[q, n], of each query's words."""
        ours = (compared.similar.max(1) * weights).sum(0)
        theirs = (compared.similar.max(0) * self._tables.word_weight[compared.rows]).sum(0)
        return coverage_score(ours, theirs / self._tables.name_weight[compared.names])


def _in_parts(wanted: Sequence[Wanted]) -> Iterator[list[int]]:
    """The places of those that have names, some at a time. One with many names is alone, so that
    rounding selects the same names whatever else is asked.
    """
    part: list[int] = []
    for place, each in enumerate(wanted):
        is_large = len(each.names) > _MOST
        if part and (is_large or len(part) == _AT_ONCE):
            yield part
            part = []
        if is_large:
            yield [place]
        elif len(each.names):
            part.append(place)
    if part:
        yield part


def _best(wanted: Wanted, values: Array, likely: Array) -> Array:
    """Places of the names to align. `values`: float32[n], their highest scores; `likely`: bool[n],
    whether these reach the least one.
    """
    if wanted.same:
        likely = likely | among(wanted.names, wanted.same)
    if wanted.may_join:
        likely = np.ones_like(likely)
    if len(values) <= _MOST:
        return likely.nonzero()[0]
    best = np.argpartition(-values, _MOST)[:_MOST]
    chosen: Array = best[likely[best]]
    return chosen


def _aligned(query: Query, compared: _Compared, places: Array, scratch: Array) -> Alignment:
    width = int(compared.lengths[compared.owners == compared.owners[places[0]]].max())
    rows = np.ascontiguousarray(compared.rows[:width, places].T)
    words = compared.similar[: len(query.words), :width, places]
    similar = np.ascontiguousarray(words.transpose(2, 0, 1))
    place = np.full((len(places), len(query.words)), -1, np.int8)
    similarity = np.zeros(place.shape, np.float32)
    matched = np.zeros(rows.shape, np.float32)
    names = compared.names[places]
    alignment = Alignment(names, rows, place, place.copy(), similarity, matched)
    _join(query, alignment, similar, scratch)
    _split(query, alignment, similar)
    _assign(alignment, similar)
    return alignment


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
