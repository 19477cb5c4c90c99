"""Finding a machine readable zone among lines that OCR gave, and repairing what it confused.

Three kinds of knowledge repair a character, in this order: the field's kind (no letters in a date),
the length of the line (only runs of filler are stretched or cut), and check digits (of two
look-alikes the one that passes). A repair by check digit is taken only when it alone passes among
those with as few changes; where two pass, the field is named AMBIGUOUS and stays as it was read.

Check digits cannot tell G from 6, L from 1 or S from 8: each pair has the same value modulo 10.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from itertools import combinations, product
from string import ascii_uppercase, digits

from acredita.domain.identifiers.mrz.layout import (
    FILLER,
    INE,
    MRV_A,
    MRV_B,
    TD1,
    TD2,
    TD3,
    Check,
    Layout,
    MrzFormat,
)
from acredita.domain.identifiers.mrz.parsing import Mrz, holds, parse
from acredita.domain.identifiers.problems import Fault, FaultCode, Reading
from acredita.domain.names import fold

# Mexican passports number their books with a letter or digit and eight digits.
_MEXICAN_TD3 = replace(TD3, masks=(TD3.masks[0], "XDDDDDDDD" + TD3.masks[1][9:]))
_LAYOUTS = (INE, TD1, _MEXICAN_TD3, TD3, TD2, MRV_A, MRV_B)
_BEGINNINGS = {
    MrzFormat.TD1: "[ACI]",
    MrzFormat.TD2: "[ACI]",
    MrzFormat.TD3: "P",
    MrzFormat.MRV_A: "V",
    MrzFormat.MRV_B: "V",
}

# What a character may have been, by the mask of its place; the likeliest first.
_AS_DIGIT = {"O": "0", "Q": "0", "D": "0", "U": "0", "I": "1", "L": "1", "Z": "27", "A": "4"}
_AS_DIGIT |= {"S": "5", "G": "6", "T": "71", "B": "83"}
_AS_LETTER = {"0": "O", "1": "I", "2": "Z", "4": "A", "5": "S", "6": "G", "7": "T", "8": "B"}
_AS_EITHER = {"0": "0O", "O": "O0", "Q": "Q0", "D": "D0", "1": "1I", "I": "I1", "5": "5S"}
_AS_EITHER |= {"S": "S5", "8": "8B", "B": "B8", "2": "2Z", "Z": "Z2"}
_AS_FILLER = dict.fromkeys("KCXEL", FILLER)
_READINGS = {"D": _AS_DIGIT, "A": _AS_LETTER, "X": _AS_EITHER, "<": _AS_FILLER, "S": {}}
_READINGS |= {"i": {"1": "I", "L": "I"}, "d": {"0": "D", "O": "D", "Q": "D"}, "m": {"N": "M"}}
_READINGS |= {"e": {"F": "E"}, "x": {"K": "X"}}
_FITTING = {"D": digits, "A": ascii_uppercase + "<", "X": ascii_uppercase + digits + "<"}
_FITTING |= {"<": "<", "S": "HMFX<"}
_FITTING |= {letter: letter.upper() for letter in "idmex"}

_CODES = ("issuer", "nationality")

# Signs that OCR gives for "<", and the letters it gives inside a long run of it.
_FILLER_SIGNS = {
    "«": "<<",
    "《": "<<",
    "‹": "<",
    "〈": "<",
    "く": "<",
    "≤": "<",
    "(": "<",
    "[": "<",
}
_NOISY_PADDING = re.compile("(.*?[^<]<<+[^<].*?)(<<[<KCESLX]*)")

_MOST_REPAIRS = 2  # with three changes some combination nearly always passes by chance
_LONGEST_RAW = 200  # with the blanks that OCR puts between letters
_LONGEST_LINE = 60
_MOST_LINES = 200
_PLACEMENTS_A_LINE = 4
_MOST_LENGTH_CHANGE = 12
_MOST_SMALL = 1 / 4
_MOST_BENT = 1 / 6  # of a line's width, in the costs below

# What is bent makes a reading worse, so that what passes as it was read wins.
_COST_OF_FILLER = 0.1  # put in or left out
_COST_OF_FIELD_REPAIR = 0.25
_COST_OF_MISFIT = 1.0  # a character that cannot stand there and looks like none that can
_COST_OF_GUESS = 2.0  # a repair that only a check digit supports: one in ten passes by chance
_COST_OF_ERROR = 2.0  # no more, or a reading bent until it passes would win over a true one
_COST_OF_DISORDER = 1.0
_AS_GOOD = 0.25  # readings no further apart than this are rivals


class RepairReason(StrEnum):
    FIELD = "FIELD"  # the character cannot stand in that field
    LENGTH = "LENGTH"  # the line was too short or too long
    CHECK_DIGIT = "CHECK_DIGIT"  # the look-alike passes its check digit


@dataclass(frozen=True, slots=True)
class Repair:
    """What was read at a position of a line of the result, and what was taken instead."""

    line: int
    position: int
    read: str
    taken: str
    reason: RepairReason


@dataclass(frozen=True, slots=True)
class MrzReading(Reading[Mrz]):
    """A zone found among OCR lines; every repaired character is worth less confidence."""

    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True, slots=True)
class _Placement:
    """A raw line fitted to one line of a layout; `cost` grows with what had to be bent."""

    source: int
    fitted: str  # the raw line at the right length
    text: str  # the same with every character taken as its field asks
    options: tuple[str, ...]  # per position the readings possible there, the likeliest first
    repairs: tuple[Repair, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class _Attempt:
    cost: float
    reading: MrzReading


def read(raw_lines: Sequence[str]) -> MrzReading:
    """Find, clean, fit and repair a zone among OCR lines in any order, captions among them."""
    cleaned = [_clean(line) for line in raw_lines[:_MOST_LINES] if not _is_prose(line)]
    lines = [line for line in cleaned if 8 <= len(line) <= _LONGEST_LINE]
    attempts = [attempt for layout in _LAYOUTS for attempt in _attempts(layout, lines)]
    if not attempts:
        message = "No machine readable zone was found."
        return MrzReading(None, (Fault(FaultCode.MISSING, "lines", message),))
    best = min(attempts, key=lambda attempt: attempt.cost)
    rivals = [attempt.reading for attempt in attempts if attempt.cost <= best.cost + _AS_GOOD]
    return _with_rivals_named(best.reading, rivals)


def _with_rivals_named(best: MrzReading, rivals: Sequence[MrzReading]) -> MrzReading:
    """Name each field in which another way to take the lines is as good and says something else."""
    unsure = {
        field.name
        for rival in rivals
        for field in fields(Mrz)
        if field.name != "lines"
        and getattr(rival.value, field.name) != getattr(best.value, field.name)
    }
    message = "Two ways to read the lines are equally good."
    named = (Fault(FaultCode.AMBIGUOUS, field, message) for field in sorted(unsure))
    return replace(best, faults=(*best.faults, *named))


def _is_prose(line: str) -> bool:
    """Small letters: a zone has none, though OCR may take a few of its letters for small ones."""
    return sum(char.islower() for char in line[:_LONGEST_RAW]) > len(line) * _MOST_SMALL


def _clean(line: str) -> str:
    line = line[:_LONGEST_RAW]
    for sign, fillers in _FILLER_SIGNS.items():
        line = line.replace(sign, fillers)
    return re.sub("[^A-Z0-9<]", "", fold(unicodedata.normalize("NFKC", line)))


def _attempts(layout: Layout, lines: Sequence[str]) -> Iterator[_Attempt]:
    """Every way to take the lines for that layout."""
    roles = [list(_placements(layout, role, lines)) for role in range(len(layout.masks))]
    for chosen in product(*roles):
        sources = [placement.source for placement in chosen]
        if len(set(sources)) < len(sources):
            continue
        reading = _repaired(layout, chosen)
        guesses = sum(repair.reason is RepairReason.CHECK_DIGIT for repair in reading.repairs)
        cost = sum(placement.cost for placement in chosen) + guesses * _COST_OF_GUESS
        cost += len(reading.errors) * _COST_OF_ERROR
        cost += 0 if sources == sorted(sources) else _COST_OF_DISORDER
        yield _Attempt(cost, reading)


def _placements(layout: Layout, role: int, lines: Sequence[str]) -> list[_Placement]:
    """The few best fits of any line to the layout's line `role`."""
    found = [
        placement
        for source, line in enumerate(lines)
        for fitted in _fits(layout, role, line)
        if (placement := _place(layout, role, source, line, fitted)) is not None
        and _begins_rightly(layout, role, placement.text)
    ]
    return sorted(found, key=lambda placement: placement.cost)[:_PLACEMENTS_A_LINE]


