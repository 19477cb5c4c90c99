"""Build the arrays of an index from entries."""

import json
import math
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from acredita.domain.screening.names import LEGAL_WORDS, LONGEST_NAME, Reading, readings
from acredita.engines.screening.coverage import WEIGHTLESS
from acredita.engines.screening.entries import ENTITY_TYPES, NAME_KINDS, Entry, ListedName
from acredita.engines.screening.evidence import stored
from acredita.engines.screening.hashing import text_hash
from acredita.engines.screening.identifiers import listed_hashes
from acredita.engines.screening.phonetic import phonetic_key
from acredita.engines.screening.scripts import script_arrays
from acredita.engines.screening.spellings import by_length, length_starts, letters_of
from acredita.engines.screening.tables import Array, Tables, packed

_UNKNOWN, _GIVEN, _FAMILY = 0, 1, 2
_LEAST_WEIGHT = 0.45


def tabulate(entries: Iterable[Entry], progress: Callable[[int], None] | None = None) -> Tables:
    """Build the tables. `progress` receives the number of entries read, every 1,000 entries."""
    rows = _Rows()
    for count, entry in enumerate(entries, 1):
        rows.add(entry)
        if progress and count % 1000 == 0:
            progress(count)
    return rows.tables()


@dataclass
class _Rows:
    """Collects rows entry by entry. Uses compact arrays, because lists have a million names."""

    vocabulary: dict[str, int] = field(
        default_factory=lambda: {word: place for place, word in enumerate(LEGAL_WORDS)}
    )
    lists: dict[str, int] = field(default_factory=dict)
    name_length: "array[int]" = field(default_factory=lambda: array("B"))
    name_word: "array[int]" = field(default_factory=lambda: array("i"))
    name_role: "array[int]" = field(default_factory=lambda: array("B"))
    name_entry: "array[int]" = field(default_factory=lambda: array("i"))
    name_kind: "array[int]" = field(default_factory=lambda: array("B"))
    name_by_sound: "array[int]" = field(default_factory=lambda: array("B"))
    name_text: list[str] = field(default_factory=list)
    entry_type: "array[int]" = field(default_factory=lambda: array("B"))
    entry_list: "array[int]" = field(default_factory=lambda: array("H"))
    entry_text: list[str] = field(default_factory=list)
    identifiers: list[tuple[int, int]] = field(default_factory=list)

    def add(self, entry: Entry) -> None:
        place = len(self.entry_text)
        self.entry_type.append(ENTITY_TYPES.index(entry.entity_type))
        self.entry_list.append(self.lists.setdefault(entry.list_id, len(self.lists)))
        self.entry_text.append(json.dumps(stored(entry), ensure_ascii=False))
        for kind, value in entry.identifiers:
            self.identifiers.extend((hashed, place) for hashed in listed_hashes(kind, value))
        for name in entry.names:
            for reading in readings(
                name.text[:LONGEST_NAME], company=entry.entity_type != "person"
            ):
                # A question in this script finds the Latin names and the original spelling.
                if reading.script is None:
                    self._add_name(name, reading, place)

    def _add_name(self, name: ListedName, reading: Reading, entry: int) -> None:
        roles = _roles(name)
        for word in reading.words:
            self.name_word.append(self.vocabulary.setdefault(word, len(self.vocabulary)))
            self.name_role.append(roles.get(word, _UNKNOWN))
        self.name_length.append(len(reading.words))
        self.name_entry.append(entry)
        self.name_kind.append(NAME_KINDS.index(name.kind))
        self.name_by_sound.append(reading.by_sound)
        self.name_text.append(name.text[:LONGEST_NAME])

    def tables(self) -> Tables:
        words = by_length(self.vocabulary)
        rank = np.empty(len(words), np.int32)
        rank[[self.vocabulary[word] for word in words]] = np.arange(len(words), dtype=np.int32)
        name_word = rank[np.asarray(self.name_word, np.int32)]
        lengths = np.asarray(self.name_length, np.int64)
        name_start = np.concatenate([[0], np.cumsum(lengths)])
        posting_start, posting_name = _postings(name_word, lengths, len(words))
        weight = _weights(np.diff(posting_start), len(lengths))
        # The vocabulary has the legal words, so that a typo like "limtied" is recognized.
        weight[rank[: len(LEGAL_WORDS)]] = WEIGHTLESS
        hashes = np.fromiter(map(text_hash, words), np.uint64, len(words))
        keys, key_start, key_word = _keys(words)
        bags = _sums(hashes[name_word], name_start)
        by_bag = np.argsort(bags, kind="stable").astype(np.int32)
        name_text, name_text_start = packed(self.name_text)
        entry_text, entry_text_start = packed(self.entry_text)
        identifiers = np.array(sorted(self.identifiers), np.uint64).reshape(-1, 2)
        role = np.asarray(self.name_role, np.uint8)
        return Tables(
            words_text=packed(["\n".join(words)])[0],
            word_letters=letters_of(words),
            word_lengths=length_starts(words),
            word_weight=np.append(weight, np.float32(0)),
            word_family=_family_share(name_word, role, len(words)),
            keys_text=packed(["\n".join(keys)])[0],
            key_letters=letters_of(keys),
            key_lengths=length_starts(keys),
            key_start=key_start,
            key_word=key_word,
            **script_arrays(words),
            posting_start=posting_start,
            posting_name=posting_name,
            name_start=name_start,
            name_word=name_word,
            name_role=role,
            name_weight=_sums(weight[name_word].astype(np.float64), name_start).astype(np.float32),
            name_entry=np.asarray(self.name_entry, np.int32),
            name_kind=np.asarray(self.name_kind, np.uint8),
            name_by_sound=np.asarray(self.name_by_sound, np.bool_),
            name_text=name_text,
            name_text_start=name_text_start,
            bag_hash=bags[by_bag],
            bag_name=by_bag,
            entry_type=np.asarray(self.entry_type, np.uint8),
            entry_list=np.asarray(self.entry_list, np.uint16),
            entry_text=entry_text,
            entry_text_start=entry_text_start,
            identifier_hash=identifiers[:, 0],
            identifier_entry=identifiers[:, 1].astype(np.int32),
            lists_text=packed([json.dumps(list(self.lists), ensure_ascii=False)])[0],
        )


