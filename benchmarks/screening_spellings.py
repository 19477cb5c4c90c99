"""Names of the lists in other scripts and spellings than the lists have, and other evidence.

The questions are made from the published lists by fixed rules, not by looking at what is found.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from acredita.domain.screening.names import folded
from acredita.domain.screening.nicknames import familiar_forms
from acredita.engines.screening import (
    EmptyName,
    Entry,
    Question,
    ScreeningIndex,
    build_index,
)
from acredita.providers.watchlists import un
from acredita.providers.watchlists.protocol import Facts, ListFile
from benchmarks.screening_data import entry_of
from benchmarks.screening_scripts import scripts

ACRONYM = re.compile("[A-Z]{3,6}")
ARABIC = re.compile("[\u0600-\u06ff]")
UN = "consolidated_2026-02-27.xml"
# Share of the questions that find their entry at 0.75.
BARS = {
    "acronym with dots": 1.0,
    "nickname, two surnames": 0.90,
    "nickname, one surname": 0.90,
    "Arabic script": 0.60,
    "weak alias, the same words": 1.0,
    "another date of birth": 0.99,
    "RFC, another name": 1.0,
    "RFC without homoclave, another name": 1.0,
    "CURP, another name": 1.0,
}
NOBODY = "Zzyzx Qwertz"

Asked = tuple[Question, str]
Bar = tuple[str, bool]


def spellings(index: ScreeningIndex, entries: Sequence[Entry], folder: Path) -> Iterator[Bar]:
    """Recall per kind of question. `entries`: of the index, with identifiers."""
    kinds = {
        "acronym with dots": acronyms(entries),
        "nickname, two surnames": nicknames(entries, surnames=2),
        "nickname, one surname": nicknames(entries, surnames=1),
        "weak alias, the same words": weak_aliases(entries),
        "another date of birth": other_births(entries),
        "RFC, another name": identified(entries, "rfc"),
        "RFC without homoclave, another name": identified(entries, "rfc", length=-3),
        "CURP, another name": identified(entries, "curp"),
    }
    for kind, asked in kinds.items():
        yield recall(index, kind, asked)
    united_nations = list(un_entries(folder))
    latin = [
        replace(entry, names=tuple(n for n in entry.names if n.kind != "original_script"))
        for entry in united_nations
    ]
    yield recall(build_index(latin), "Arabic script", originals(united_nations))
    yield from scripts([*entries, *latin])


def recall(index: ScreeningIndex, kind: str, asked: Iterable[Asked]) -> Bar:
    found = [
        any(match.entry_id == entry for match in matches_of(index, question))
        for question, entry in asked
    ]
    share = sum(found) / max(len(found), 1)
    bar = BARS[kind]
    return f"{kind}: {sum(found)} of {len(found)} = {share:.1%} (bar {bar:.0%})", share >= bar


def matches_of(index: ScreeningIndex, question: Question) -> Sequence[object]:
    try:
        return index.screen_many([question], limit=1000)[0].matches
    except EmptyName:
        return ()


def acronyms(entries: Iterable[Entry]) -> Iterator[Asked]:
    for entry in entries:
        names = {name.text for name in entry.names if ACRONYM.fullmatch(name.text)}
        if entry.entity_type == "company":
            yield from ((Question(".".join(name) + "."), entry.id) for name in sorted(names))


def nicknames(entries: Iterable[Entry], *, surnames: int) -> Iterator[Asked]:
    """Persons with two surnames, by a familiar form of their first given name."""
    for entry in entries:
        name = entry.names[0]
        family, given = folded(name.family).split(), folded(name.given).split()
        forms = familiar_forms(given[0]) if given else ()
        if len(family) == 2 and forms and entry.entity_type == "person":
            form = forms[hashlib.sha256(entry.id.encode()).digest()[0] % len(forms)]
            yield Question(" ".join([form, *family[:surnames]])), entry.id


def weak_aliases(entries: Iterable[Entry]) -> Iterator[Asked]:
    for entry in entries:
        weak = {name.text for name in entry.names if name.kind == "weak"}
        yield from ((Question(name), entry.id) for name in sorted(weak))


def other_births(entries: Iterable[Entry]) -> Iterator[Asked]:
    """Persons without their second given names, with a date of birth that is not theirs."""
    for entry in entries:
        name = entry.names[0]
        if entry.dates_of_birth and name.given and len(name.family.split()) > 1:
            shortened = f"{name.given.split()[0]} {name.family}"
            yield Question(shortened, date_of_birth="2019-02-03"), entry.id


def identified(entries: Iterable[Entry], kind: str, length: int | None = None) -> Iterator[Asked]:
    """`length`: how many characters are asked; negative: without the last ones."""
    for entry in entries:
        for listed, value in entry.identifiers:
            text = re.sub("[^A-ZÑ&0-9]", "", value)
            if listed == kind and re.fullmatch("[A-ZÑ&]{3,4}[0-9]{6}[A-Z0-9]{3,8}", text):
                yield Question(NOBODY, **{kind: text[:length]}), entry.id


def originals(entries: Iterable[Entry]) -> Iterator[Asked]:
    for entry in entries:
        for name in entry.names:
            if name.kind == "original_script" and ARABIC.search(name.text):
                yield Question(name.text), entry.id


def un_entries(folder: Path) -> Iterator[Entry]:
    for entity in un.read([ListFile(folder / "un" / UN, UN)], Facts()):
        yield entry_of(entity, "un")
