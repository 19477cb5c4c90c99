"""What is known besides the name, held against an entry."""

from acredita.engines.screening.entries import Evidence, Question

EXACT_BIRTH = 0.05
_CONTRADICTED = 0.85
_NEARLY_ONE = 0.999

Known = tuple[str, list[str], list[str]]
"""An entry's id, dates of birth and countries."""


def weighed(score: float, question: Question, known: Known) -> tuple[float, tuple[Evidence, ...]]:
    """The score with the date of birth counted in. Lists often know a year alone, and a wrong
    one: a contradiction lowers a score, it never rules a person out."""
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
    """Whether the shorter is the beginning of the longer: 1970 and 1970-05-03."""
    return one.startswith(other) or other.startswith(one)
