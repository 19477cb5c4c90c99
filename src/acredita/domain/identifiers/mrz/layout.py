"""The positions of the fields of a machine readable zone, and what each check digit covers.

Source: ICAO Doc 9303, parts 4 (TD3), 5 (TD1), 6 (TD2) and 7 (visas). The layout of the INE's
optional data comes from its specimen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

FILLER = "<"


class MrzFormat(StrEnum):
    TD1 = "TD1"  # cards: 3 lines of 30
    TD2 = "TD2"  # larger cards: 2 lines of 36
    TD3 = "TD3"  # passports: 2 lines of 44
    MRV_A = "MRV-A"  # visas: 2 lines of 44, without a composite digit
    MRV_B = "MRV-B"  # visas: 2 lines of 36, without a composite digit


@dataclass(frozen=True, slots=True)
class Span:
    """The characters of line `line` from `start` to `end` (exclusive). All indexes start at 0."""

    line: int
    start: int
    end: int

    def text_in(self, lines: Sequence[str]) -> str:
        """Return these characters of the zone's lines."""
        return lines[self.line][self.start : self.end]


@dataclass(frozen=True, slots=True)
class Check:
    """A check digit at `digit`, computed over the concatenated characters of `covers`."""

    field: str
    covers: tuple[Span, ...]
    digit: Span

    def covered(self, lines: Sequence[str]) -> str:
        return "".join(span.text_in(lines) for span in self.covers)

    def holds(self, lines: Sequence[str]) -> bool:
        printed, covered = self.digit.text_in(lines), self.covered(lines)
        if self.field == "optional" and printed == FILLER:
            return not covered.strip(FILLER)  # an empty optional field may omit its digit
        return printed == check_digit(covered)


@dataclass(frozen=True, slots=True)
class Layout:
    """A format's width, fields and check digits, and for each line a mask of allowed characters.

    Mask letters: A letter or filler, D digit or filler, S the letter for sex, X letter, digit or
    filler, < filler. A lower-case letter allows only that letter.
    """

    format: MrzFormat
    width: int
    masks: tuple[str, ...]
    fields: Mapping[str, Span]
    checks: tuple[Check, ...]


def check_digit(text: str) -> str:
    """Return the ICAO 9303 check digit: weights 7, 3, 1; A is 10 … Z is 35, filler 0.

    Raise ValueError for other characters.
    """
    return str(sum(_value(char) * (7, 3, 1)[i % 3] for i, char in enumerate(text)) % 10)


def _value(char: str) -> int:
    return _VALUES.index(char) if char != FILLER else 0


_VALUES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _own_checks(document: Span, birth: Span, expiry: Span) -> tuple[Check, ...]:
    """Return the checks of the fields whose digit follows directly."""
    return tuple(
        Check(field, (span,), Span(span.line, span.end, span.end + 1))
        for field, span in (("document_number", document), ("birth", birth), ("expiry", expiry))
    )


def _two_lines(format_: MrzFormat, width: int, checks: tuple[Check, ...], rest: str) -> Layout:
    """Return a format of two lines. These differ only in their width and after the expiry."""
    document, birth, expiry = Span(1, 0, 9), Span(1, 13, 19), Span(1, 21, 27)
    return Layout(
        format_,
        width,
        ("A" * width, "X" * 9 + "DAAA" + "D" * 7 + "S" + "D" * 7 + rest),
        {
            "document_code": Span(0, 0, 2),
            "issuer": Span(0, 2, 5),
            "names": Span(0, 5, width),
            "document_number": document,
            "nationality": Span(1, 10, 13),
            "birth": birth,
            "sex": Span(1, 20, 21),
            "expiry": expiry,
            "optional": Span(1, 28, 28 + rest.count("X")),
        },
        _own_checks(document, birth, expiry) + checks,
    )


_TD1_FIELDS = {
    "document_code": Span(0, 0, 2),
    "issuer": Span(0, 2, 5),
    "document_number": Span(0, 5, 14),
    "optional": Span(0, 15, 30),
    "birth": Span(1, 0, 6),
    "sex": Span(1, 7, 8),
    "expiry": Span(1, 8, 14),
    "nationality": Span(1, 15, 18),
    "optional2": Span(1, 18, 29),
    "names": Span(2, 0, 30),
}
_TD1_CHECKS = (
    *_own_checks(_TD1_FIELDS["document_number"], _TD1_FIELDS["birth"], _TD1_FIELDS["expiry"]),
    Check(
        "composite",
        (Span(0, 5, 30), Span(1, 0, 7), Span(1, 8, 15), Span(1, 18, 29)),
        Span(1, 29, 30),
    ),
)
_TD1_DATES = "D" * 7 + "S" + "D" * 7
TD1 = Layout(
    MrzFormat.TD1,
    30,
    ("A" * 5 + "X" * 9 + "D" + "X" * 15, _TD1_DATES + "AAA" + "X" * 11 + "D", "A" * 30),
    _TD1_FIELDS,
    _TD1_CHECKS,
)
INE = Layout(
    MrzFormat.TD1,
    30,
    ("idmex" + "D" * 10 + "<<" + "D" * 13, _TD1_DATES + "mex<DD<<DDDDD<D", "A" * 30),
    _TD1_FIELDS,
    _TD1_CHECKS,
)
_COVERED_BY_COMPOSITE = (Span(1, 0, 10), Span(1, 13, 20))
TD2 = _two_lines(
    MrzFormat.TD2,
    36,
    (Check("composite", (*_COVERED_BY_COMPOSITE, Span(1, 21, 35)), Span(1, 35, 36)),),
    "X" * 7 + "D",
)
TD3 = _two_lines(
    MrzFormat.TD3,
    44,
    (
        Check("optional", (Span(1, 28, 42),), Span(1, 42, 43)),
        Check("composite", (*_COVERED_BY_COMPOSITE, Span(1, 21, 43)), Span(1, 43, 44)),
    ),
    "X" * 14 + "DD",
)
MRV_A = _two_lines(MrzFormat.MRV_A, 44, (), "X" * 16)
MRV_B = _two_lines(MrzFormat.MRV_B, 36, (), "X" * 8)


def layout_of(lines: Sequence[str]) -> Layout | None:
    """Return the layout for the number of lines, their width and the first letters."""
    if not lines or any(len(line) != len(lines[0]) for line in lines):
        return None
    shape = (len(lines), len(lines[0]))
    if shape == (3, 30):
        return INE if lines[0].startswith("IDMEX") else TD1
    visa = lines[0].startswith("V")
    return {(2, 36): MRV_B if visa else TD2, (2, 44): MRV_A if visa else TD3}.get(shape)
