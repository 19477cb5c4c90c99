"""What an alignment is worth.

First comes what is covered, by weight, on either side; then the rules for names that prove little.
"""

import numpy as np

from acredita.engines.screening.alignment import Alignment, Query
from acredita.engines.screening.building import WEIGHTLESS
from acredita.engines.screening.coverage import worth
from acredita.engines.screening.neighbours import PHONETIC
from acredita.engines.screening.tables import Array, Tables

LONE_WORD = 0.70
_FEW_WORDS = 0.10
_COMMON_WORDS = 0.10
_SECOND_SURNAME = 0.10
_BOTH_ALIKE = 0.05
_FAMILY = 2


def scored(tables: Tables, query: Query, alignment: Alignment) -> Array:
    """float32[n], 0-1."""
    names, rows, place, matched = (
        alignment.names,
        alignment.rows,
        alignment.place,
        alignment.matched,
    )
    weights = query.weights
    covered = (alignment.similarity * weights).sum(1) / weights.sum()
    found = (matched * tables.word_weight[rows]).sum(1)
    listed = np.minimum(found / tables.name_weight[names], 1)
    scores = worth(covered, listed)
    count = (tables.word_weight[rows] > WEIGHTLESS).sum(1)
    if len(query.words) > 2:
        common = 1 - found / np.maximum((matched > 0).sum(1), 1)
        surnames = _surnames(query)
        further = ((place < 0) & surnames).any(1)
        cap = worth(covered, np.ones_like(covered))
        cap -= _FEW_WORDS + _COMMON_WORDS * common * further
        few = (listed > 0.9) & (covered < 0.85) & (count <= 2)
        scores = np.where(few, np.minimum(scores, cap), scores)
        similar = _family_similarities(tables, alignment)
        scores -= _SECOND_SURNAME * _by_second_surname(surnames, alignment, similar > 0)
        scores -= _BOTH_ALIKE * (
            ((similar > 0).sum(1) > 1)
            & (similar.max(1) < PHONETIC)
            & (np.minimum(covered, listed) < 0.8)
        )
    aligned = (matched > 0).sum(1) + _joined(place)
    lone = (aligned < 2) & ((count > 1) | (len(query.words) > 1))
    result: Array = np.where(lone, np.minimum(scores, LONE_WORD), scores)
    return result


def _family_similarities(tables: Tables, alignment: Alignment) -> Array:
    """n x words of the query: similarity to the family name that each stands for, else 0."""
    start = tables.name_start[alignment.names][:, None]
    role = tables.name_role[start + np.maximum(alignment.place, 0)]
    family = (alignment.place >= 0) & (role == _FAMILY)
    return np.where(family, alignment.similarity, 0)


def _by_second_surname(surnames: Array, alignment: Alignment, family: Array) -> Array:
    """bool[n]: the one family name that matches follows another that doesn't.

    A Mexican bears given names, the father's surname and the mother's, whichever end comes first.
    Who shares the given names and the mother's surname alone is someone else.
    """
    position = family.argmax(1)
    before = np.maximum(position - 1, 0)
    unmatched = alignment.place[np.arange(len(before)), before] < 0
    result: Array = (family.sum(1) == 1) & (position > 0) & unmatched & surnames[before]
    return result


def _surnames(query: Query) -> Array:
    """bool for each word: it is as likely a family name as a given one, or unknown."""
    return np.array(
        [
            near.family >= 0.5 and len(word) > 1
            for word, near in zip(query.words, query.near, strict=True)
        ]
    )


def _joined(place: Array) -> Array:
    """int[n]: words of the query that share a listed word with the one before."""
    shared: Array = ((place[:, 1:] >= 0) & (place[:, 1:] == place[:, :-1])).sum(1)
    return shared
