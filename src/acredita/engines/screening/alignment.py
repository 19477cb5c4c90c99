"""How the words of a query and those of candidate names stand for each other."""

from dataclasses import dataclass

import numpy as np

from acredita.engines.screening.coverage import worth
from acredita.engines.screening.neighbours import INITIAL, SPLIT, Neighbours
from acredita.engines.screening.tables import Array, Tables

JOINED = 0.86
_WIDEST = 16
_MOST = 400
PERSON = 0


@dataclass(frozen=True, slots=True)
class Query:
    """The words of one reading: what each is like, and what two neighbours are like as one."""

    words: tuple[str, ...]
    near: tuple[Neighbours, ...]
    joined: tuple[tuple[int, Neighbours], ...]
    by_sound: bool
    weights: Array  # float32, one a word
    initials: float  # weight of the words that are one letter

    @classmethod
    def of(
        cls,
        words: tuple[str, ...],
        near: tuple[Neighbours, ...],
        joined: tuple[tuple[int, Neighbours], ...],
        *,
        by_sound: bool,
    ) -> "Query":
        weights = np.array([each.weight for each in near], np.float32)
        pairs = zip(words, near, strict=True)
        initials = sum(each.weight for word, each in pairs if is_initial(word))
        return cls(words, near, joined, by_sound, weights, initials)


def is_initial(word: str) -> bool:
    return len(word) == 1 and word.isascii()


@dataclass(frozen=True, slots=True)
class Alignment:
    """For n names: their words (`rows`, padded with V), and for each word of the query the place
    of the listed word it stands for (-1: none), with their similarity. A word that stands for two
    has the other's place in `second`. `matched` says how well each listed word is matched."""

    names: Array
    rows: Array
    place: Array
    second: Array
    similarity: Array
    matched: Array


class Aligner:
    """Greedy one-to-one alignment of one query with the 400 most promising of many names."""

    def __init__(self, tables: Tables, words: list[str]) -> None:
        self._tables = tables
        self._none = len(words)
        self._initial = np.zeros(len(words) + 1, np.uint8)
        self._initial[:-1] = np.fromiter(
            (ord(word[0]) if word.isascii() else 0 for word in words), np.uint8, len(words)
        )
        self._singles = int(tables.word_lengths[2])

    def align(self, query: Query, names: Array, scratch: Array) -> Alignment:
        """`scratch` is float32[V + 1], zero, and is given back as zeros."""
        rows = self._rows(names)
        similar = self._similarities(query, names, rows, scratch)
        if len(names) > _MOST:
            best = self._promising(query, names, rows, similar)
            names, rows, similar = names[best], rows[best], similar[best]
        place = np.full((len(names), len(query.words)), -1, np.int8)
        second = np.full(place.shape, -1, np.int8)
        similarity = np.zeros(place.shape, np.float32)
        matched = np.zeros(rows.shape, np.float32)
        alignment = Alignment(names, rows, place, second, similarity, matched)
        _join(query, alignment, similar, scratch)
        _split(query, alignment, similar)
        _assign(alignment, similar)
        return alignment

    def _promising(self, query: Query, names: Array, rows: Array, similar: Array) -> Array:
        """The best names, were each word free to stand for whichever it is most like."""
        ours = similar.max(2) @ query.weights / query.weights.sum()
        theirs = (similar.max(1) * self._tables.word_weight[rows]).sum(1)
        value = worth(ours, theirs / self._tables.name_weight[names])
        return np.argpartition(-value, _MOST)[:_MOST]

    def _rows(self, names: Array) -> Array:
        start = self._tables.name_start[names]
        length = self._tables.name_start[names + 1] - start
        columns = np.arange(min(int(length.max()), _WIDEST))
        inside = columns < length[:, None]
        rows: Array = self._tables.name_word[np.where(inside, start[:, None] + columns, 0)]
        return np.where(inside, rows, self._none)

    def _similarities(self, query: Query, names: Array, rows: Array, scratch: Array) -> Array:
        """n x words of the query x words of the name."""
        similar = np.zeros((len(rows), len(query.words), rows.shape[1]), np.float32)
        for i, near in enumerate(query.near):
            scratch[near.words] = near.similarities
            similar[:, i] = scratch[rows]
            scratch[near.words] = 0
        singles = rows < self._singles
        if query.initials or singles.any():
            self._initials(query, names, rows, singles, similar)
        return similar

    def _initials(
        self, query: Query, names: Array, rows: Array, singles: Array, similar: Array
    ) -> None:
        """A person's "J." may be any name with J; a vessel's letter is a letter."""
        persons = self._tables.entry_type[self._tables.name_entry[names]] == PERSON
        initials = np.where(persons[:, None], self._initial[rows], 0)
        for i, word in enumerate(query.words):
            if word.isascii():
                short = initials == ord(word[0])
                if len(word) > 1:
                    short &= singles
                similar[:, i] = np.where(short, np.maximum(similar[:, i], INITIAL), similar[:, i])


def _join(query: Query, alignment: Alignment, similar: Array, scratch: Array) -> None:
    """Two words of the query that are one in the name."""
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
    """One word of the query that is two in the name."""
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
    """The most alike pair first, then the most alike of what is left."""
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
