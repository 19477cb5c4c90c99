"""The languages of texts for people."""

import re
from collections.abc import Container
from enum import StrEnum

# No browser sends more; the rest is ignored.
LONGEST_HEADER = 1000
_RANGE = re.compile(
    r"\s*([A-Za-z*]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?))?\s*"
)


class Language(StrEnum):
    SPANISH = "es"
    ENGLISH = "en"


class PersonLanguage(StrEnum):
    """The languages of the capture page, and of messages to the person who is verified."""

    SPANISH = "es"
    ENGLISH = "en"
    PORTUGUESE = "pt"
    FRENCH = "fr"
    GERMAN = "de"


def person_language(accept_language: str | None) -> PersonLanguage:
    """Return the person's preferred language of an Accept-Language header; Spanish by default."""
    spanish = PersonLanguage.SPANISH
    return PersonLanguage(preferred_of(accept_language, set(PersonLanguage), spanish))


def preferred(accept_language: str | None) -> Language:
    """Return the preferred language of an Accept-Language header (RFC 9110, section 12.5.4);
    Spanish by default."""
    return Language(preferred_of(accept_language, set(Language), Language.SPANISH))


def preferred_of(accept_language: str | None, known: Container[str], otherwise: str) -> str:
    """Return the preferred one of the known languages (ISO 639-1)."""
    best, weight = otherwise, 0.0
    for part in (accept_language or "")[:LONGEST_HEADER].split(","):
        found = _RANGE.fullmatch(part)
        if found is None:
            continue
        quality = float(found[2] or 1)
        # `*` states no preference.
        name = otherwise if found[1] == "*" else found[1].lower()
        if name in known and quality > weight:
            best, weight = name, quality
    return best
