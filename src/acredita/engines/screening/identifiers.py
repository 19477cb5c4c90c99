"""Compare RFCs and CURPs: whole, or without the homoclave that distinguishes namesakes.

Lists often have them without the homoclave, and with dashes or blanks. Passports and other
identifiers are compared whole.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date

from acredita.domain.identifiers.formatting import GENDERS, date_in_century, sex_of
from acredita.engines.screening.entries import Gender
from acredita.engines.screening.hashing import text_hash

WHOLE, IN_PART = 1.0, 0.95
"""Scores of an entry with the same RFC or CURP, and with the same one without homoclave or the same
number of another document."""

# Shorter numbers of passports and other documents belong to many people.
_SHORTEST = 5

_NO_LETTER = re.compile(r"[^A-ZÑ&0-9]")
# The part before the homoclave, then the homoclave with the check digit.
_SHAPES = {
    "rfc": re.compile(r"([A-ZÑ&]{3,4}[0-9]{6})([A-Z0-9]{3})?"),
    "curp": re.compile(r"([A-Z]{4}[0-9]{6}[HMX][A-Z]{5})([A-Z0-9][0-9]?)?"),
}
# The same whole and with a possible date, so that no other country's number looks like it.
_DAY = "[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
_WHOLE = {
    "rfc": re.compile(f"[A-ZÑ&]{{3,4}}{_DAY}[A-Z0-9]{{2}}[0-9A]"),
    "curp": re.compile(f"[A-Z]{{4}}{_DAY}[HMX][A-Z]{{5}}[A-Z0-9][0-9]"),
}
_GENERAL = {"tax_id", "national_id"}


def plain(value: str) -> str:
    """Upper case, without blanks, dashes, dots."""
    return _NO_LETTER.sub("", value.upper())


def mexican_kind(kind: str, value: str) -> str:
    """`rfc` or `curp` for a tax or national number of that shape, otherwise `kind`.

    International lists call an RFC a tax number and a CURP a national one.
    """
    if kind not in _GENERAL:
        return kind
    text = plain(value)
    return next((known for known, shape in _WHOLE.items() if shape.fullmatch(text)), kind)


def listed_hashes(kind: str, value: str) -> Iterator[int]:
    """The hashes under which an entry's identifier is found; none without letter or digit."""
    text, kind = plain(value), kind.lower()
    if text:
        yield text_hash(f"{kind}:{text}")
    if (mexican := mexican_kind(kind, text)) != kind:
        yield from listed_hashes(mexican, text)
    if (shape := _SHAPES.get(kind)) and (found := shape.fullmatch(text)) and found[2]:
        yield text_hash(f"{kind} begins:{found[1]}")


def asked_hashes(kind: str, value: str) -> Iterator[tuple[int, float]]:
    """(hash, score) of the entries that have the identifier of a question, best first.

    Two different homoclaves mean two persons: only an identifier without one matches in part.
    """
    text = plain(value)
    if (mexican := mexican_kind(kind, text)) != kind:
        yield from asked_hashes(mexican, text)
    found = _SHAPES[kind].fullmatch(text) if kind in _SHAPES else None
    if found and found[2]:
        yield text_hash(f"{kind}:{text}"), WHOLE
        yield text_hash(f"{kind}:{found[1]}"), IN_PART
    elif found:
        yield text_hash(f"{kind}:{text}"), IN_PART
        yield text_hash(f"{kind} begins:{text}"), IN_PART
    elif text and kind in _SHAPES:
        yield text_hash(f"{kind}:{text}"), WHOLE
    elif len(text) >= _SHORTEST:
        # Countries number their documents independently.
        yield text_hash(f"{kind.lower()}:{text}"), IN_PART


def are_same(kind: str, value: str, listed: Iterable[str]) -> bool:
    """Whether one of the listed identifiers of the kind is the same, whole or in part."""
    theirs = {hashed for each in listed for hashed in listed_hashes(kind, each)}
    return any(hashed in theirs for hashed, _ in asked_hashes(kind, value))


def births(kind: str, value: str) -> tuple[str, ...]:
    """The ISO dates of birth that an RFC or CURP can mean: an RFC has no century.

    Empty for companies, other identifiers and values of another shape.
    """
    found = _SHAPES[kind].fullmatch(plain(value)) if kind in _SHAPES else None
    if not found or len(found[1]) < 10:
        return ()
    centuries = [1900, 2000]
    if kind == "curp" and found[2]:
        centuries = [1900 if found[2][0].isdecimal() else 2000]
    days = (date_in_century(found[1][4:10], century) for century in centuries)
    return tuple(day.isoformat() for day in days if day and day <= date.today())  # noqa: DTZ011


def gender(curp: str) -> Gender | None:
    """The gender that a CURP contains; None for X and values of another shape."""
    found = _SHAPES["curp"].fullmatch(plain(curp))
    sex = GENDERS.get(sex_of(found[1][10])) if found else None
    return "male" if sex == "male" else "female" if sex == "female" else None


def state_of_birth(curp: str) -> str | None:
    """The code of the state of birth that a CURP contains; None for values of another shape."""
    found = _SHAPES["curp"].fullmatch(plain(curp))
    return found[1][11:13] if found else None
