"""Judge the address of a voter card.

The street occurs only once on the card. So the reading itself must be certain: both readings of
each line agree, no letter is uncertain, and no accent or tilde may be lost. The postal code must
belong to the printed state; this detects a line that was read from another place.

With a gazetteer, the municipality must also be that of the postal code. A neighbourhood and a
municipality that it lists under the code, with the same accents, need not be certain, unless one
misread character makes one listed place of another.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from acredita.domain.documents.findings import (
    Confirmation,
    Evidence,
    Finding,
    Reason,
    Zone,
    decide,
    joined,
    may_lack_diacritic,
    missing,
    printed_address,
)
from acredita.domain.documents.gazetteer import Gazetteer, plain, without_accents
from acredita.domain.documents.misread_names import enye_form, one_edit, unevenly_accented
from acredita.domain.documents.pages import PageReading
from acredita.domain.identifiers import states
from acredita.domain.identifiers.postal_codes import state_of_postal_code

_KINDS: Final = ("AMPL", "BARR", "BO", "COL", "EJIDO", "FRACC", "LOC", "PBLO", "RCHO", "U HAB")
"""The kinds of settlements, as cards abbreviate them before the name."""
_POSTAL_CODE: Final = re.compile(r"(?<!\d)\d{5}(?!\d)")


def judge_address(front: PageReading, gazetteer: Gazetteer | None = None) -> Finding:
    """Return the address of up to three lines; it is missing if no line was read.

    Its confidence is that of the lines that the gazetteer does not confirm.
    """
    lines = printed_address(front)
    if not lines:
        return missing("address", Zone.FRONT)
    whole = joined(lines)
    against = []
    if not is_consistent([line.value for line in lines], gazetteer):
        against.append(Reason.UNCONFIRMED)
    elif gazetteer is not None:
        least = Confirmation.RULE.least_confidence
        listed = _listed(lines[1:], gazetteer)
        in_doubt = [each for each in lines[1:] if each not in listed or each.confidence < least]
        whole = replace(whole, confidence=min(each.confidence for each in (lines[0], *in_doubt)))
    if enye_form(whole.value):
        against.append(Reason.POSSIBLE_ENYE)
    if unevenly_accented(whole.value):
        against.append(Reason.UNUSUAL_SPELLING)
    if any(map(may_lack_diacritic, lines)):
        against.append(Reason.LOW_CONFIDENCE)
    return decide("address", whole, against=tuple(against))


def is_consistent(lines: list[str], gazetteer: Gazetteer | None = None) -> bool:
    """Whether the address has one postal code, and ends in the state to which it belongs, and in
    the municipality if there is a gazetteer.

    An address abroad has neither.
    """
    codes = _POSTAL_CODE.findall(" ".join(lines[1:]))
    if len(lines) != 3 or len(codes) != 1:
        return False
    state = state_of_postal_code(codes[0])
    municipality, _, printed_state = lines[-1].rpartition(",")
    if state is None or state != states.in_address(printed_state):
        return False
    if gazetteer is None:
        return True
    area = gazetteer.areas.get(codes[0])
    read = without_accents([plain(_POSTAL_CODE.sub("", municipality))])
    return area is not None and bool(read & without_accents(area.municipalities))


def _listed(lines: Sequence[Evidence], gazetteer: Gazetteer) -> list[Evidence]:
    """Return the lines that the gazetteer confirms, of a consistent address without its street."""
    neighbourhood, municipality = lines
    (code,) = _POSTAL_CODE.findall(f"{neighbourhood.value} {municipality.value}")
    area = gazetteer.areas[code]
    named = plain(_POSTAL_CODE.sub("", neighbourhood.value))
    settlements = area.settlements & {named, *(named.removeprefix(plain(kind)) for kind in _KINDS)}
    name = plain(_POSTAL_CODE.sub("", municipality.value).rpartition(",")[0])
    found = []
    if settlements and not any(one_edit(each, area.settlements) for each in settlements):
        found.append(neighbourhood)
    if name in area.municipalities and not one_edit(name, area.municipalities):
        found.append(municipality)
    if _may_be_another_code(code, settlements, gazetteer):
        found = [line for line in found if code not in line.value]
    return found


def _may_be_another_code(code: str, settlements: frozenset[str], gazetteer: Gazetteer) -> bool:
    """Whether a code with one other digit has one of the settlements in the same municipality."""
    municipalities = gazetteer.areas[code].municipalities
    others = (
        gazetteer.areas.get(f"{code[:at]}{digit}{code[at + 1 :]}")
        for at in range(len(code))
        for digit in "0123456789"
        if digit != code[at]
    )
    return any(
        area is not None
        and bool(area.settlements & settlements)
        and bool(area.municipalities & municipalities)
        for area in others
    )
