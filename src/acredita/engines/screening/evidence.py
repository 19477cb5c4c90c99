"""Compare what a question and an entry know besides the name, and weigh it.

Each comparison has a weight: the logarithm of how much more often it occurs between two entries of
one person than between namesakes. The weights and the name's score give the likelihood that the
entry is the person.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from acredita.engines.screening import identifiers
from acredita.engines.screening.births import best_level
from acredita.engines.screening.entries import (
    Assessment,
    Entry,
    Evidence,
    Gender,
    Question,
)
from acredita.engines.screening.weights import INTERCEPT, NAME_RARITY, NAME_SCORE, WEIGHTS

EXACT_BIRTH = 0.05
_CONTRADICTED = 0.15
_NEARLY_ONE = 0.999
_MOST_LOWERED = 2.0
# Below this weight, either way, evidence says nothing.
_TELLING = 0.5
_LIKELY, _UNLIKELY = 0.5, 0.05
# The identifiers of an entry that the index keeps to compare; the others are only looked up.
COMPARED = ("rfc", "curp")


@dataclass(frozen=True, slots=True)
class Known:
    """What the index knows about an entry. `identifiers`: (kind, value) of COMPARED kinds."""

    id: str
    births: list[str]
    countries: list[str]
    identifiers: list[tuple[str, str]]
    genders: list[Gender] = field(default_factory=list)
    nationalities: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Weighed:
    """The evidence for and against an entry, and what it does to the score.

    `likelihood`: 0-1, that the entry is the person, among pairs like those of the fit.
    """

    score: float
    rarity: float
    likelihood: float
    evidence: tuple[Evidence, ...]

    @property
    def assessment(self) -> Assessment:
        if self.likelihood >= _LIKELY:
            return "likely"
        return "unlikely" if self.likelihood < _UNLIKELY and self.is_contradicted else "possible"

    @property
    def is_contradicted(self) -> bool:
        return any(each.effect == "contradicts" for each in self.evidence)


def stored(entry: Entry) -> list[object]:
    """The fields of `Known`, as the index stores them.

    An entry without a date of birth or gender has those that its identifiers contain.
    """
    known = [(identifiers.mexican_kind(*pair), pair[1]) for pair in entry.identifiers]
    kept = [pair for pair in known if pair[0] in COMPARED]
    births, genders = list(entry.dates_of_birth), list(entry.genders)
    if entry.entity_type == "person":
        births = births or [day for kind, value in kept for day in identifiers.births(kind, value)]
        genders = genders or [
            sex for kind, value in kept if kind == "curp" and (sex := identifiers.gender(value))
        ]
    return [
        entry.id,
        list(dict.fromkeys(births)),
        list(entry.countries),
        kept,
        list(dict.fromkeys(genders)),
        list(entry.nationalities),
    ]


def asks_for_more(question: Question) -> bool:
    """Whether evidence can raise a score."""
    return bool(
        question.date_of_birth
        or question.rfc
        or question.curp
        or question.nationalities
        or question.gender
    )


def weigh(
    score: float, rarity: float, question: Question, known: Known, threshold: float
) -> Weighed:
    """Adjust a name's score (0-1) by the evidence.

    `rarity`: natural logarithm of how rare the matched words are together. Evidence for the entry
    raises the score by at most 0.05. Evidence against it lowers the score, but never from the
    threshold or above to a score below it: lists have wrong dates, and a contradiction must not
    hide a match.
    """
    found = tuple(_compared(question, known)) if asks_for_more(question) else ()
    total = sum(each.weight for each in found)
    likelihood = _likelihood(score, rarity, total)
    if total > _TELLING:
        share = min(total / WEIGHTS["birth:same_day"], 1.0)
        score = min(score + EXACT_BIRTH * share, max(score, _NEARLY_ONE))
    elif total < -_TELLING:
        share = min(total / WEIGHTS["birth:other_year"], _MOST_LOWERED)
        score = max(score * (1 - _CONTRADICTED * share), min(score, threshold))
    return Weighed(score, rarity, likelihood, found)


def identified(score: float, rarity: float, kind: str, question: Question, known: Known) -> Weighed:
    """The score stays, whatever the rest says; the likelihood counts it. `kind`: of the identifier
    that is the same."""
    found = (_same_identifier(kind), *_compared(question, known, found_by=kind))
    total = sum(each.weight for each in found)
    return Weighed(score, rarity, min(_likelihood(score, rarity, total), _NEARLY_ONE), found)


def _same_identifier(kind: str) -> Evidence:
    name = kind.upper() if kind in COMPARED else kind
    return _weighed(kind, "identifier:same", f"The entry has the same {name.replace('_', ' ')}")


def _likelihood(score: float, rarity: float, total: float) -> float:
    logit = INTERCEPT + NAME_SCORE * (score - 0.7) * 10 + NAME_RARITY * rarity + total
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


def _compared(question: Question, known: Known, *, found_by: str = "") -> Iterator[Evidence]:
    """`found_by`: the identifier that is the same. What it contains is no further evidence."""
    yield from _identifiers(question, known, found_by)
    if (births := _births(question, found_by)) and known.births:
        level, ours, theirs = best_level(births, known.births)
        yield _weighed("dateOfBirth", f"birth:{level}", f"{_BIRTH_WORDS[level]}: {ours}, {theirs}")
    curp = question.curp if found_by != "curp" else None
    gender = question.gender or (identifiers.gender(curp) if curp else None)
    if gender and known.genders:
        outcome = "same" if gender in known.genders else "other"
        words = f"The list has {'the same' if outcome == 'same' else 'another'} gender"
        yield _weighed("gender", f"gender:{outcome}", words)
    listed = known.nationalities or known.countries
    if question.nationalities and listed:
        same = not set(question.nationalities).isdisjoint(listed)
        ours, theirs = ", ".join(question.nationalities), ", ".join(listed[:5])
        words = f"The entry is of {theirs}, the person of {ours}"
        yield _weighed("nationality", f"nationality:{'same' if same else 'other'}", words)


def _births(question: Question, found_by: str) -> tuple[str, ...]:
    """The dates that the question gives; without one, those in its identifiers."""
    if question.date_of_birth:
        return (question.date_of_birth,)
    pairs = (("curp", question.curp), ("rfc", question.rfc))
    found = (identifiers.births(kind, value) for kind, value in pairs if value and kind != found_by)
    return next((days for days in found if days), ())


def _identifiers(question: Question, known: Known, found_by: str) -> Iterator[Evidence]:
    """The RFC and the CURP, except the one by which the entry was found."""
    for kind, value in (("rfc", question.rfc), ("curp", question.curp)):
        listed = [each for other, each in known.identifiers if other == kind]
        if not value or not listed or kind == found_by:
            continue
        if identifiers.are_same(kind, value, listed):
            yield _same_identifier(kind)
        else:
            yield _weighed(kind, "identifier:other", f"The entry has another {kind.upper()}")
            ours, theirs = (
                {
                    state
                    for each in values
                    if kind == "curp" and (state := identifiers.state_of_birth(each))
                }
                for values in ([value], listed)
            )
            if ours and theirs and ours.isdisjoint(theirs):
                words = (
                    f"The CURPs have different states of birth: {', '.join(sorted(ours | theirs))}"
                )
                yield _weighed("stateOfBirth", "state:other", words)


def _weighed(kind: str, outcome: str, words: str) -> Evidence:
    weight = WEIGHTS[outcome]
    effect = "neutral"
    if abs(weight) >= _TELLING:
        effect = "confirms" if weight > 0 else "contradicts"
    return Evidence(kind, effect, weight, f"{words}.")  # type: ignore[arg-type]


_BIRTH_WORDS = {
    "same_day": "The same day of birth",
    "same_year": "The same year of birth",
    "slip": "Dates of birth that differ as by a slip of the pen",
    "other_year": "Another year of birth",
}
