"""Which names share enough words with a query to be compared with it."""

from dataclasses import dataclass

import numpy as np

from acredita.engines.screening.alignment import Query
from acredita.engines.screening.tables import Array, Tables

_MOST = 400
_SLACK = 0.72


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
    """Numbers of names, at most 400. `scratch` is float32[N], zero, and is given back as zeros."""
    weights = query.weights
    touched = []
    for i, near in enumerate(query.near):
        if len(query.words[i]) > 1 or not query.words[i].isascii():
            touched += _add(tables, near.words, near.similarities * weights[i], scratch)
            parts = np.array(near.splits, np.int32).ravel()
            touched += _add(tables, parts, np.full(len(parts), weights[i] / 2), scratch)
    for i, near in query.joined:
        worth = near.similarities * (weights[i] + weights[i + 1])
        touched += _add(tables, near.words, worth, scratch)
    if not touched:
        return np.empty(0, np.int32)
    names = np.concatenate(touched)
    sums = scratch[names]
    total = weights.sum()
    bound = np.maximum(sums / total, sums / tables.name_weight[names])
    found = np.unique(names[bound >= threshold * _SLACK])
    if allowed is not None:
        found = found[allowed.admits(tables, found)]
    if len(found) > _MOST:
        rank = scratch[found] / np.sqrt(total * tables.name_weight[found])
        found = found[np.argpartition(-rank, _MOST)[:_MOST]]
    scratch[names] = 0
    return found


def _add(tables: Tables, words: Array, worth: Array, scratch: Array) -> list[Array]:
    start = tables.posting_start
    touched = []
    for word, value in zip(words.tolist(), worth.tolist(), strict=True):
        names = tables.posting_name[start[word] : start[word + 1]]
        scratch[names] += value
        touched.append(names)
    return touched
