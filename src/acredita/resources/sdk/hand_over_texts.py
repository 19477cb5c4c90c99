"""What the page /go says, and the messages with its link, in the person's languages."""

from dataclasses import dataclass
from typing import Final

from acredita.domain.languages import PersonLanguage
from acredita.models.capture_link import LinkMessage
from acredita.resources.mail.message import Letter
from acredita.resources.otp.message_texts import displayed_name, plain_name

PAGE: Final = {
    PersonLanguage.SPANISH: {
        "title": "Continúa en este teléfono",
        "text": "Aquí sigue tu verificación de identidad, donde la dejaste en el otro equipo.",
        "code": "Código",
        "send": "Continuar",
        "failed": "No se pudo abrir en este momento. Inténtalo de nuevo.",
        "spent": "Este código ya se usó, venció o no es correcto. Pide otro en el otro equipo.",
        "noscript": "Esta página necesita JavaScript.",
    },
    PersonLanguage.ENGLISH: {
        "title": "Continue on this phone",
        "text": "Your identity verification goes on here, where you left it on the other device.",
        "code": "Code",
        "send": "Continue",
        "failed": "It could not be opened just now. Try again.",
        "spent": "This code was used, has expired or is wrong. Get another on the other device.",
        "noscript": "This page needs JavaScript.",
    },
    PersonLanguage.PORTUGUESE: {
        "title": "Continue neste telefone",
        "text": "Sua verificação de identidade segue aqui, de onde parou no outro aparelho.",
        "code": "Código",
        "send": "Continuar",
        "failed": "Não foi possível abrir agora. Tente de novo.",
        "spent": "Este código já foi usado, venceu ou está errado. Peça outro no outro aparelho.",
        "noscript": "Esta página precisa de JavaScript.",
    },
    PersonLanguage.FRENCH: {
        "title": "Continuez sur ce téléphone",
        "text": "Votre vérification d’identité reprend ici, là où vous l’avez laissée.",
        "code": "Code",
        "send": "Continuer",
        "failed": "L’ouverture a échoué. Réessayez.",
        "spent": "Ce code a servi, a expiré ou est faux. L’autre appareil en donne un autre.",
        "noscript": "Cette page a besoin de JavaScript.",
    },
    PersonLanguage.GERMAN: {
        "title": "Auf diesem Telefon fortfahren",
        "text": "Ihre Identitätsprüfung geht hier weiter, wo Sie am anderen Gerät aufgehört haben.",
        "code": "Code",
        "send": "Weiter",
        "failed": "Das Öffnen ist gerade nicht gelungen. Versuchen Sie es noch einmal.",
        "spent": "Dieser Code ist verbraucht, abgelaufen oder falsch. Das andere Gerät zeigt einen"
        " neuen an.",
        "noscript": "Diese Seite braucht JavaScript.",
    },
}


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


_WORDS: Final = {
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


def text_message(message: LinkMessage, name: str) -> str:
    """Return the text message in the basic alphabet."""
    words = _WORDS[message.language]
    sender = plain_name(name)
    return words.sms.format(of=words.of.format(name=sender) if sender else "", url=message.url)


def letter(message: LinkMessage, name: str) -> Letter:
    words = _WORDS[message.language]
    sender = displayed_name(name)
    return Letter(
        message.language,
        words.subject.format(of=words.of.format(name=sender) if sender else ""),
        before=(words.before,),
        action=(words.label, message.url),
        after=words.after,
    )
