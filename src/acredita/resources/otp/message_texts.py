"""The text message and the mail that carry a code.

The subject of the mail has no code, because locked screens show subjects.
"""

import re
from dataclasses import dataclass
from typing import Final

from anyascii import anyascii

from acredita.domain.languages import PersonLanguage
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


def _plain(character: str) -> str:
    if character in _PLAIN:
        return character
    return "".join(letter if letter in _PLAIN else " " for letter in anyascii(character))


@dataclass(frozen=True, slots=True)
class _Words:
    """`{of}` is the part with the sender's name, which is empty without one."""

    of: str
    # In the basic alphabet of text messages.
    sms: str
    subject: str
    # With the sender's name, and without.
    asks: tuple[str, str]
    validity: str
    after: tuple[str, str]


_WORDS: Final = {
    PersonLanguage.SPANISH: _Words(
        " de {name}",
        "Tu clave{of} es {code}. Vence en 5 minutos. Nadie te la va a pedir: no la compartas.",
        "Tu clave{of}",
        (
            "{name} te pide confirmar este correo. Tu clave es:",
            "Te pedimos confirmar este correo. Tu clave es:",
        ),
        "Vence en 5 minutos y sirve una sola vez.",
        (
            "Nadie te va a pedir esta clave: no la compartas.",
            "Si no la esperabas, no hagas nada.",
        ),
    ),
    PersonLanguage.ENGLISH: _Words(
        " {name}",
        "Your{of} code is {code}. It ends in 5 minutes. Nobody will ask you for it: do not share"
        " it.",
        "Your{of} code",
        (
            "{name} asks you to confirm this address. Your code is:",
            "Please confirm this address. Your code is:",
        ),
        "It works once, within 5 minutes.",
        (
            "Nobody will ask you for this code: do not share it.",
            "If you did not expect it, do nothing.",
        ),
    ),
    PersonLanguage.PORTUGUESE: _Words(
        " de {name}",
        "Seu codigo{of}: {code}. Vence em 5 minutos. Ninguem vai pedi-lo: nao o compartilhe.",
        "Seu código{of}",
        (
            "{name} pede que você confirme este e-mail. Seu código é:",
            "Pedimos que você confirme este e-mail. Seu código é:",
        ),
        "Vence em 5 minutos e serve uma só vez.",
        (
            "Ninguém vai pedir este código: não o compartilhe.",
            "Se você não o esperava, não faça nada.",
        ),
    ),
    PersonLanguage.FRENCH: _Words(
        " {name}",
        "Votre code{of} : {code}. Valable 5 minutes. Personne ne vous le demandera : ne le"
        " partagez pas.",
        "Votre code{of}",
        (
            "{name} vous demande de confirmer cette adresse. Votre code est :",
            "Veuillez confirmer cette adresse. Votre code est :",
        ),
        "Il fonctionne une seule fois, pendant 5 minutes.",
        (
            "Personne ne vous demandera ce code : ne le partagez pas.",
            "Si vous ne l’attendiez pas, ne faites rien.",
        ),
    ),
    PersonLanguage.GERMAN: _Words(
        " von {name}",
        "Ihr Code{of}: {code}. Gilt 5 Minuten. Niemand wird Sie danach fragen: Geben Sie ihn nicht"
        " weiter.",
        "Ihr Code{of}",
        (
            "{name} bittet Sie, diese Adresse zu bestätigen. Ihr Code ist:",
            "Bitte bestätigen Sie diese Adresse. Ihr Code ist:",
        ),
        "Er funktioniert einmal, fünf Minuten lang.",
        (
            "Niemand wird Sie nach diesem Code fragen: Geben Sie ihn nicht weiter.",
            "Wenn Sie ihn nicht erwartet haben, tun Sie nichts.",
        ),
    ),
}


def text_message(language: PersonLanguage, name: str, code: str) -> str:
    """Return the text message in the basic alphabet, which allows 160 characters."""
    words = _WORDS[language]
    sender = plain_name(name)
    return words.sms.format(of=words.of.format(name=sender) if sender else "", code=code)


def code_letter(language: PersonLanguage, name: str, code: str) -> Letter:
    words = _WORDS[language]
    sender = displayed_name(name)
    with_name, without = words.asks
    return Letter(
        language,
        words.subject.format(of=words.of.format(name=sender) if sender else ""),
        before=(with_name.format(name=sender) if sender else without, code, words.validity),
        after=words.after,
    )
