"""Compare names and birth dates of a document with those of a registry."""

import re
from datetime import date
from enum import Enum

from acredita.domain.names import PersonName, fold


class Likeness(Enum):
    SAME = "same"
    CLOSE = "close"  # A reviewer must compare them: a typing or reading error, or a missing part.
    DIFFERENT = "different"


# Registry offices write both forms. The rule of the CURP ignores all of them.
_ABBREVIATED_GIVEN_NAMES = {"MA": "MARIA", "J": "JOSE"}


def of_names(mine: PersonName, theirs: PersonName) -> Likeness:
    """Return SAME for names that differ only in case, accents, Ñ, blanks and usual abbreviations;
    CLOSE if each word of the shorter name has a similar word in the other, in any order."""
    my_words, their_words = _words(mine), _words(theirs)
    my_text, their_text = "".join(my_words), "".join(their_words)
    if not (my_text and their_text):
        return Likeness.CLOSE  # In a script that cannot be compared.
    if my_text == their_text:
        return Likeness.SAME
    if within(my_text, their_text, 1 + min(len(my_text), len(their_text)) // 10):
        return Likeness.CLOSE
    shorter, longer = sorted((my_words, their_words), key=len)
    if len(shorter) > 1 and _all_have_their_like(shorter, longer):
        return Likeness.CLOSE
    return Likeness.DIFFERENT


def of_dates(mine: date, theirs: date) -> Likeness:
    """Return CLOSE if only the year, month or day differs, or if day and month are exchanged."""
    if mine == theirs:
        return Likeness.SAME
    differing = (mine.year != theirs.year) + (mine.month != theirs.month) + (mine.day != theirs.day)
    turned = (mine.year, mine.month, mine.day) == (theirs.year, theirs.day, theirs.month)
    return Likeness.CLOSE if differing == 1 or turned else Likeness.DIFFERENT


def _words(name: PersonName) -> list[str]:
    given = [_ABBREVIATED_GIVEN_NAMES.get(word, word) for word in _letters(name.given)]
    return _letters(name.surnames) + given


def _letters(text: str) -> list[str]:
    return re.findall("[A-Z]+", fold(text.replace(".", ". ")))


def _all_have_their_like(shorter: list[str], longer: list[str]) -> bool:
    left = list(longer)
    # Match equal words first, so that a similar word does not take the place of an equal one.
    unequal = []
    for word in shorter:
        if word in left:
            left.remove(word)
        else:
            unequal.append(word)
    for word in unequal:
        like = next((other for other in left if within(word, other, min(len(word) // 4, 2))), None)
        if like is None:
            return False
        left.remove(like)
    return True


def within(one: str, other: str, limit: int) -> bool:
    """Whether the edit distance (insert, delete, replace) is at most `limit` letters."""
    if abs(len(one) - len(other)) > limit:
        return False
    above = list(range(len(other) + 1))
    for i, mine in enumerate(one, 1):
        row = [i]
        for j, theirs in enumerate(other, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (mine != theirs)))
        if min(row) > limit:
            return False
        above = row
    return above[-1] <= limit
