"""The messages with a link for the person, in the person's languages."""

from dataclasses import dataclass
from typing import Final

from acredita.domain.languages import PersonLanguage
from acredita.models.capture_link import CaptureLinkPurpose, LinkMessage
from acredita.resources.mail.message import Letter
from acredita.resources.otp.message_texts import displayed_name, plain_name


@dataclass(frozen=True, slots=True)
class LinkTexts:
    sms: str
    letter: Letter


@dataclass(frozen=True, slots=True)
class _Words:
    """`{of}` is the part with the sender's name, which is empty without one."""

    of: str
    # In the basic alphabet of text messages, which allows 160 characters.
    sms: str
    subject: str
    before: str
    label: str
    after: tuple[str, str]


_HAND_OVER: Final = {
    PersonLanguage.SPANISH: _Words(
        " con {name}",
        "Sigue aqui tu verificacion{of}: {url} Vence en 10 minutos.",
        "Sigue tu verificación{of}",
        "Abre este enlace en el teléfono con el que quieres tomar las fotos.",
        "Continuar en este teléfono",
        ("Sirve una sola vez, durante 10 minutos.", "Si no lo pediste, no hagas nada."),
    ),
    PersonLanguage.ENGLISH: _Words(
        " with {name}",
        "Continue your verification{of} here: {url} It ends in 10 minutes.",
        "Continue your verification{of}",
        "Open this link on the phone with which you want to take the pictures.",
        "Continue on this phone",
        ("It works once, for 10 minutes.", "If you did not ask for it, do nothing."),
    ),
    PersonLanguage.PORTUGUESE: _Words(
        " com {name}",
        "Continue aqui sua verificacao{of}: {url} Vence em 10 minutos.",
        "Continue sua verificação{of}",
        "Abra este link no telefone com que você quer tirar as fotos.",
        "Continuar neste telefone",
        ("Funciona uma só vez, por 10 minutos.", "Se você não o pediu, não faça nada."),
    ),
    PersonLanguage.FRENCH: _Words(
        " avec {name}",
        "Continuez votre verification{of} ici : {url} Valable 10 minutes.",
        "Continuez votre vérification{of}",
        "Ouvrez ce lien sur le téléphone avec lequel vous voulez prendre les photos.",
        "Continuer sur ce téléphone",
        (
            "Il fonctionne une seule fois, pendant 10 minutes.",
            "Si vous ne l’avez pas demandé, ne faites rien.",
        ),
    ),
    PersonLanguage.GERMAN: _Words(
        " bei {name}",
        "Ihre Prüfung{of} geht hier weiter: {url} Gilt 10 Minuten.",
        "Ihre Prüfung{of} geht weiter",
        "Öffnen Sie diesen Link auf dem Telefon, mit dem Sie die Bilder aufnehmen möchten.",
        "Auf diesem Telefon fortfahren",
        (
            "Er funktioniert einmal, zehn Minuten lang.",
            "Wenn Sie ihn nicht angefordert haben, tun Sie nichts.",
        ),
    ),
}

_RETAKE: Final = {
    PersonLanguage.SPANISH: _Words(
        " con {name}",
        "Necesitamos otras fotos de tu verificacion{of}: {url}",
        "Necesitamos otras fotos de tu verificación{of}",
        "Abre este enlace y toma otra vez las fotos de tu verificación.",
        "Tomar las fotos",
        (
            "Es sólo para ti: no lo compartas.",
            "Si no esperabas este correo, no hagas nada.",
        ),
    ),
    PersonLanguage.ENGLISH: _Words(
        " with {name}",
        "We need other pictures for your verification{of}: {url}",
        "We need other pictures for your verification{of}",
        "Open this link and take the pictures of your verification again.",
        "Take the pictures",
        (
            "It is for you alone: do not share it.",
            "If you did not expect this mail, do nothing.",
        ),
    ),
    PersonLanguage.PORTUGUESE: _Words(
        " com {name}",
        "Precisamos de outras fotos da sua verificacao{of}: {url}",
        "Precisamos de outras fotos da sua verificação{of}",
        "Abra este link e tire de novo as fotos da sua verificação.",
        "Tirar as fotos",
        (
            "É só para você: não o compartilhe.",
            "Se você não esperava este e-mail, não faça nada.",
        ),
    ),
    PersonLanguage.FRENCH: _Words(
        " avec {name}",
        "Il nous faut d'autres photos pour votre verification{of} : {url}",
        "Il nous faut d’autres photos pour votre vérification{of}",
        "Ouvrez ce lien et reprenez les photos de votre vérification.",
        "Prendre les photos",
        (
            "Il est pour vous seul : ne le partagez pas.",
            "Si vous n’attendiez pas ce message, ne faites rien.",
        ),
    ),
    PersonLanguage.GERMAN: _Words(
        " bei {name}",
        "Wir brauchen neue Bilder für Ihre Prüfung{of}: {url}",
        "Wir brauchen neue Bilder für Ihre Prüfung{of}",
        "Öffnen Sie diesen Link und nehmen Sie die Bilder Ihrer Prüfung noch einmal auf.",
        "Bilder aufnehmen",
        (
            "Er ist nur für Sie: Geben Sie ihn nicht weiter.",
            "Wenn Sie diese Nachricht nicht erwartet haben, tun Sie nichts.",
        ),
    ),
}


def texts_of(purpose: str, message: LinkMessage, name: str) -> LinkTexts:
    """Return the text message, in the basic alphabet except for a reviewer's note, and the mail.

    `purpose`: of the link. `name`: of the organization. A note comes before all else.
    """
    is_hand_over = purpose == CaptureLinkPurpose.HAND_OVER
    words = (_HAND_OVER if is_hand_over else _RETAKE)[message.language]
    sms_sender, sender = plain_name(name), displayed_name(name)
    sms = words.sms.format(
        of=words.of.format(name=sms_sender) if sms_sender else "", url=message.url
    )
    return LinkTexts(
        sms if message.note is None else f"{message.note} {sms}",
        Letter(
            message.language,
            words.subject.format(of=words.of.format(name=sender) if sender else ""),
            before=(words.before,) if message.note is None else (message.note, words.before),
            action=(words.label, message.url),
            after=words.after,
        ),
    )
