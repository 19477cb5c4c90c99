"""Which names share enough words with a query to be compared with it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from acredita.engines.screening.alignment import Query, is_initial
from acredita.engines.screening.coverage import worth
from acredita.engines.screening.neighbours import INITIAL
from acredita.engines.screening.scoring import LONE_WORD
from acredita.engines.screening.tables import Array, Tables

_MOST = 4000
_SLACK = 0.85
# Each shared word adds this to a name's sum of weights, which is far below it: one addition keeps
# both the sum and the count.
_COUNT = np.float32(64)


@dataclass(frozen=True, slots=True)
class Allowed:
    """Which lists (by number) and which types of entries (by number) are asked for."""

    lists: Array
    types: Array

    def admits(self, tables: Tables, names: Array) -> Array:
        entries = tables.name_entry[names]
        return self.lists[tables.entry_list[entries]] & self.types[tables.entry_type[entries]]

    def admits_entry(self, tables: Tables, entry: int) -> bool:
        return bool(self.lists[tables.entry_list[entry]] & self.types[tables.entry_type[entry]])


def candidates(
    tables: Tables, query: Query, threshold: float, scratch: Array, allowed: Allowed | None
) -> Array:
    """Numbers of 4,000 names at most. `scratch` is float32[N], zero, and given back as zeros."""
    touched: list[Array] = []
    try:
        for words, worth in _shares(query):
            names, count = _postings(tables, words)
            # Of words that a name holds twice over, the last and most alike counts.
            scratch[names] += worth if count is None else np.repeat(worth, count)
            touched.append(names)
        if not touched:
            return np.empty(0, np.int32)
        return _likely(tables, query, threshold, scratch, np.concatenate(touched), allowed)
    finally:
        for names in touched:
            scratch[names] = 0


def _shares(query: Query) -> Iterator[tuple[Array, Array]]:
    """Listed words, and what each adds to the names that hold it."""
    for word, near in zip(query.words, query.near, strict=True):
        if len(near.sharers) and not is_initial(word):
            yield near.sharers, _COUNT + near.shares * np.float32(near.weight)
            if near.splits:
                parts = np.array([right for _, right in near.splits], np.int32)
                yield parts, np.full(len(parts), _COUNT + near.weight / 2, np.float32)
    for i, near in query.joined:
        weight = np.float32(query.near[i].weight + query.near[i + 1].weight)
        yield near.words, 2 * _COUNT + near.similarities * weight


def _postings(tables: Tables, words: Array) -> tuple[Array, Array | None]:
    """The names that hold the words, one word after the other, and how many each has."""
    if len(words) == 1:
        word = int(words[0])
        first, last = int(tables.posting_start[word]), int(tables.posting_start[word + 1])
        return tables.posting_name[first:last], None
    start = tables.posting_start[words]
    count = tables.posting_start[words + 1] - start
    ends = np.cumsum(count)
    places = np.arange(ends[-1]) + np.repeat(start - ends + count, count)
    return tables.posting_name[places], count


def _likely(
    tables: Tables,
    query: Query,
    threshold: float,
    scratch: Array,
    names: Array,
    allowed: Allowed | None,
) -> Array:
    """Those whose score, estimated from the sums, may reach the threshold.

    A lone shared word is worth no more than `LONE_WORD`; an initial may be the second, and is
    not looked for before names are aligned.
    """
    if threshold > LONE_WORD and len(query.words) > 1 and not query.initials:
        names = names[scratch[names] >= 2 * _COUNT]
    shared = scratch[names] % _COUNT + np.float32(INITIAL * query.initials)
    total = query.weights.sum()
    ours, theirs = shared / total, shared / tables.name_weight[names]
    estimate = worth(ours, theirs)
    kept = estimate >= threshold * _SLACK
    names, estimate = names[kept], estimate[kept]
    if allowed is not None:
        admitted = allowed.admits(tables, names)
        names, estimate = names[admitted], estimate[admitted]
    found, first = np.unique(names, return_index=True)
    if len(found) > _MOST:
        found = found[np.argpartition(-estimate[first], _MOST)[:_MOST]]
    return found
