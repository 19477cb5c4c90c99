"""Judge the address of a voter card.

The street occurs only once on the card. So the reading itself must be certain: both readings of
each line agree, no letter is uncertain, and no accent or tilde may be lost. The postal code must
belong to the printed state; this detects a line that was read from another place.
"""

import re
from typing import Final

from acredita.domain.documents.findings import (
    Finding,
    Reason,
    Zone,
    decide,
    joined,
    may_lack_diacritic,
    missing,
    printed_address,
)
from acredita.domain.documents.misread_names import enye_form, unevenly_accented
from acredita.domain.documents.pages import PageReading
from acredita.domain.identifiers import states
from acredita.domain.identifiers.postal_codes import state_of_postal_code

_POSTAL_CODE: Final = re.compile(r"(?<!\d)\d{5}(?!\d)")


def judge_address(front: PageReading) -> Finding:
    """Return the address of up to three lines; it is missing if no line was read."""
    lines = printed_address(front)
    if not lines:
        return missing("address", Zone.FRONT)
    whole = joined(lines)
    against = []
    if not is_consistent([line.value for line in lines]):
        against.append(Reason.UNCONFIRMED)
    if enye_form(whole.value):
        against.append(Reason.POSSIBLE_ENYE)
    if unevenly_accented(whole.value):
        against.append(Reason.UNUSUAL_SPELLING)
    if any(map(may_lack_diacritic, lines)):
        against.append(Reason.LOW_CONFIDENCE)
    return decide("address", whole, against=tuple(against))


def is_consistent(lines: list[str]) -> bool:
    """Whether the address has one postal code, and ends in the state to which it belongs.

    An address abroad has neither.
    """
    codes = _POSTAL_CODE.findall(" ".join(lines[1:]))
    if len(lines) != 3 or len(codes) != 1:
        return False
    state = state_of_postal_code(codes[0])
    return state is not None and state == states.in_address(lines[-1].rpartition(",")[2])
