"""The screening index: build it, save it, open it, screen names."""

import json
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from acredita.domain.screening.names import (
    LONGEST_NAME,
    Reading,
    readings,
)
from acredita.engines.screening import evidence
from acredita.engines.screening.alignment import JOINED, Aligner, Alignment, Query, Wanted
from acredita.engines.screening.building import tabulate
from acredita.engines.screening.candidates import Allowed, Candidates
from acredita.engines.screening.coverage import WEIGHTLESS
from acredita.engines.screening.entries import (
    ENTITY_TYPES,
    NAME_KINDS,
    EmptyName,
    EntityType,
    Entry,
    Match,
    NameTooLong,
    Question,
    Screening,
)
from acredita.engines.screening.evidence import Weighed
from acredita.engines.screening.explanation import Explanation, explain
from acredita.engines.screening.hashing import bag_hash
from acredita.engines.screening.identifiers import asked_hashes
from acredita.engines.screening.scoring import DEFAULT_THRESHOLD, scores_of
from acredita.engines.screening.scripts import script_arrays
from acredita.engines.screening.similar_words import PHONETIC, Vocabulary
from acredita.engines.screening.tables import Array, Tables, among, equal, read, unpacked, write

# A weak alias is broad or common: it counts only if the words are the same.
_WEAK, _WEAK_SAME = 0.70, 0.90
# Words in other scripts match many Latin ones, so none should be left over.
_WORD_LEFT = 0.05
_NEARLY_ONE = 0.999
_WEAK_KIND = NAME_KINDS.index("weak")
# Questions that are searched for at once: it costs less, but needs memory for all their names.
_AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class _Hit:
    """The best name of an entry so far, with its alignment."""

    score: float
    name: int
    row: int
    alignment: Alignment
    query: Query


