"""What a one-time password is, and what is said with it."""

import re
from datetime import timedelta

from anyascii import anyascii

from acredita.domain.languages import Language

DIGITS = 6
LIFETIME = timedelta(seconds=300)
MOST_GUESSES = 5
LONGEST_NAME = 40
# The basic alphabet of text messages (3GPP TS 23.038), as far as a name needs it: one letter
# outside of it and a message has room for 70 characters instead of 160.
_PLAIN = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 &'(),-./+éñüÑÉÖÜöä"
)
# Phones make links of these; whoever registers an organization chooses its name.
_LINK = re.compile(r"[:/@\\]+|\.(?=\w{2})")
# The code is the only such run in a message: phones and people find it by that.
_LONG_NUMBER = re.compile(rf"\d{{{DIGITS},}}")


def shown_name(name: str) -> str:
    """An organization's name as a message may show it."""
    printable = "".join(c if c.isprintable() else " " for c in name)
    harmless = _LONG_NUMBER.sub(" ", _LINK.sub(" ", printable))
    return " ".join(harmless.split())[:LONGEST_NAME].strip()


def text_message(language: Language, name: str, code: str) -> str:
    """One text message, within the alphabet that gives it 160 characters."""
    sender = shown_name("".join(_plain(character) for character in name))
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
