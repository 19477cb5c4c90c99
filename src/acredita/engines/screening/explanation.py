"""Explain an alignment: pairs of matched words with their reasons, and unmatched words."""

from dataclasses import dataclass

from acredita.domain.screening.nicknames import familiar_forms
from acredita.engines.screening.alignment import Alignment, Query
from acredita.engines.screening.entries import Reason, TokenPair
from acredita.engines.screening.phonetic import phonetic_key
from acredita.engines.screening.similar_words import ATTACHED, NICKNAME, PHONETIC


@dataclass(frozen=True, slots=True)
class Explanation:
    tokens: tuple[TokenPair, ...]
    unmatched_query: tuple[str, ...]
    unmatched_listed: tuple[str, ...]


def explain(query: Query, alignment: Alignment, row: int, vocabulary: list[str]) -> Explanation:
    """Explain row `row` of an alignment. `vocabulary`: the listed words by number."""
    listed = [vocabulary[word] for word in alignment.rows[row].tolist() if word < len(vocabulary)]
    places, seconds = alignment.place[row].tolist(), alignment.second[row].tolist()
    pairs: list[TokenPair] = []
    unmatched: list[str] = []
    for i, (word, place, second) in enumerate(zip(query.words, places, seconds, strict=True)):
        if place < 0:
            unmatched.append(word)
            continue
        similarity = round(float(alignment.similarity[row, i]), 3)
        if second >= 0:
            parts = dict.fromkeys((place, second))
            pairs.extend(TokenPair(word, listed[part], similarity, "split") for part in parts)
        elif places.count(place) > 1:
            pairs.append(TokenPair(word, listed[place], similarity, "joined"))
        else:
            reason: Reason = (
                "transliterated" if query.script else _reason(word, listed[place], similarity)
            )
            pairs.append(TokenPair(word, listed[place], similarity, reason))
    matched = {*places, *seconds}
    rest = tuple(word for place, word in enumerate(listed) if place not in matched)
    return Explanation(tuple(pairs), tuple(unmatched), rest)


def _reason(word: str, listed: str, similarity: float) -> Reason:
    if word == listed:
        return "exact"
    if 1 in (len(word), len(listed)):
        return "initial"
    if similarity == NICKNAME and listed in familiar_forms(word):
        return "nickname"
    if similarity == PHONETIC and phonetic_key(word) == phonetic_key(listed):
        return "phonetic"
    if similarity == ATTACHED and word.endswith(listed):
        return "split"
    return "typo"
