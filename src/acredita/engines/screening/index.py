"""The screening index: build it, save it, open it, screen names."""

import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from acredita.domain.screening_names import (
    LONGEST_NAME,
    Reading,
    readings,
)
from acredita.engines.screening import birth_dates
from acredita.engines.screening.alignment import JOINED, Aligner, Alignment, Query
from acredita.engines.screening.building import tabulate
from acredita.engines.screening.candidates import Allowed, candidates
from acredita.engines.screening.coverage import WEIGHTLESS
from acredita.engines.screening.entries import (
    ENTITY_TYPES,
    NAME_KINDS,
    EmptyName,
    EntityType,
    Entry,
    Evidence,
    Match,
    NameTooLong,
    Question,
    Screening,
)
from acredita.engines.screening.explanation import Explanation, explain
from acredita.engines.screening.hashing import bag_hash, identifier_hash
from acredita.engines.screening.scoring import DEFAULT_THRESHOLD, scores_of
from acredita.engines.screening.similar_words import PHONETIC, Vocabulary
from acredita.engines.screening.tables import Array, Tables, read, unpacked, write

_WEAK = 0.70
_NEARLY_ONE = 0.999
_WEAK_KIND = NAME_KINDS.index("weak")

Found = tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class _Hit:
    """The best name of an entry so far, with its alignment."""

    score: float
    name: int
    row: int
    alignment: Alignment
    query: Query


@dataclass
class _Scratch(threading.local):
    """Per-thread arrays for intermediate results. They hold zeros between screenings."""

    names: Array | None = None
    words: Array | None = None


def build_index(
    entries: Iterable[Entry], *, progress: Callable[[int], None] | None = None
) -> "ScreeningIndex":
    """Build an index. `progress` receives the number of entries read so far."""
    return ScreeningIndex(tabulate(entries, progress))


