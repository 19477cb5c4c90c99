"""What an alignment is worth.

First comes what is covered, by weight, on either side; then the rules for names that prove little.
"""

import numpy as np

from acredita.engines.screening.alignment import PERSON, Alignment, Query
from acredita.engines.screening.coverage import WEIGHTLESS, worth
from acredita.engines.screening.neighbours import PHONETIC
from acredita.engines.screening.tables import Array, Tables

LONE_WORD = 0.70
_FEW_WORDS = 0.10
_COMMON_WORDS = 0.15
_SECOND_SURNAME = 0.10
_BOTH_ALIKE = 0.05
_FAMILY = 2


def scored(tables: Tables, query: Query, alignment: Alignment) -> Array:
    """float32[n], 0-1."""
    names, matched = alignment.names, alignment.matched
    found = (matched * tables.word_weight[alignment.rows]).sum(1)
    covered = (alignment.similarity * query.weights).sum(1) / query.weights.sum()
    listed = np.minimum(found / tables.name_weight[names], 1)
    count = (tables.word_weight[alignment.rows] > WEIGHTLESS).sum(1)
    scores = worth(covered, listed)
    if len(query.words) > 2:
        surnames = _surnames(query)
        common = 1 - found / np.maximum((matched > 0).sum(1), 1)
        persons = tables.entry_type[tables.name_entry[names]] == PERSON
        further = ((alignment.place < 0) & surnames).any(1) | ~persons
        few = (listed > 0.9) & (covered < 0.85) & (count <= 2)
        scores = np.where(few, np.minimum(scores, _few(covered, common * further)), scores)
        family = _family_similarities(tables, alignment)
        scores -= _SECOND_SURNAME * _by_second_surname(surnames, alignment, family > 0)
        scores -= _BOTH_ALIKE * _only_alike(family, np.minimum(covered, listed))
    aligned = (matched > 0).sum(1) + _joined(alignment.place)
    lone = (aligned < 2) & ((count > 1) | (len(query.words) > 1))
    result: Array = np.where(lone, np.minimum(scores, LONE_WORD), scores)
    return result


def _few(covered: Array, common: Array) -> Array:
    """What a listed name of two words, found whole in a longer one, is worth at most: the less, the
    more common they are, unless the longer name just has another given name besides."""
    cap: Array = worth(covered, np.ones_like(covered)) - _FEW_WORDS - _COMMON_WORDS * common
    return cap


def _only_alike(family: Array, less_covered: Array) -> Array:
    """bool[n]: several surnames match, none of them by letter or sound, and a word is left over.
    One slip is likely, in each surname less so."""
    several = (family > 0).sum(1) > 1
    result: Array = several & (family.max(1) < PHONETIC) & (less_covered < 0.8)
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
