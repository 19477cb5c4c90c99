"""JSON as JavaScript's JSON.stringify writes it (ECMA-262, JSON.stringify and Number::toString)."""

import json
import re
from decimal import Decimal
from typing import Any

# A property with such a name stands before all others of its object (OrdinaryOwnPropertyKeys).
ARRAY_INDEX = re.compile("0|[1-9][0-9]{0,9}")
LARGEST_ARRAY_INDEX = 2**32 - 2
# Up to here every integer is a double.
EXACT = 2**53
# Decimal exponents from which JavaScript writes d.ddde+x.
LONGEST_INTEGER, SMALLEST_FRACTION = 21, -6
SURROGATE = re.compile("[\ud800-\udfff]")


def stringify(value: Any) -> bytes:
    """The bytes b, in UTF-8, for which JSON.stringify(JSON.parse(b)) is b.

    Takes None, bool, int, float, str, lists and tuples of these, and dicts with keys of str.
    Numbers become doubles (1.0 is 1, 2**53 + 1 is 9007199254740992); one that no double holds is
    null. Keys that are array indexes ("0" to "4294967294") come first, in ascending order; the
    others keep their order. Half of a surrogate pair is escaped. Raise TypeError for other values.
    """
    return _text(value).encode()


def _text(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return _string(_paired(value))
        case int() | float():
            return _number(value)
        case list() | tuple():
            return f"[{','.join(map(_text, value))}]"
        case dict():
            # Pairing may make two keys one: the last value counts, as it does to JSON.parse.
            members = {_paired(key): item for key, item in value.items()}
            pairs = (f"{_string(key)}:{_text(members[key])}" for key in sorted(members, key=_place))
            return f"{{{','.join(pairs)}}}"
    raise TypeError(f"{type(value).__name__} is no JSON")


def _place(key: str) -> int:
    if ARRAY_INDEX.fullmatch(key) and int(key) <= LARGEST_ARRAY_INDEX:
        return int(key)
    return LARGEST_ARRAY_INDEX + 1


def _paired(text: str) -> str:
    """The text in which two halves of a surrogate pair that stand together are one character."""
    if SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _string(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return SURROGATE.sub(lambda half: f"\\u{ord(half.group()):04x}", quoted)


def _number(value: float) -> str:
    if isinstance(value, int) and -EXACT <= value <= EXACT:
        return str(value)
    try:
        # Python's repr has the same digits: the fewest that read back as this double.
        sign, digits, exponent = Decimal(repr(float(value))).normalize().as_tuple()
    except OverflowError:
        return "null"
    if not isinstance(exponent, int):
        # NaN or an infinity.
        return "null"
    written = _decimal("".join(map(str, digits)), exponent)
    return f"-{written}" if sign and value else written


def _decimal(digits: str, exponent: int) -> str:
    """The digits times ten to the exponent, as Number::toString lays them out."""
    point = len(digits) + exponent
    if exponent >= 0 and point <= LONGEST_INTEGER:
        return digits + "0" * exponent
    if 0 < point <= LONGEST_INTEGER:
        return f"{digits[:point]}.{digits[point:]}"
    if SMALLEST_FRACTION < point <= 0:
        return f"0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"
