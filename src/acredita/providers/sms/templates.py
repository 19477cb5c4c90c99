"""Fills the operator's templates for a generic gateway, safe against injection.

`{to}` is the number in E.164 form, `{digits}` the same without the plus, `{national}` without the
country code, `{text}` the message, `{key}` its idempotency key. The template of a body is parsed
first and each value is filled separately, so quotes and ampersands in a message stay text.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import orjson

from acredita.domain.phone_and_email import national_digits
from acredita.providers.sms.protocol import Sms

Values = Mapping[str, str]
Fill = Callable[[Values], bytes]

NAMES = frozenset({"to", "digits", "national", "text", "key"})
# A header must be ASCII, and the message's text is not.
NAMES_IN_HEADERS = NAMES - {"text"}
_PLACE = re.compile(r"\{(\w+)\}")
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+): *([\x20-\x7e]*)")


def values_of(sms: Sms, key: str) -> Values:
    return {
        "to": sms.to,
        "digits": sms.to.removeprefix("+"),
        "national": national_digits(sms.to),
        "text": sms.text,
        "key": key,
    }


def read_url(template: str) -> Callable[[Values], str]:
    """Raise ValueError for an unknown placeholder."""
    _check(template)
    return lambda values: _filled(template, {k: quote(v, safe="") for k, v in values.items()})


def read_json(template: str) -> Fill:
    """Raise ValueError unless the template is a JSON object or array."""
    try:
        whole = orjson.loads(template)
    except orjson.JSONDecodeError:
        whole = None
    if not isinstance(whole, dict | list):
        raise ValueError("the body of the SMS gateway is not JSON")  # noqa: TRY004 (of a setting)
    _check(template)
    return lambda values: orjson.dumps(_filled_within(whole, values))


def read_form(template: str) -> Fill:
    """Raise ValueError unless the template has the form `name=value&name=value`."""
    try:
        # Keep literal plus signs: only filled values are encoded.
        fields = parse_qsl(
            template.replace("+", "%2B"), keep_blank_values=True, strict_parsing=True
        )
    except ValueError:
        raise ValueError("the body of the SMS gateway is not a form") from None
    _check(template)
    return lambda values: urlencode([(n, _filled(v, values)) for n, v in fields]).encode()


def read_headers(template: str) -> Callable[[Values], dict[str, str]]:
    """Parse `Name: value | Name: value`. Raise ValueError for any other form."""
    headers = {}
    for line in template.split("|") if template else ():
        found = _HEADER.fullmatch(line.strip())
        if found is None:
            raise ValueError(
                "the SMS gateway's headers must have the form Name: value | Name: value"
            )
        headers[found[1]] = found[2].strip()
        _check(found[2], NAMES_IN_HEADERS)
    return lambda values: {name: _filled(value, values) for name, value in headers.items()}


def _check(template: str, names: frozenset[str] = NAMES) -> None:
    if unknown := set(_PLACE.findall(template)) - names:
        raise ValueError(f"the SMS gateway's template has unknown placeholders {sorted(unknown)}")


def _filled(template: str, values: Values) -> str:
    return _PLACE.sub(lambda place: values[place[1]], template)


def _filled_within(part: Any, values: Values) -> Any:
    match part:
        case str():
            return _filled(part, values)
        case dict():
            return {name: _filled_within(value, values) for name, value in part.items()}
        case list():
            return [_filled_within(value, values) for value in part]
        case _:
            return part