class ScreeningIndex:
    """Read-only and thread-safe."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._vocabulary = Vocabulary(tables)
        self._aligner = Aligner(tables, self._vocabulary.words)
        self._scratch = _Scratch()
        self.lists: tuple[str, ...] = tuple(json.loads(bytes(tables.lists_text)))

    @classmethod
    def open(cls, path: Path) -> "ScreeningIndex":
        """Map the file into memory. Processes that open the same file share its pages.

        Raise DamagedIndex for a truncated or altered file, or another version. Raise OSError.
        """
        return cls(read(path))

    def save(self, path: Path) -> None:
        """Write the index atomically. A process that mapped the former file keeps its pages."""
        write(self._tables, path)

    @property
    def names(self) -> int:
        return len(self._tables.name_entry)

    @property
    def entries(self) -> int:
        return len(self._tables.entry_type)

    def screen(
        self,
        name: str,
        *,
        threshold: float = DEFAULT_THRESHOLD,
        lists: frozenset[str] | None = None,
        date_of_birth: str | None = None,
        rfc: str | None = None,
        curp: str | None = None,
        entity_type: EntityType | None = None,
        country: str | None = None,
        limit: int = 50,
    ) -> Screening:
        """Find the entries of `lists` (default: all) that score at least `threshold` (0-1).

        Return at most `limit` matches, best first. Raise EmptyName, NameTooLong.
        """
        question = Question(name, date_of_birth, rfc, curp, entity_type, country)
        return self._answer(question, threshold, lists, limit)

    def screen_many(
        self,
        questions: Iterable[Question],
        *,
        threshold: float = DEFAULT_THRESHOLD,
        lists: frozenset[str] | None = None,
        limit: int = 50,
    ) -> list[Screening]:
        """One result per question, in the same order. Raise EmptyName, NameTooLong."""
        return [self._answer(question, threshold, lists, limit) for question in questions]

    def _answer(
        self, question: Question, threshold: float, lists: frozenset[str] | None, limit: int
    ) -> Screening:
        if len(question.name) > LONGEST_NAME:
            raise NameTooLong(f"the name has more than {LONGEST_NAME} characters")
        ways = readings(question.name)
        if not ways:
            raise EmptyName("the name has no letters or digits to compare")
        allowed = self._allowed(lists, question.entity_type)
        floor = threshold - birth_dates.EXACT_BIRTH if question.date_of_birth else threshold
        best: dict[int, _Hit] = {}
        for reading in ways:
            self._collect(reading, floor, allowed, best)
        identified = self._identified(question, allowed)
        answers: list[tuple[float, int, _Hit | None, Found]] = []
        for entry in best.keys() | identified.keys():
            hit, kind = best.get(entry), identified.get(entry)
            if kind is not None:
                answers.append((1.0, entry, hit, (Evidence(kind, "confirms"),)))
                continue
            known = self._known(entry)
            if hit is None or (question.country and not _of(question.country, known)):
                continue
            score, found = birth_dates.adjusted_score(hit.score, question, known)
            if score >= threshold:
                answers.append((score, entry, hit, found))
        answers.sort(key=lambda match: (-match[0], match[1]))
        return Screening(len(answers), tuple(self._match(*match) for match in answers[:limit]))

    def _allowed(self, lists: frozenset[str] | None, kind: EntityType | None) -> Allowed | None:
        if lists is None and kind is None:
            return None
        return Allowed(
            np.array([lists is None or name in lists for name in self.lists], bool),
            np.array([kind is None or other in (kind, "other") for other in ENTITY_TYPES], bool),
        )

    def _collect(
        self, reading: Reading, floor: float, allowed: Allowed | None, best: dict[int, _Hit]
    ) -> None:
        """Add the best name of each entry with a score of at least `floor` to `best`."""
        query = self._query(reading)
        scratch = self._scratch
        if scratch.names is None or scratch.words is None:
            scratch.names = np.zeros(self.names, np.float32)
            scratch.words = np.zeros(len(self._vocabulary.words) + 1, np.float32)
        found = candidates(self._tables, query, floor, scratch.names, allowed)
        same = self._same_words(reading, allowed)
        if missing := same - set(found.tolist()):
            found = np.append(found, np.array(sorted(missing), np.int32))
        if len(found) == 0:
            return
        alignment = self._aligner.align(query, found, scratch.words)
        found = alignment.names
        # Round as in the response, so that a score shown as 0.75 reaches a threshold of 0.75.
        scores = scores_of(self._tables, query, alignment).astype(np.float64).round(4)
        scores = np.minimum(scores, _NEARLY_ONE)
        if same:
            scores[[place for place, name in enumerate(found.tolist()) if name in same]] = 1.0
        weak = self._tables.name_kind[found] == _WEAK_KIND
        scores = np.where(weak, np.minimum(scores, _WEAK), scores)
        if query.by_sound:
            scores = np.minimum(scores, PHONETIC)
        for row in (scores >= floor).nonzero()[0].tolist():
            entry, score = int(self._tables.name_entry[found[row]]), float(scores[row])
            if entry not in best or score > best[entry].score:
                best[entry] = _Hit(score, int(found[row]), row, alignment, query)

    def _same_words(self, reading: Reading, allowed: Allowed | None) -> set[int]:
        """Names with the same words in any order. The limit on candidates must not drop them."""
        exact, known = reading.by_sound, self._vocabulary.neighbours
        hashed = np.uint64(bag_hash(known(word, exact=exact).hashed for word in reading.words))
        names = _equal(self._tables.bag_hash, self._tables.bag_name, hashed)
        if len(names) and allowed is not None:
            names = names[allowed.admits(self._tables, names)]
        return set(names.tolist())

    def _query(self, reading: Reading) -> Query:
        exact = reading.by_sound
        known = [(word, self._vocabulary.neighbours(word, exact=exact)) for word in reading.words]
        telling = [(word, near) for word, near in known if near.weight > WEIGHTLESS]
        words, near = zip(*(telling or known), strict=True)
        joined = []
        for i in range(len(words) - 1):
            whole = self._vocabulary.joined(words[i] + words[i + 1], exact=exact)
            if whole.best > JOINED:
                joined.append((i, whole))
        return Query.from_words(words, near, tuple(joined), by_sound=reading.by_sound)

    def _known(self, entry: int) -> birth_dates.Known:
        text = unpacked(self._tables.entry_text, self._tables.entry_text_start, entry)
        identifier, births, countries = json.loads(text)
        return identifier, births, countries

    def _identified(self, question: Question, allowed: Allowed | None) -> dict[int, str]:
        """Entry → kind of the identifier that it shares with the question."""
        found: dict[int, str] = {}
        hashes = self._tables.identifier_hash
        for kind, value in (("rfc", question.rfc), ("curp", question.curp)):
            if not value:
                continue
            hashed = np.uint64(identifier_hash(kind, value))
            entries = _equal(hashes, self._tables.identifier_entry, hashed)
            for entry in entries.tolist():
                if allowed is None or allowed.admits_entry(self._tables, entry):
                    found.setdefault(entry, kind)
        return found

    def _match(self, score: float, entry: int, hit: _Hit | None, found: Found) -> Match:
        tables, known = self._tables, self._known(entry)
        if hit is None:
            name = int(np.searchsorted(tables.name_entry, entry))
            named = name < self.names and int(tables.name_entry[name]) == entry
            explanation = Explanation((), (), ())
        else:
            name, named = hit.name, True
            explanation = explain(hit.query, hit.alignment, hit.row, self._vocabulary.words)
        return Match(
            entry_id=known[0],
            list_id=self.lists[int(tables.entry_list[entry])],
            entity_type=ENTITY_TYPES[int(tables.entry_type[entry])],
            score=round(score, 4),
            matched_name=unpacked(tables.name_text, tables.name_text_start, name) if named else "",
            matched_kind=NAME_KINDS[int(tables.name_kind[name])] if named else "primary",
            tokens=explanation.tokens,
            unmatched_query=explanation.unmatched_query,
            unmatched_listed=explanation.unmatched_listed,
            evidence=found,
            countries=tuple(known[2]),
        )


def _of(country: str, known: birth_dates.Known) -> bool:
    """Whether the entry has this country or no country."""
    return not known[2] or country.upper() in known[2]


def _equal(ordered: Array, items: Array, value: np.uint64) -> Array:
    """The items at the positions where the sorted array `ordered` equals `value`."""
    first = int(ordered.searchsorted(value))
    if first == len(ordered) or ordered[first] != value:
        return items[:0]
    return items[first : int(ordered.searchsorted(value, "right"))]
