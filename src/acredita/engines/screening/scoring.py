"""What an alignment is worth.

Each side's words are covered to some share, by weight. A score starts at the better covered side
and falls with what the other leaves open; then come the rules for names that prove little.
"""

import numpy as np

from acredita.engines.screening.alignment import Alignment, Query
from acredita.engines.screening.tables import Array, Tables

_OPEN = 0.42
_LONE_WORD = 0.70
_FEW_WORDS = 0.10
_COMMON_WORDS = 0.10
_SECOND_SURNAME = 0.10
_FAMILY = 2


def scored(tables: Tables, query: Query, alignment: Alignment) -> Array:
    """float32[n], 0-1."""
    names, rows, place = alignment.names, alignment.rows, alignment.place
    weights = query.weights
    covered = (alignment.similarity * weights).sum(1) / weights.sum()
    matched = _matched(alignment)
    worth = matched * tables.word_weight[rows]
    listed = np.minimum(worth.sum(1) / tables.name_weight[names], 1)
    high, low = np.maximum(covered, listed), np.minimum(covered, listed)
    scores = high * (1 - _OPEN + _OPEN * low)
    count = tables.name_start[names + 1] - tables.name_start[names]
    if len(query.words) > 2:
        common = 1 - worth.sum(1) / np.maximum((matched > 0).sum(1), 1)
        cap = 1 - _OPEN + _OPEN * covered - _FEW_WORDS - _COMMON_WORDS * common
        few = (listed > 0.9) & (covered < 0.85) & (count <= 2)
        scores = np.where(few, np.minimum(scores, cap), scores)
        scores -= _SECOND_SURNAME * _by_second_surname(tables, query, alignment)
    aligned = (place >= 0).sum(1) + (alignment.second >= 0).sum(1)
    lone = (aligned < 2) & ((count > 1) | (len(query.words) > 1))
    result: Array = np.where(lone, np.minimum(scores, _LONE_WORD), scores)
    return result


def _matched(alignment: Alignment) -> Array:
    """n x words of the name: how well each is matched."""
    matched = np.zeros(alignment.rows.shape, np.float32)
    for places in (alignment.place, alignment.second):
        for i in range(places.shape[1]):
            chosen = np.flatnonzero(places[:, i] >= 0)
            matched[chosen, places[chosen, i]] = alignment.similarity[chosen, i]
    return matched


def _by_second_surname(tables: Tables, query: Query, alignment: Alignment) -> Array:
    """bool[n]: the one family name that matches follows another that doesn't.

    A Mexican bears given names, the father's surname and the mother's, whichever end comes first.
    Who shares the given names and the mother's surname alone is someone else.
    """
    names, place = alignment.names, alignment.place
    role = _roles(tables, alignment)
    every = np.arange(len(names))[:, None]
    family = (place >= 0) & (role[every, place] == _FAMILY)
    one = family.sum(1) == 1
    position = family.argmax(1)
    surname = np.array(
        [
            near.family >= 0.5 and len(word) > 1
            for near, word in zip(query.near, query.words, strict=True)
        ]
    )
    before = np.maximum(position - 1, 0)
    follows = (position > 0) & (place[every[:, 0], before] < 0) & surname[before]
    result: Array = one & follows
    return result


def _roles(tables: Tables, alignment: Alignment) -> Array:
    start = tables.name_start[alignment.names]
    columns = np.arange(alignment.rows.shape[1])
    inside = columns < (tables.name_start[alignment.names + 1] - start)[:, None]
    roles: Array = tables.name_role[np.where(inside, start[:, None] + columns, 0)]
    return np.where(inside, roles, 0)
