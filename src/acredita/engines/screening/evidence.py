"""Compare what a question and an entry know besides the name: date of birth, RFC, CURP."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from acredita.engines.screening import identifiers
from acredita.engines.screening.entries import Entry, Evidence, Question

EXACT_BIRTH = 0.05
_CONTRADICTED = 0.85
_NEARLY_ONE = 0.999
# The identifiers of an entry that the index keeps to compare; the others are only looked up.
COMPARED = ("rfc", "curp")

Effect = Literal["confirms", "contradicts", "neutral"]


@dataclass(frozen=True, slots=True)
class Known:
    """What the index knows about an entry. `identifiers`: (kind, value) of COMPARED kinds."""

    id: str
    births: list[str]
    countries: list[str]
    identifiers: list[tuple[str, str]]


def stored(entry: Entry) -> list[object]:
    """The fields of `Known`, as the index stores them.

    An entry without a date of birth has the dates that its identifiers contain.
    """
    kept = [pair for pair in entry.identifiers if pair[0] in COMPARED]
    births = list(entry.dates_of_birth)
    if not births and entry.entity_type == "person":
        births = [day for kind, value in kept for day in identifiers.births(kind, value)]
    return [entry.id, list(dict.fromkeys(births)), list(entry.countries), kept]


def asks_for_more(question: Question) -> bool:
    """Whether evidence can raise a score."""
    return bool(question.date_of_birth or question.rfc or question.curp)


def adjusted_score(
    score: float, question: Question, known: Known, threshold: float
) -> tuple[float, tuple[Evidence, ...]]:
    """Adjust a name's score (0-1) by the evidence. Return it with the evidence.

    The same day of birth raises the score. Lists often have only a year, and sometimes a wrong
    one. A contradiction therefore lowers the score, but never from the threshold or above to a
    score below it: it must not hide a match.
    """
    if not asks_for_more(question):
        return score, ()
    found = tuple(_compared(question, known))
    effects = {each.effect for each in found}
    if "confirms" in effects:
        score = min(score + EXACT_BIRTH, max(score, _NEARLY_ONE))
    if "contradicts" in effects:
        score = max(score * _CONTRADICTED, min(score, threshold))
    return score, found


def _compared(question: Question, known: Known) -> Iterator[Evidence]:
    if question.date_of_birth and known.births:
        yield Evidence("dateOfBirth", _birth(question.date_of_birth, known.births))
    for kind, value in (("rfc", question.rfc), ("curp", question.curp)):
        if not value:
            continue
        if any(kind == listed for listed, _ in known.identifiers):
            # The same identifier was found before.
            yield Evidence(kind, "contradicts")
        elif known.births and (days := identifiers.births(kind, value)):
            effects = [_birth(day, known.births) for day in days]
            yield Evidence(kind, min(effects, key=("confirms", "neutral", "contradicts").index))


def _birth(birth: str, listed: list[str]) -> Effect:
    """Compare ISO dates, months (1970-05) or years. The same year does not contradict."""
    if len(birth) == 10 and birth in listed:
        return "confirms"
    return "neutral" if any(birth[:4] == day[:4] for day in listed) else "contradicts"
