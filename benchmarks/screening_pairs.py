"""Pairs of a question and a listed person: the same person, or a namesake.

Labels never come from a date of birth, a nationality or a gender, because these are weighed. The
same person: an entry of the United Nations and one of OFAC that share a number of a document,
or four words of a name and no other entry does. Namesakes: two entries of one list, which are two
persons, and the persons of SAT's list 69-B, who are not on OFAC's.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from acredita.domain.screening.names import readings
from acredita.engines.screening import Entry, Gender, Match, Question, ScreeningIndex
from acredita.engines.screening.births import BirthLevel, best_level
from acredita.engines.screening.identifiers import births
from acredita.providers.watchlists import sat69b
from acredita.providers.watchlists.protocol import Facts, ListFile
from benchmarks.screening_data import Labelled, entry_of
from benchmarks.screening_spellings import un_entries

LEAST_SCORE = 0.70
_WORDS, _DIGITS = 4, 6
_OFAC_GENDER = re.compile(r"^\"?(\d+)\"?,.*Gender (Male|Female)", re.MULTILINE)
_UN_GENDER = re.compile(r"<DATAID>(\d+)<(?:(?!<DATAID>).)*?<GENDER>(Male|Female)<", re.DOTALL)
_GENDERS: dict[str, Gender] = {"Male": "male", "Female": "female"}


@dataclass(frozen=True, slots=True)
class Pair:
    """A question about a person, whether the entry is that person, and the match of the entry.

    `match`: None if the name's score is below 0.70. `held_out`: not of the half that is fitted.
    """

    question: Question
    entry: Entry
    same: bool
    match: Match | None
    held_out: bool

    @property
    def birth(self) -> BirthLevel | None:
        asked = self.question.date_of_birth
        if not asked or not self.entry.dates_of_birth:
            return None
        return best_level([asked], self.entry.dates_of_birth)[0]


def with_genders(entries: Iterable[Entry], folder: Path) -> list[Entry]:
    """The persons among the entries of OFAC or the United Nations, with the listed genders."""
    known: dict[str, Gender] = {}
    for path, pattern in (("ofac/sdn.csv", _OFAC_GENDER), ("un", _UN_GENDER)):
        files = [folder / path] if path.endswith("csv") else sorted((folder / path).glob("*.xml"))
        for file in files:
            found = pattern.findall(file.read_text(encoding="utf-8", errors="replace"))
            known |= {number: _GENDERS[gender] for number, gender in found}
    persons = (entry for entry in entries if entry.entity_type == "person")
    return [
        replace(entry, genders=(known[entry.id],)) if entry.id in known else entry
        for entry in persons
    ]


def question_about(person: Entry, name: str) -> Question:
    """The name with everything else that an entry says about the person."""
    return Question(
        name,
        date_of_birth=person.dates_of_birth[0] if person.dates_of_birth else None,
        nationalities=person.countries,
        gender=person.genders[0] if person.genders else None,
    )


def same_persons(ofac: Sequence[Entry], folder: Path) -> dict[str, Entry]:
    """OFAC's entry id → the entry of the United Nations about the same person."""
    by_mark: dict[str, set[str]] = defaultdict(set)
    for entry in ofac:
        for mark in _marks(entry):
            by_mark[mark].add(entry.id)
    found: dict[str, Entry] = {}
    for entry in with_genders(un_entries(folder), folder):
        ids = {next(iter(by_mark[mark])) for mark in _marks(entry) if len(by_mark[mark]) == 1}
        if len(ids) == 1:
            found[ids.pop()] = entry
    return found


def _marks(entry: Entry) -> Iterator[str]:
    for _, value in entry.identifiers:
        text = re.sub("[^A-Z0-9]", "", value.upper())
        if sum(map(str.isdecimal, text)) >= _DIGITS:
            yield text
    for name in entry.names:
        for reading in readings(name.text, company=False)[:1]:
            if len(set(reading.words)) >= _WORDS and name.kind != "original_script":
                yield " ".join(sorted(reading.words))


def pairs_of_the_same(
    index: ScreeningIndex,
    ofac: Mapping[str, Entry],
    twins: Mapping[str, Entry],
    queries: Iterable[Labelled],
) -> Iterator[Pair]:
    """The United Nations' own names, and labelled queries with what the United Nations know."""
    for number, twin in twins.items():
        latin = next(name for name in twin.names if name.kind != "original_script")
        yield pair(index, question_about(twin, latin.text), ofac[number], same=True)
    for item in queries:
        if item.entry in twins and item.entry in ofac:
            question = question_about(twins[item.entry], item.query)
            yield pair(index, question, ofac[item.entry], same=True)


def pairs_of_namesakes(
    index: ScreeningIndex, ofac: Mapping[str, Entry], folder: Path
) -> Iterator[Pair]:
    for person in (*ofac.values(), *_sat_persons(folder)):
        question = question_about(person, person.names[0].text)
        for match in index.screen(question.name, threshold=LEAST_SCORE, limit=1000).matches:
            entry = ofac.get(match.entry_id)
            if entry is not None and entry.id != person.id:
                yield Pair(question, entry, False, match, _held_out(entry.id))


def _sat_persons(folder: Path) -> Iterator[Entry]:
    name = "Listado_Completo_69-B_2023-07.csv"
    for entity in sat69b.read([ListFile(folder / "sat69b" / name, name)], Facts()):
        if entity.entity_type == "person":
            entry = entry_of(entity, "sat")
            days = [day for kind, value in entry.identifiers for day in births(kind, value)]
            yield replace(entry, dates_of_birth=tuple(days[:1]))


def pair(index: ScreeningIndex, question: Question, entry: Entry, *, same: bool) -> Pair:
    found = index.screen(question.name, threshold=LEAST_SCORE, limit=1000).matches
    match = next((each for each in found if each.entry_id == entry.id), None)
    return Pair(question, entry, same, match, _held_out(entry.id))


def _held_out(entry_id: str) -> bool:
    return Labelled("", entry_id, "").held_out
