"""Compare the date of birth of a question with an entry."""

from acredita.engines.screening.entries import Evidence, Question

EXACT_BIRTH = 0.05
_CONTRADICTED = 0.85
_NEARLY_ONE = 0.999

Known = tuple[str, list[str], list[str]]
"""(id, dates of birth, countries) of an entry."""


def adjusted_score(
    score: float, question: Question, known: Known
) -> tuple[float, tuple[Evidence, ...]]:
    """Adjust a score (0-1) by the date of birth. Return it with the evidence.

    Lists often have only a year, and sometimes a wrong one. A contradiction therefore lowers the
    score but never excludes a person.
    """
    if not question.date_of_birth or not known[1]:
        return score, ()
    birth = question.date_of_birth
    if len(birth) == 10 and birth in known[1]:
        lifted = min(score + EXACT_BIRTH, max(score, _NEARLY_ONE))
        return lifted, (Evidence("dateOfBirth", "confirms"),)
    if any(_agree(birth, listed) for listed in known[1]):
        return score, (Evidence("dateOfBirth", "neutral"),)
    if any(birth[:4] == listed[:4] for listed in known[1]):
        return score, (Evidence("dateOfBirth", "neutral"),)
    return score * _CONTRADICTED, (Evidence("dateOfBirth", "contradicts"),)


def _agree(one: str, other: str) -> bool:
    """Whether one date is a prefix of the other: 1970 and 1970-05-03."""
    return one.startswith(other) or other.startswith(one)
