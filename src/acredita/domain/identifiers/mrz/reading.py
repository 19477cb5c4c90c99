"""Find a machine readable zone among OCR lines, and repair characters that OCR confused.

Three rules repair a character, in this order: the type of the field (no letters in a date), the
length of the line (only runs of filler become longer or shorter), and the check digits (of two
look-alikes, the one that passes). A repair by check digit applies only if no other repair with as
few changes passes. If two pass, the field gets the fault AMBIGUOUS and does not change.

Check digits cannot distinguish G from 6, L from 1 or S from 8: each pair has the same value modulo
10.
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

# The number of a Mexican passport is a letter or digit and eight digits.
_MEXICAN_TD3 = replace(TD3, masks=(TD3.masks[0], "XDDDDDDDD" + TD3.masks[1][9:]))
_LAYOUTS = (INE, TD1, _MEXICAN_TD3, TD3, TD2, MRV_A, MRV_B)
_BEGINNINGS = {
    MrzFormat.TD1: "[ACI]",
    MrzFormat.TD2: "[ACI]",
    MrzFormat.TD3: "P",
    MrzFormat.MRV_A: "V",
    MrzFormat.MRV_B: "V",
}

# The characters that OCR may have confused, by the mask letter; the most likely one first.
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

# Signs that OCR returns for "<", and the letters that it returns inside a long run of "<".
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

# Each change of a line costs, so that a line that passes unchanged wins.
_COST_OF_FILLER = 0.1  # inserted or removed
_COST_OF_FIELD_REPAIR = 0.25
_COST_OF_MISFIT = 1.0  # a character that the field does not allow and that resembles none it allows
_COST_OF_GUESS = 2.0  # a repair that only a check digit supports: one in ten passes by chance
_COST_OF_ERROR = 2.0  # with more, a reading changed until it passes would win over a true one
_COST_OF_DISORDER = 1.0
_AS_GOOD = 0.25  # two readings whose costs differ by less are rivals


class RepairReason(StrEnum):
    FIELD = "FIELD"  # the field does not allow the character
    LENGTH = "LENGTH"  # the line was too short or too long
    CHECK_DIGIT = "CHECK_DIGIT"  # the look-alike passes its check digit


@dataclass(frozen=True, slots=True)
class Repair:
    """The character or fillers read at a position of a line of the result, and the replacement."""

    line: int
    position: int
    read: str
    taken: str
    reason: RepairReason


@dataclass(frozen=True, slots=True)
class MrzReading(Reading[Mrz]):
    """A zone found among OCR lines. Repaired characters deserve less confidence."""

    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True, slots=True)
class _Placement:
    """A raw line fitted to one line of a layout; `cost` grows with the changes."""

    source: int
    fitted: str  # the raw line at the right length
    text: str  # the same, with every character converted to one that its field allows
    options: tuple[str, ...]  # for each position the possible characters, the most likely one first
    repairs: tuple[Repair, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class _Attempt:
    cost: float
    reading: MrzReading


def read(raw_lines: Sequence[str]) -> MrzReading:
    """Find, clean, fit and repair a zone among OCR lines.

    The lines may be in any order and include captions. Without a zone the value is None, with a
    fault.
    """
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
    """Add a fault for each field that has another value in an equally good reading."""
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
    """Return whether a line has too many lower-case letters for a zone. OCR returns a few."""
    return sum(char.islower() for char in line[:_LONGEST_RAW]) > len(line) * _MOST_SMALL


def _clean(line: str) -> str:
    line = line[:_LONGEST_RAW]
    for sign, fillers in _FILLER_SIGNS.items():
        line = line.replace(sign, fillers)
    return re.sub("[^A-Z0-9<]", "", fold(unicodedata.normalize("NFKC", line)))


def _attempts(layout: Layout, lines: Sequence[str]) -> Iterator[_Attempt]:
    """Yield every assignment of raw lines to the lines of the layout."""
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
    """Return the few best fits of any line to the layout's line `role`."""
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
    """Yield the line at the layout's width, changed in one run of filler or cut at one end."""
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
    """Return the line with clean padding, which starts at the second double filler of the names."""
    head, names = line[:start], line[start:]
    if padded := _NOISY_PADDING.fullmatch(names):
        names = padded[1]
    return (head + names.rstrip(FILLER))[:width].ljust(width, FILLER)


def _place(layout: Layout, role: int, source: int, line: str, fitted: str) -> _Placement | None:
    """Convert every character of a fitted line to one that its field allows.

    Return None if the line costs more than the limit.
    """
    mask, printed = layout.masks[role], _printed_so(layout, role, fitted)
    options, repairs = [], list(_length_repairs(role, line, fitted, mask))
    letters_cut = len(line.replace(FILLER, "")) - len(fitted.replace(FILLER, ""))
    # After names, the letters that were cut are noise in the padding.
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
    """Return the positions whose digits are really printed.

    If a code of letters has a digit that resembles no letter, its other digits are real too.
    """
    return {
        position
        for field in _CODES
        if (span := layout.fields[field]).line == role
        and any(char.isdigit() and char not in _AS_LETTER for char in fitted[span.start : span.end])
        for position in range(span.start, span.end)
    }


def _length_repairs(role: int, line: str, fitted: str, mask: str) -> Iterator[Repair]:
    """Yield the repair of the length. The padding after names has no content, so it needs none."""
    change = len(fitted) - len(line)
    if change == 0 or _is_names(mask):
        return
    pairs = enumerate(zip(line, fitted, strict=False))
    position = next((i for i, (old, new) in pairs if old != new), min(len(line), len(fitted)) - 1)
    cut, filled = FILLER * -change, FILLER * change
    yield Repair(role, position, cut, filled, RepairReason.LENGTH)


def _is_names(mask: str) -> bool:
    return set(mask) == {"A"}


_Changes = dict[tuple[int, int], str]  # (line, position): the new character


def _repaired(layout: Layout, chosen: Sequence[_Placement]) -> MrzReading:
    """Decide between look-alikes by check digits, then parse."""
    lines = [placement.text for placement in chosen]
    repairs = [repair for placement in chosen for repair in placement.repairs]
    ambiguous = []
    settled: set[tuple[int, int]] = set()
    all_hold = True
    for check in layout.checks:
        places = _places(check) - settled
        # If a field is wrong, a composite digit over it gives no information about other fields.
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
    """Return the smallest sets of replacements by look-alikes that make the check digit right."""
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
