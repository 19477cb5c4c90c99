"""Which word of a query stands for which of a listed name, and why."""

from dataclasses import dataclass

from acredita.engines.screening.alignment import Alignment, Query
from acredita.engines.screening.entries import Reason, TokenPair
from acredita.engines.screening.neighbours import PHONETIC
from acredita.engines.screening.phonetic import phonetic_key


@dataclass(frozen=True, slots=True)
class Explanation:
    tokens: tuple[TokenPair, ...]
    unmatched_query: tuple[str, ...]
    unmatched_listed: tuple[str, ...]


def explained(query: Query, alignment: Alignment, row: int, vocabulary: list[str]) -> Explanation:
    listed = [vocabulary[word] for word in alignment.rows[row].tolist() if word < len(vocabulary)]
    places = alignment.place[row].tolist()
    pairs, unmatched = [], []
    for i, (word, place) in enumerate(zip(query.words, places, strict=True)):
        if place < 0:
            unmatched.append(word)
            continue
        joined = places.count(place) > 1
        similarity = round(float(alignment.similarity[row, i]), 3)
        reason = _reason(word, listed[place], similarity, joined=joined, split=i in query.split)
        pairs.append(TokenPair(word, listed[place], similarity, reason))
    rest = tuple(word for place, word in enumerate(listed) if place not in places)
    return Explanation(tuple(pairs), tuple(unmatched), rest)


def _reason(word: str, listed: str, similarity: float, *, joined: bool, split: bool) -> Reason:
    if joined:
        return "joined"
    if split:
        return "split"
    if word == listed:
        return "exact"
    if 1 in (len(word), len(listed)):
        return "initial"
    if similarity == PHONETIC and phonetic_key(word) == phonetic_key(listed):
        return "phonetic"
    return "typo"
