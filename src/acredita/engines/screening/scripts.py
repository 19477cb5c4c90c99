"""Find Latin words by the sound of words in scripts that have many romanisations."""

from array import array
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from acredita.domain.screening import arabic_and_hebrew, korean, syllabic
from acredita.domain.screening.names import Script
from acredita.domain.screening.vowels import ALL_AGREE, DISAGREEING, Asked
from acredita.engines.screening.hashing import text_hash
from acredita.engines.screening.tables import Array, Tables, ranges, span

_JOINED = 4
_CODES = 256


def script_arrays(words: Sequence[str]) -> dict[str, Array]:
    """The arrays of `Tables` by which listed words are found by their sound."""
    hashes, places = array("Q"), array("i")
    codes, counts = bytearray(), array("B")
    for place, word in enumerate(words):
        for key, vowels in _listed(word):
            hashes.append(text_hash(key))
            places.append(place)
            codes += vowels
            counts.append(len(vowels))
    hashed, of_word = np.array(hashes, np.uint64), np.array(counts, np.int32)
    order = np.argsort(hashed, kind="stable")
    starts = np.cumsum(of_word, dtype=np.int32) - of_word
    return {
        "script_hash": hashed[order],
        "script_word": np.array(places, np.int32)[order],
        "script_vowels": np.frombuffer(codes, np.uint8)[ranges(starts[order], of_word[order])],
        "script_vowels_start": np.concatenate([[0], np.cumsum(of_word[order])]).astype(np.int32),
    }


def _listed(word: str) -> Iterator[tuple[str, bytes]]:
    """(text under which a listed word of small Latin letters is found, codes of its vowels)."""
    for key, vowels in arabic_and_hebrew.listed(word):
        yield f"abjad:{key}", vowels
    if key := korean.korean_key(word):
        yield f"korean:{key}", b""
    for key, vowels in syllabic.listed(word):
        yield f"syllabic:{key}", vowels


def alike_in_script(
    tables: Tables, words: Sequence[str], word: str, script: Script, *, joined: bool, least: float
) -> dict[int, float]:
    """Listed word → similarity (0-1), at least `least`, of words that sound like a romanised one.

    `words`: the listed ones. `joined`: two words joined; few consonants of two words are in many
    Latin ones.
    """
    found, agreements = [], []
    for key, way in _asked(word, script):
        if not joined or way is None or len(way.consonants) >= _JOINED:
            first, last = span(tables.script_hash, text_hash(key))
            places = tables.script_word[first:last]
            found.append(places)
            if way is None:
                same = (korean.agreement(word, words[place]) for place in places.tolist())
                agreements.append(np.fromiter(same, float, len(places)))
            else:
                agreements.append(_agreements(tables, way, first, last))
    alike: dict[int, float] = {}
    if found:
        places, values = np.concatenate(found), np.concatenate(agreements)
        enough = np.zeros(len(words), bool)
        enough[places[values >= least]] = True
        chosen = enough[places]
        for place, value in zip(places[chosen].tolist(), values[chosen].tolist(), strict=True):
            alike[place] = max(alike.get(place, 0.0), value)
    return alike


def _asked(word: str, script: Script) -> Iterator[tuple[str, Asked | None]]:
    """(text under which listed words are found, how their vowels are compared; None in Korean)."""
    if script == "korean":
        yield f"korean:{korean.korean_key(word)}", None
        return
    ways = arabic_and_hebrew.asked(word) if script == "abjad" else syllabic.asked(word)
    for way in sorted(ways, key=lambda each: each.consonants):
        yield f"{script}:{way.consonants}", way


def _agreements(tables: Tables, way: Asked, first: int, last: int) -> Array:
    """`Asked.agreement` with each of these listed words, float64[n]."""
    agreements = np.full(last - first, ALL_AGREE - DISAGREEING)
    starts = tables.script_vowels_start[first : last + 1]
    comparable = np.flatnonzero(np.diff(starts) == len(way.disagreements))
    if len(comparable):
        codes = starts[comparable]
        wrong = np.zeros(len(comparable))
        for place, disagreement in enumerate(way.disagreements):
            wrong += _disagreements(disagreement, tables.script_vowels[codes + place])
        agree = ALL_AGREE - DISAGREEING * wrong
        agreements[comparable] = np.where(wrong > way.most, 0.0, agree)
    return agreements


def _disagreements(disagreement: Callable[[int], float], codes: Array) -> Array:
    """float64[n]. Few of the codes are different."""
    table = np.zeros(_CODES)
    different = np.flatnonzero(np.bincount(codes, minlength=_CODES))
    table[different] = [disagreement(code) for code in different.tolist()]
    return table[codes]
