"""Score alignments.

The score starts from the covered weight of both sides. Rules then lower it for weak matches.
"""

import numpy as np

from acredita.engines.screening.alignment import PERSON, Alignment, Query
from acredita.engines.screening.coverage import WEIGHTLESS, coverage_score
from acredita.engines.screening.similar_words import PHONETIC
from acredita.engines.screening.tables import Array, Tables

DEFAULT_THRESHOLD = 0.75
"""The lowest score of a match, if the caller states none."""
LONE_WORD = 0.70
_FEW_WORDS = 0.10
_COMMON_WORDS = 0.15
# Words less common than this one tell enough of a person when they are only a part of a name.
_SCARCELY_COMMON = 0.15
_OTHER_WORD = 0.05
_SECOND_SURNAME = 0.10
_BOTH_ALIKE = 0.05
_FAMILY = 2


def scores_of(tables: Tables, query: Query, alignment: Alignment) -> Array:
    """Scores of the n aligned names, float32[n] in 0-1."""
    names, matched = alignment.names, alignment.matched
    found = (matched * tables.word_weight[alignment.rows]).sum(1)
    covered = (alignment.similarity * query.weights).sum(1) / query.weights.sum()
    listed = np.minimum(found / tables.name_weight[names], 1)
    telling = tables.word_weight[alignment.rows] > WEIGHTLESS
    count = telling.sum(1)
    scores = coverage_score(covered, listed)
    # A word on either side without a counterpart is rather another word than a left-out one.
    another = (alignment.place < 0).any(1) & ((matched == 0) & telling).any(1)
    scores -= _OTHER_WORD * another
    if len(query.words) > 2:
        surnames = _surnames(query)
        common = 1 - found / np.maximum((matched > 0).sum(1), 1)
        persons = tables.entry_type[tables.name_entry[names]] == PERSON
        further = ((alignment.place < 0) & surnames).any(1) | ~persons
        few = (listed > 0.9) & (covered < 0.85) & (count <= 2)
        scores = np.where(few, np.minimum(scores, _few(covered, common, further)), scores)
        family = _family_similarities(tables, alignment)
        scores -= _SECOND_SURNAME * _by_second_surname(surnames, alignment, family > 0)
        scores -= _BOTH_ALIKE * _only_alike(family, np.minimum(covered, listed))
    aligned = (matched > 0).sum(1) + _joined(alignment.place)
    lone = (aligned < 2) & ((count > 1) | (len(query.words) > 1))
    result: Array = np.where(lone, np.minimum(scores, LONE_WORD), scores)
    return result


def _few(covered: Array, common: Array, further: Array) -> Array:
    """Upper limit for a listed name of at most two words that a longer query fully covers.

    The more common the words, the lower the limit. `further`: bool[n], the query adds more than a
    given name.
    """
    lowered = _FEW_WORDS * np.minimum(common / _SCARCELY_COMMON, 1) + _COMMON_WORDS * (
        common * further
    )
    cap: Array = coverage_score(covered, np.ones_like(covered)) - lowered
    return cap


def _only_alike(family: Array, less_covered: Array) -> Array:
    """bool[n]: several surnames match, all with typos only, and a word is left over.

    One typo is likely, a typo in every surname is not.
    """
    several = (family > 0).sum(1) > 1
    result: Array = several & (family.max(1) < PHONETIC) & (less_covered < 0.8)
    return result


def _family_similarities(tables: Tables, alignment: Alignment) -> Array:
    """float32[n, words]: similarity of each query word to its matched family name, else 0."""
    start = tables.name_start[alignment.names][:, None]
    role = tables.name_role[start + np.maximum(alignment.place, 0)]
    family = (alignment.place >= 0) & (role == _FAMILY)
    return np.where(family, alignment.similarity, 0)


def _by_second_surname(surnames: Array, alignment: Alignment, family: Array) -> Array:
    """bool[n]: the only matching family name follows one that does not match.

    A Mexican name has given names, the first surname (usually the father's) and the second. People
    who share only given names and the second surname are different people.
    """
    position = family.argmax(1)
    before = np.maximum(position - 1, 0)
    unmatched = alignment.place[np.arange(len(before)), before] < 0
    result: Array = (family.sum(1) == 1) & (position > 0) & unmatched & surnames[before]
    return result


def _surnames(query: Query) -> Array:
    """bool[words]: the word is at least as often a family name as a given name, or unknown."""
    return np.array(
        [
            near.family >= 0.5 and len(word) > 1
            for word, near in zip(query.words, query.near, strict=True)
        ]
    )


def _joined(place: Array) -> Array:
    """int[n]: number of query words that share a listed word with the preceding word."""
    shared: Array = ((place[:, 1:] >= 0) & (place[:, 1:] == place[:, :-1])).sum(1)
    return shared