def _begins_rightly(layout: Layout, role: int, text: str) -> bool:
    if role > 0:
        return True
    if layout is INE:
        return text.startswith("IDMEX")
    if layout is _MEXICAN_TD3 and text[2:5] != "MEX":
        return False
    return re.match(_BEGINNINGS[layout.format], text) is not None


def _fits(layout: Layout, role: int, line: str) -> Iterator[str]:
    """The line at the layout's width, changed in one run of filler; longer ones also cut."""
    names, width = layout.fields["names"], layout.width
    if role == names.line:
        if FILLER in line:
            yield _fitted_names(line, names.start, width)
        return
    surplus = len(line) - width
    if abs(surplus) > _MOST_LENGTH_CHANGE:
        return
    if surplus == 0:
        yield line
        return
    for run in re.finditer("<+", line):
        if len(run[0]) > surplus:
            length = len(run[0]) - surplus
            yield line[: run.start()] + FILLER * length + line[run.end() :]
    if surplus > 0:
        yield line[:width]
        yield line[-width:]


def _fitted_names(line: str, start: int, width: int) -> str:
    """Names end at the second double filler: what follows is padding, whatever was read there."""
    head, names = line[:start], line[start:]
    if padded := _NOISY_PADDING.fullmatch(names):
        names = padded[1]
    return (head + names.rstrip(FILLER))[:width].ljust(width, FILLER)