@dataclass(slots=True)
class _Asked:
    """A question. `floor`: the least score of a name."""

    question: Question
    readings: tuple[Reading, ...]
    floor: float
    allowed: Allowed | None


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
        self._candidates = Candidates(tables)
        self._aligner = Aligner(tables, self._vocabulary.words)
        self._scratch = _Scratch()
        self.lists: tuple[str, ...] = tuple(json.loads(bytes(tables.lists_text)))

    @classmethod
    def open(cls, path: Path) -> "ScreeningIndex":
        """Map the file into memory. Processes that open the same file share its pages.

        Raise DamagedIndex for a truncated or altered file, or another version. Raise OSError.
        """
        tables = read(path)
        if not len(tables.script_vowels_start):
            words = bytes(tables.words_text).decode().split("\n")
            tables = replace(tables, **script_arrays(words))
        return cls(tables)

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
        (answer,) = self.screen_many([question], threshold=threshold, lists=lists, limit=limit)
        return answer

    def screen_many(
        self,
        questions: Iterable[Question],
        *,
        threshold: float = DEFAULT_THRESHOLD,
        lists: frozenset[str] | None = None,
        limit: int = 50,
    ) -> list[Screening]:
        """One result per question, in the same order. Raise EmptyName, NameTooLong."""
        asked = [self._asked(question, threshold, lists) for question in questions]
        answers: list[Screening] = []
        for start in range(0, len(asked), _AT_ONCE):
            some = asked[start : start + _AT_ONCE]
            best = self._best_names(some)
            answers += [
                self._answer(*each, threshold, limit) for each in zip(some, best, strict=True)
            ]
        return answers

    def _asked(self, question: Question, threshold: float, lists: frozenset[str] | None) -> _Asked:
        more = evidence.EXACT_BIRTH if evidence.asks_for_more(question) else 0
        allowed = self._allowed(lists, question.entity_type)
        return _Asked(question, _readings(question), threshold - more, allowed)

    def _answer(
        self, asked: _Asked, best: dict[int, _Hit], threshold: float, limit: int
    ) -> Screening:
        question = asked.question
        identified = self._identified(question, asked.allowed)
        answers: list[tuple[int, _Hit | None, Weighed, evidence.Known]] = []
        total, best = _first(question, best, limit) if not identified else (0, best)
        for entry in best.keys() | identified.keys():
            hit, known = best.get(entry), self._known(entry)
            if entry in identified:
                kind, score = identified[entry]
                score = max(score, threshold, hit.score if hit else 0)
                rarity = self._rarity(hit) if hit else 0.0
                weighed = evidence.identified(score, rarity, kind, question, known)
                answers.append((entry, hit, weighed, known))
                continue
            if hit is None or (question.country and not _of(question.country, known)):
                continue
            weighed = evidence.weigh(hit.score, self._rarity(hit), question, known, threshold)
            if weighed.score >= threshold:
                answers.append((entry, hit, weighed, known))
        answers.sort(key=lambda match: (-match[2].score, -match[2].likelihood, match[0]))
        return Screening(
            total or len(answers), tuple(self._match(*match) for match in answers[:limit])
        )

    def _allowed(self, lists: frozenset[str] | None, kind: EntityType | None) -> Allowed | None:
        if kind is None and (lists is None or lists.issuperset(self.lists)):
            return None
        return Allowed(
            np.array([lists is None or name in lists for name in self.lists], bool),
            np.array([kind is None or other in (kind, "other") for other in ENTITY_TYPES], bool),
        )

    def _best_names(self, asked: Sequence[_Asked]) -> list[dict[int, _Hit]]:
        """Of each question, entry → its best name with a score of at least `floor`."""
        places, queries, floors, allowed = [], [], [], []
        for place, each in enumerate(asked):
            for reading in each.readings:
                places.append(place)
                queries.append(self._query(reading))
                floors.append(each.floor)
                allowed.append(each.allowed)
        scratch = self._scratch
        if scratch.names is None or scratch.words is None:
            scratch.names = np.zeros(self.names, np.float32)
            scratch.words = np.zeros(len(self._vocabulary.words) + 1, np.float32)
        found = self._candidates.find(queries, floors, allowed, scratch.names)
        wanted = []
        for query, floor, only, likely in zip(queries, floors, allowed, found, strict=True):
            same = self._same_words(query, only)
            missing = sorted(same.difference(likely.tolist())) if same else []
            names = np.append(likely, np.array(missing, np.int32)) if missing else likely
            wanted.append(Wanted(query, names, floor, same))
        best: list[dict[int, _Hit]] = [{} for _ in asked]
        for place, alignment in self._aligner.align(wanted, scratch.words):
            self._keep_best(wanted[place], alignment, best[places[place]])
        return best

    def _keep_best(self, wanted: Wanted, alignment: Alignment, best: dict[int, _Hit]) -> None:
        query, found = wanted.query, alignment.names
        # Round as in the response, so that a score shown as 0.75 reaches a threshold of 0.75.
        scores = scores_of(self._tables, query, alignment).astype(np.float64).round(4)
        scores = np.minimum(scores, _NEARLY_ONE)
        weak = self._tables.name_kind[found] == _WEAK_KIND
        scores = np.where(weak, np.minimum(scores, _WEAK), scores)
        if wanted.same:
            equals = among(found, wanted.same)
            scores[equals] = np.where(weak[equals], _WEAK_SAME, 1.0)
        if query.by_sound:
            scores = np.minimum(scores, PHONETIC)
        if query.script:
            scores -= _WORD_LEFT * (alignment.place < 0).any(1)
        for row in (scores >= wanted.least).nonzero()[0].tolist():
            entry, score = int(self._tables.name_entry[found[row]]), float(scores[row])
            if entry not in best or score > best[entry].score:
                best[entry] = _Hit(score, int(found[row]), row, alignment, query)

    def _same_words(self, query: Query, allowed: Allowed | None) -> set[int]:
        """Names with the same words in any order. The limit on candidates must not drop them."""
        if query.script:
            return set()
        names = equal(self._tables.bag_hash, self._tables.bag_name, query.hashed)
        if len(names) and allowed is not None:
            names = names[allowed.admits(self._tables, names)]
        return set(names.tolist())

    def _query(self, reading: Reading) -> Query:
        exact, script, find = reading.by_sound, reading.script, self._vocabulary
        known = [
            (word, find.neighbours(word, exact=exact, script=script)) for word in reading.words
        ]
        telling = [(word, near) for word, near in known if near.weight > WEIGHTLESS]
        words, near = zip(*(telling or known), strict=True)
        joined = []
        for i in range(len(words) - 1):
            whole = find.joined(words[i] + words[i + 1], exact=exact, script=script)
            if whole.best > JOINED:
                joined.append((i, whole))
        return Query.from_words(
            words,
            near,
            tuple(joined),
            by_sound=exact,
            script=script,
            hashed=bag_hash(each.hashed for _, each in known),
        )

    def _known(self, entry: int) -> evidence.Known:
        text = unpacked(self._tables.entry_text, self._tables.entry_text_start, entry)
        return evidence.Known(*json.loads(text))

    def _identified(
        self, question: Question, allowed: Allowed | None
    ) -> dict[int, tuple[str, float]]:
        """Entry → (kind, score) of the identifier that it shares with the question."""
        found: dict[int, tuple[str, float]] = {}
        hashes = self._tables.identifier_hash
        for kind, value in question.every_identifier:
            for hashed, score in asked_hashes(kind, value):
                entries = equal(hashes, self._tables.identifier_entry, hashed)
                for entry in entries.tolist():
                    known = entry in found and found[entry][1] >= score
                    if not known and (allowed is None or allowed.admits_entry(self._tables, entry)):
                        found[entry] = kind, score
        return found

    def _rarity(self, hit: _Hit) -> float:
        """Natural logarithm of how rare the matched words of the name are together."""
        matched = hit.alignment.matched[hit.row]
        places = matched > 0
        words = hit.alignment.rows[hit.row][places]
        start = self._tables.posting_start
        uses = start[words + 1] - start[words]
        return float(matched[places] @ np.log1p(self.names / (1 + uses)))

    def _match(
        self, entry: int, hit: _Hit | None, weighed: Weighed, known: evidence.Known
    ) -> Match:
        tables = self._tables
        if hit is None:
            name = int(np.searchsorted(tables.name_entry, entry))
            named = name < self.names and int(tables.name_entry[name]) == entry
            explanation = Explanation((), (), ())
        else:
            name, named = hit.name, True
            explanation = explain(hit.query, hit.alignment, hit.row, self._vocabulary.words)
        return Match(
            entry_id=known.id,
            list_id=self.lists[int(tables.entry_list[entry])],
            entity_type=ENTITY_TYPES[int(tables.entry_type[entry])],
            score=round(weighed.score, 4),
            rarity=round(weighed.rarity, 4),
            likelihood=round(weighed.likelihood, 4),
            assessment=weighed.assessment,
            matched_name=unpacked(tables.name_text, tables.name_text_start, name) if named else "",
            matched_kind=NAME_KINDS[int(tables.name_kind[name])] if named else "primary",
            tokens=explanation.tokens,
            unmatched_query=explanation.unmatched_query,
            unmatched_listed=explanation.unmatched_listed,
            evidence=weighed.evidence,
            countries=tuple(known.countries),
        )


def _first(question: Question, best: dict[int, _Hit], limit: int) -> tuple[int, dict[int, _Hit]]:
    """Leave out what cannot be among the first matches, if only the name's score counts. Return how
    many there are altogether, or 0 if more counts.
    """
    if len(best) <= limit or question.country or evidence.asks_for_more(question):
        return 0, best
    least = sorted((hit.score for hit in best.values()), reverse=True)[limit - 1]
    return len(best), {entry: hit for entry, hit in best.items() if hit.score >= least}


def _readings(question: Question) -> tuple[Reading, ...]:
    """The readings of the name and the aliases. Raise EmptyName, NameTooLong."""
    if max(map(len, (question.name, *question.aliases))) > LONGEST_NAME:
        raise NameTooLong(f"the name has more than {LONGEST_NAME} characters")
    ways = readings(question.name)
    if not ways:
        raise EmptyName("the name has no letters or digits to compare")
    if not question.aliases:
        return ways
    return tuple(
        dict.fromkeys((*ways, *(way for name in question.aliases for way in readings(name))))
    )


def _of(country: str, known: evidence.Known) -> bool:
    """Whether the entry has this country or no country."""
    return not known.countries or country.upper() in known.countries
