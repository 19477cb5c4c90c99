"""One-time passwords: length, lifetime, attempts, and the text message that has the code."""

import re
from datetime import timedelta

from anyascii import anyascii

from acredita.domain.languages import Language

DIGITS = 6
LIFETIME = timedelta(seconds=300)
MOST_GUESSES = 5
LONGEST_NAME = 40
# The part of the basic alphabet of text messages (3GPP TS 23.038) that names use. With any other
# letter, a message has room for 70 characters instead of 160.
_PLAIN = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 &'(),-./+éñüÑÉÖÜöä"
)
# Phones show these as links, and anyone who registers an organization chooses its name.
_LINK = re.compile(r"[:/@\\]+|\.(?=\w{2})")
# The code must be the only such number in a message, so that phones and people find it.
_LONG_NUMBER = re.compile(rf"\d{{{DIGITS},}}")


def displayed_name(name: str) -> str:
    """Return an organization's name without links and numbers, at most LONGEST_NAME characters."""
    printable = "".join(c if c.isprintable() else " " for c in name)
    harmless = _LONG_NUMBER.sub(" ", _LINK.sub(" ", printable))
    return " ".join(harmless.split())[:LONGEST_NAME].strip()


def text_message(language: Language, name: str, code: str) -> str:
    """Return the text message in the basic alphabet, which allows 160 characters."""
    sender = displayed_name("".join(_plain(character) for character in name))
    if language is Language.SPANISH:
        of = f" de {sender}" if sender else ""
        return (
            f"Tu clave{of} es {code}. Vence en 5 minutos. Nadie te la va a pedir: no la compartas."
        )
    your = f"Your {sender} code" if sender else "Your code"
    return f"{your} is {code}. It ends in 5 minutes. Nobody will ask you for it: do not share it."


def _plain(character: str) -> str:
    if character in _PLAIN:
        return character
    return "".join(letter if letter in _PLAIN else " " for letter in anyascii(character))
