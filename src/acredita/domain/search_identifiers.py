"""Identifiers of a person by which a verification is found and linked, each in its one form."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from acredita.domain.phone_and_email import LONGEST_DESTINATION, MEXICO, phone_number

_CURP = re.compile(r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d")
_RFC = re.compile(r"[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_BETWEEN = re.compile(r"[\s-]+")
LONGEST = LONGEST_DESTINATION


class IdentifierKind(StrEnum):
    CURP = "CURP"
    RFC = "RFC"
    PHONE = "PHONE"
    EMAIL = "EMAIL"


# Names of the fields of evidence and of the keys of metadata.
KINDS = {
    "curp": IdentifierKind.CURP,
    "rfc": IdentifierKind.RFC,
    "phone": IdentifierKind.PHONE,
    "email": IdentifierKind.EMAIL,
}


def identifiers_in(text: str) -> Iterator[tuple[IdentifierKind, str]]:
    """Yield each identifier that the text can be, in its one form: a search states no kind."""
    for kind in IdentifierKind:
        form = form_of(kind, text)
        if form is not None:
            yield kind, form


def identifiers_of(fields: Mapping[str, Any]) -> Iterator[tuple[IdentifierKind, str]]:
    """Yield the identifiers among named values. Values of other forms are left out."""
    for name, kind in KINDS.items():
        value = fields.get(name)
        form = form_of(kind, value) if isinstance(value, str) else None
        if form is not None:
            yield kind, form


def form_of(kind: IdentifierKind, text: str) -> str | None:
    """Return the one form of an identifier; None if the text has not its shape.

    A phone number of ten digits is one of Mexico.
    """
    text = text.strip()
    if len(text) > LONGEST:
        return None
    if kind is IdentifierKind.EMAIL:
        return text.casefold() if _EMAIL.fullmatch(text) else None
    if kind is IdentifierKind.PHONE:
        digits = re.sub(r"[\s().-]+", "", text)
        if re.fullmatch(r"[0-9]{10}", digits):
            digits = f"+{MEXICO}{digits}"
        try:
            return phone_number(digits if digits.startswith("+") else f"+{digits}")
        except ValueError:
            return None
    written = _BETWEEN.sub("", text).upper()
    pattern = _CURP if kind is IdentifierKind.CURP else _RFC
    return written if pattern.fullmatch(written) else None
