"""The text message and the mail that carry a code.

The subject of the mail has no code, because locked screens show subjects.
"""

import re

from anyascii import anyascii

from acredita.domain.languages import Language
from acredita.domain.one_time_password import DIGITS
from acredita.resources.mail.message import Letter

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


def plain_name(name: str) -> str:
    """Return `displayed_name` in the basic alphabet of text messages."""
    return displayed_name("".join(_plain(character) for character in name))


def text_message(language: Language, name: str, code: str) -> str:
    """Return the text message in the basic alphabet, which allows 160 characters."""
    sender = plain_name(name)
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


def code_letter(language: Language, name: str, code: str) -> Letter:
    sender = displayed_name(name)
    if language is Language.SPANISH:
        return Letter(
            language,
            f"Tu clave de {sender}" if sender else "Tu clave",
            before=(
                f"{sender} te pide confirmar este correo. Tu clave es:"
                if sender
                else "Te pedimos confirmar este correo. Tu clave es:",
                code,
                "Vence en 5 minutos y sirve una sola vez.",
            ),
            after=(
                "Nadie te va a pedir esta clave: no la compartas.",
                "Si no la esperabas, no hagas nada.",
            ),
        )
    return Letter(
        language,
        f"Your {sender} code" if sender else "Your code",
        before=(
            f"{sender} asks you to confirm this address. Your code is:"
            if sender
            else "Please confirm this address. Your code is:",
            code,
            "It works once, within 5 minutes.",
        ),
        after=(
            "Nobody will ask you for this code: do not share it.",
            "If you did not expect it, do nothing.",
        ),
    )
