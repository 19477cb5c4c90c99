"""Select the names that share enough words with a query to be aligned with it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from acredita.engines.screening.alignment import Query, is_initial
from acredita.engines.screening.coverage import coverage_score
from acredita.engines.screening.scoring import LONE_WORD
from acredita.engines.screening.similar_words import INITIAL
from acredita.engines.screening.tables import Array, Tables

_MOST = 4000
_SLACK = 0.85
# Each shared word adds this constant to a name's sum of weights. The sum stays far below it, so
# one float holds both the sum and the count.
_COUNT = np.float32(64)


@dataclass(frozen=True, slots=True)
class Allowed:
    """Filter: bool per list number and bool per entry type number."""

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
    """Indices of at most 4,000 names, int32. `scratch`: float32[N] zeros, zeros again on return."""
    touched: list[Array] = []
    try:
        for words, share in _shares(query):
            names, count = _postings(tables, words)
            # If a name contains several similar words, the last and most similar one counts.
            scratch[names] += share if count is None else np.repeat(share, count)
            touched.append(names)
        if not touched:
            return np.empty(0, np.int32)
        return _likely(tables, query, threshold, scratch, np.concatenate(touched), allowed)
    finally:
        for names in touched:
            scratch[names] = 0


def _shares(query: Query) -> Iterator[tuple[Array, Array]]:
    """(listed words, the amount that each adds to the names that contain it)."""
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
    """The names that contain each word, concatenated, and their counts per word.

    The counts are None for a single word.
    """
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
    """The names whose score, estimated from the sums, may reach the threshold.

    A single shared word scores at most `LONE_WORD`. This cut does not apply to a query with
    initials, because an initial may match a second word in the alignment.
    """
    if threshold > LONE_WORD and len(query.words) > 1 and not query.initials:
        names = names[scratch[names] >= 2 * _COUNT]
    shared = scratch[names] % _COUNT + np.float32(INITIAL * query.initials)
    total = query.weights.sum()
    ours, theirs = shared / total, shared / tables.name_weight[names]
    estimate = coverage_score(ours, theirs)
    kept = estimate >= threshold * _SLACK
    names, estimate = names[kept], estimate[kept]
    if allowed is not None:
        admitted = allowed.admits(tables, names)
        names, estimate = names[admitted], estimate[admitted]
    found, first = np.unique(names, return_index=True)
    if len(found) > _MOST:
        found = found[np.argpartition(-estimate[first], _MOST)[:_MOST]]
    return found
