"""Mexican postal codes: five digits, of which the first two belong to one state.

Source: Correos de México, catalogue of postal codes (SEPOMEX).
"""

from typing import Final

from acredita.domain.identifiers.states import BY_CODE, State

_FIRST_OF_STATE: Final = (
    (1, "DF"),
    (20, "AS"),
    (21, "BC"),
    (23, "BS"),
    (24, "CC"),
    (25, "CL"),
    (28, "CM"),
    (29, "CS"),
    (31, "CH"),
    (34, "DG"),
    (36, "GT"),
    (39, "GR"),
    (42, "HG"),
    (44, "JC"),
    (50, "MC"),
    (58, "MN"),
    (62, "MS"),
    (63, "NT"),
    (64, "NL"),
    (68, "OC"),
    (72, "PL"),
    (76, "QT"),
    (77, "QR"),
    (78, "SP"),
    (80, "SL"),
    (83, "SR"),
    (86, "TC"),
    (87, "TS"),
    (90, "TL"),
    (91, "VZ"),
    (97, "YN"),
    (98, "ZS"),
)
"""The lowest first two digits of each state; they go up to those of the next one."""
_UNUSED: Final = range(17, 20)


def state_of_postal_code(code: str) -> State | None:
    """Return the state of a code of five digits; None if no code begins so."""
    if len(code) != 5 or not (code.isascii() and code.isdigit()):
        return None
    start = int(code[:2])
    if start < 1 or start in _UNUSED:
        return None
    return BY_CODE[max((first, state) for first, state in _FIRST_OF_STATE if first <= start)[1]]
