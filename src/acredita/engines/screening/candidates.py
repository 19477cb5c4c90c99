"""Which names share enough words with a query to be compared with it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from acredita.engines.screening.alignment import Query
from acredita.engines.screening.neighbours import INITIAL
from acredita.engines.screening.scoring import LONE_WORD, OPEN
from acredita.engines.screening.tables import Array, Tables

_MOST = 400
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
    tables: Tables,
    query: Query,
    threshold: float,
    scratch: Array,
    singles: dict[str, int],
    allowed: Allowed | None,
) -> Array:
    """Numbers of names, at most 400. `scratch` is float32[N], zero, and is given back as zeros;
    `singles` are the numbers of listed words of one letter."""
    touched = []
    try:
        for word, worth in _shares(query, singles):
            names = tables.posting_name[tables.posting_start[word] : tables.posting_start[word + 1]]
            scratch[names] += worth
            touched.append(names)
        if not touched:
            return np.empty(0, np.int32)
        return _likely(tables, query, threshold, scratch, np.concatenate(touched), allowed)
    finally:
        for names in touched:
            scratch[names] = 0


def _shares(query: Query, singles: dict[str, int]) -> Iterator[tuple[int, np.float32]]:
    """Listed words, and what each adds to the names that hold it."""
    for word, near in zip(query.words, query.near, strict=True):
        if len(word) == 1 and word.isascii():
            continue
        for listed, similarity in zip(near.words.tolist(), near.similarities.tolist(), strict=True):
            yield listed, _COUNT + np.float32(similarity * near.weight)
        for parts in near.splits:
            for listed in parts:
                yield listed, _COUNT + np.float32(near.weight / 2)
        if (single := singles.get(word[0])) is not None:
            yield single, _COUNT + np.float32(INITIAL * near.weight)
    for i, near in query.joined:
        weight = query.near[i].weight + query.near[i + 1].weight
        for listed, similarity in zip(near.words.tolist(), near.similarities.tolist(), strict=True):
            yield listed, 2 * _COUNT + np.float32(similarity * weight)


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
    initials = sum(
        near.weight
        for word, near in zip(query.words, query.near, strict=True)
        if len(word) == 1 and word.isascii()
    )
    if threshold > LONE_WORD and len(query.words) > 1 and not initials:
        names = names[scratch[names] >= 2 * _COUNT]
    shared = scratch[names] % _COUNT + np.float32(INITIAL * initials)
    total = np.float32(sum(near.weight for near in query.near))
    ours, theirs = shared / total, shared / tables.name_weight[names]
    high = np.minimum(np.maximum(ours, theirs), 1)
    estimate = high * (1 - OPEN + OPEN * np.minimum(np.minimum(ours, theirs), 1))
    kept = estimate >= threshold * _SLACK
    found, first = np.unique(names[kept], return_index=True)
    estimate = estimate[kept][first]
    if allowed is not None:
        admitted = allowed.admits(tables, found)
        found, estimate = found[admitted], estimate[admitted]
    if len(found) > _MOST:
        found = found[np.argpartition(-estimate, _MOST)[:_MOST]]
    return found