def _place(layout: Layout, role: int, source: int, line: str, fitted: str) -> _Placement | None:
    """Take every character of a fitted line for what may stand in its place.

    Return None as soon as the line costs more than a line of the layout may.
    """
    mask, printed = layout.masks[role], _printed_so(layout, role, fitted)
    options, repairs = [], list(_length_repairs(role, line, fitted, mask))
    letters_cut = len(line.replace(FILLER, "")) - len(fitted.replace(FILLER, ""))
    # After names it is noise in the padding that was cut.
    cost = letters_cut * (_COST_OF_FIELD_REPAIR if _is_names(mask) else _COST_OF_MISFIT)
    cost += abs(len(line) - len(fitted)) * _COST_OF_FILLER
    highest_cost = layout.width * _MOST_BENT
    for position, (char, kind) in enumerate(zip(fitted, mask, strict=True)):
        possible = char if position in printed else _READINGS[kind].get(char, char)
        options.append(possible)
        if possible[0] != char:
            cost += _COST_OF_FIELD_REPAIR
            repairs.append(Repair(role, position, char, possible[0], RepairReason.FIELD))
        elif char not in _FITTING[kind]:
            cost += _COST_OF_MISFIT
        if cost > highest_cost:
            return None
    text = "".join(possible[0] for possible in options)
    return _Placement(source, fitted, text, tuple(options), tuple(repairs), cost)


def _printed_so(layout: Layout, role: int, fitted: str) -> set[int]:
    """Where a code of letters holds a digit that resembles none, its other digits were not misread
    either: the document has digits there, and is to be read as it is.
    """
    return {
        position
        for field in _CODES
        if (span := layout.fields[field]).line == role
        and any(char.isdigit() and char not in _AS_LETTER for char in fitted[span.start : span.end])
        for position in range(span.start, span.end)
    }


def _length_repairs(role: int, line: str, fitted: str, mask: str) -> Iterator[Repair]:
    """What was cut or filled in; the padding after names says nothing, so it is no repair."""
    change = len(fitted) - len(line)
    if change == 0 or _is_names(mask):
        return
    pairs = enumerate(zip(line, fitted, strict=False))
    position = next((i for i, (old, new) in pairs if old != new), min(len(line), len(fitted)) - 1)
    cut, filled = FILLER * -change, FILLER * change
    yield Repair(role, position, cut, filled, RepairReason.LENGTH)


def _is_names(mask: str) -> bool:
    return set(mask) == {"A"}


_Changes = dict[tuple[int, int], str]  # (line, position): the character to take


def _repaired(layout: Layout, chosen: Sequence[_Placement]) -> MrzReading:
    """Settle look-alikes by check digits, then parse."""
    lines = [placement.text for placement in chosen]
    repairs = [repair for placement in chosen for repair in placement.repairs]
    ambiguous = []
    settled: set[tuple[int, int]] = set()
    all_hold = True
    for check in layout.checks:
        places = _places(check) - settled
        # A composite over a field that is wrong itself can tell nothing of the others.
        if not holds(layout, check, lines) and (all_hold or check.field != "composite"):
            passing = _passing_changes(check, lines, chosen, sorted(places))
            if len(passing) > 1:
                message = "Two readings of look-alike characters pass the check digit."
                ambiguous.append(Fault(FaultCode.AMBIGUOUS, check.field, message))
            elif passing:
                lines = _changed(lines, passing[0])
                repairs = _with_changes(repairs, passing[0], chosen)
        all_hold = all_hold and holds(layout, check, lines)
        settled |= places
    reading = parse(lines)
    return MrzReading(reading.value, (*reading.faults, *ambiguous), tuple(repairs))


def _places(check: Check) -> set[tuple[int, int]]:
    spans = (*check.covers, check.digit)
    return {(span.line, position) for span in spans for position in range(span.start, span.end)}


def _passing_changes(
    check: Check,
    lines: Sequence[str],
    chosen: Sequence[_Placement],
    places: Sequence[tuple[int, int]],
) -> list[_Changes]:
    """The smallest sets of look-alikes that make the check digit right."""
    others = {(line, at): chosen[line].options[at][1:] for line, at in places}
    doubtful = [place for place in places if others[place]]
    for count in range(1, _MOST_REPAIRS + 1):
        passing = [
            changes
            for where in combinations(doubtful, count)
            for taken in product(*(others[place] for place in where))
            if check.holds(_changed(lines, changes := dict(zip(where, taken, strict=True))))
        ]
        if passing:
            return passing
    return []


def _changed(lines: Sequence[str], changes: _Changes) -> list[str]:
    return [
        "".join(changes.get((number, at), char) for at, char in enumerate(line))
        for number, line in enumerate(lines)
    ]


def _with_changes(
    repairs: Sequence[Repair], changes: _Changes, chosen: Sequence[_Placement]
) -> list[Repair]:
    kept = [repair for repair in repairs if (repair.line, repair.position) not in changes]
    return kept + [
        Repair(line, at, chosen[line].fitted[at], char, RepairReason.CHECK_DIGIT)
        for (line, at), char in changes.items()
    ]
