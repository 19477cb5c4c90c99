"""Texts of the mails about passwords."""

from acredita.domain.languages import Language
from acredita.models import LinkPurpose
from acredita.resources.mail.message import Letter


def password_letter(purpose: LinkPurpose, language: Language, url: str) -> Letter:
    """The mail with a link that sets a password."""
    return _LETTERS[purpose, language](url)


def _reset_es(url: str) -> Letter:
    return Letter(
        Language.SPANISH,
        "Restablece tu contraseña",
        before=(
            "Hola:",
            (
                "Alguien pidió restablecer la contraseña de tu cuenta de Acredita. Si fuiste tú, "
                "elige una nueva con este enlace. Funciona una sola vez y durante 60 minutos."
            ),
        ),
        action=("Elegir una contraseña nueva", url),
        after=("Si no fuiste tú, no hagas nada: tu contraseña sigue siendo la misma.",),
    )


def _reset_en(url: str) -> Letter:
    return Letter(
        Language.ENGLISH,
        "Reset your password",
        before=(
            "Hello,",
            (
                "Someone asked to reset the password of your Acredita account. If it was you, "
                "choose a new one with this link. It works once and for 60 minutes."
            ),
        ),
        action=("Choose a new password", url),
        after=("If it was not you, do nothing: your password stays as it is.",),
    )


def _invitation_es(url: str) -> Letter:
    return Letter(
        Language.SPANISH,
        "Tu cuenta de Acredita",
        before=(
            "Hola:",
            (
                "Se creó una cuenta de Acredita para ti. Para entrar, elige tu contraseña con este "
                "enlace. Funciona una sola vez y durante 7 días."
            ),
        ),
        action=("Elegir mi contraseña", url),
        after=("Si no esperabas este mensaje, no hagas nada.",),
    )


def _invitation_en(url: str) -> Letter:
    return Letter(
        Language.ENGLISH,
        "Your Acredita account",
        before=(
            "Hello,",
            (
                "An Acredita account was made for you. To sign in, choose your password with this "
                "link. It works once and for 7 days."
            ),
        ),
        action=("Choose my password", url),
        after=("If you did not expect this message, do nothing.",),
    )


_LETTERS = {
    (LinkPurpose.RESET, Language.SPANISH): _reset_es,
    (LinkPurpose.RESET, Language.ENGLISH): _reset_en,
    (LinkPurpose.INVITATION, Language.SPANISH): _invitation_es,
    (LinkPurpose.INVITATION, Language.ENGLISH): _invitation_en,
}