def _roles(name: ListedName) -> dict[str, int]:
    """Word → role, if the list gives it. A word with both roles is left out."""
    if not (name.family or name.given):
        return {}
    family, given = (
        {word for reading in readings(part[:LONGEST_NAME]) for word in reading.words}
        for part in (name.family, name.given)
    )
    return dict.fromkeys(family - given, _FAMILY) | dict.fromkeys(given - family, _GIVEN)


def _keys(words: Sequence[str]) -> tuple[list[str], Array, Array]:
    """(distinct phonetic keys, offsets of the words of each key, words in that order)."""
    of_word = [phonetic_key(word) for word in words]
    keys = by_length(set(of_word))
    number = {key: place for place, key in enumerate(keys)}
    numbers = np.fromiter((number[key] for key in of_word), np.int32, len(words))
    starts = np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=len(keys)))])
    return keys, starts.astype(np.int32), np.argsort(numbers, kind="stable").astype(np.int32)


def _postings(name_word: Array, lengths: Array, words: int) -> tuple[Array, Array]:
    names = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    distinct = np.unique(name_word.astype(np.int64) * max(len(lengths), 1) + names)
    word, name = np.divmod(distinct, max(len(lengths), 1))
    start = np.searchsorted(word, np.arange(words + 1))
    return start.astype(np.int64), name.astype(np.int32)


def _weights(frequency: Array, names: int) -> Array:
    """Weights, float32[V]: from 0.45 for the most frequent words to 1 for unique ones."""
    rarity = np.log1p(names / (1 + frequency)) / max(math.log1p(names), 1e-9)
    weights: Array = (_LEAST_WEIGHT + (1 - _LEAST_WEIGHT) * rarity).astype(np.float32)
    return weights


def _family_share(name_word: Array, role: Array, words: int) -> Array:
    """Share of uses as a family name, with Laplace smoothing; 0.5 without data."""
    given = np.bincount(name_word[role == _GIVEN], minlength=words + 1)
    family = np.bincount(name_word[role == _FAMILY], minlength=words + 1)
    share: Array = ((family + 1) / (family + given + 2)).astype(np.float32)
    return share


def _sums(values: Array, start: Array) -> Array:
    """Sums of values[start[i]:start[i + 1]]. Every name has at least one word."""
    if len(start) == 1:
        return values[:0]
    sums: Array = np.add.reduceat(values, start[:-1])
    return sums
