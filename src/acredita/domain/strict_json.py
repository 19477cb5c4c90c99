"""Parses JSON more strictly than the standard library.

Rejects NaN and infinities, integers beyond 64 bits, numbers beyond a double, NUL and lone
surrogates (PostgreSQL stores neither), duplicate keys, nesting deeper than 64, too many bytes, and
more members than any body of the API has (each costs many times its bytes). Otherwise each of them
would cause a 500 later, or be stored as something else.
"""

import json
import math
import re
from typing import Any

from acredita.domain.errors import ValidationFailed

DEEPEST = 64
MOST_MEMBERS = 200_000
LARGEST_INTEGER = 2**63
LONGEST_NUMBER = 40
# A string. An unterminated one matches to the end of the text, so that no part is scanned twice.
STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
BRACKET = re.compile(r"[\[{\]}]")
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class _Refused(ValueError):
    pass


def parse(body: bytes) -> Any:
    """Return the value of a JSON body. Raise ValidationFailed."""
    try:
        text = body.decode()
        _check_depth(text)
        value = _DECODER.decode(text)
        if "\\u" in text:
            _check_texts(value)
    except _Refused as fault:
        raise ValidationFailed(details=[f"body: {fault}"]) from None
    except UnicodeDecodeError:
        raise ValidationFailed(details=["body: is not UTF-8"]) from None
    except (json.JSONDecodeError, RecursionError):
        raise ValidationFailed(details=["body: is not valid JSON"]) from None
    return value


def _check_depth(text: str) -> None:
    if text.count("{") + text.count("[") <= DEEPEST and text.count(",") <= MOST_MEMBERS:
        return
    outside = STRING.sub("", text)
    if outside.count(",") > MOST_MEMBERS:
        raise _Refused(f"has more than {MOST_MEMBERS} members")
    depth = 0
    for bracket in BRACKET.finditer(outside):
        if bracket.group() in "{[":
            depth += 1
            if depth > DEEPEST:
                raise _Refused(f"is nested deeper than {DEEPEST}")
        else:
            depth -= 1


def _refuse_constant(name: str) -> None:
    raise _Refused(f"{name} is not a JSON number")


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER or not -LARGEST_INTEGER <= int(digits) < LARGEST_INTEGER:
        raise _Refused("holds an integer beyond 64 bits")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise _Refused("holds a number beyond the range of a double")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Refused("an object names a key twice")
    return members


# Made once: to make one takes longer than to parse a small body.
_DECODER = json.JSONDecoder(
    parse_constant=_refuse_constant,
    parse_int=_integer,
    parse_float=_float,
    object_pairs_hook=_object,
)


def _check_texts(value: Any) -> None:
    """Reject NUL and lone surrogates that escapes write; the decoders reject raw ones."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            if (found := UNSTORABLE.search(item)) is not None:
                what = "a NUL character" if found.group() == "\x00" else "half of a surrogate pair"
                raise _Refused(f"holds {what}")
        elif isinstance(item, dict):
            pending.extend(item)
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
