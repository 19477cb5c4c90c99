"""Texts of the mails about a change of address."""

from acredita.domain.languages import Language
from acredita.resources.mail.message import Letter


def warning(language: Language) -> Letter:
    """The notice to the old address."""
    if language is Language.SPANISH:
        return Letter(
            language,
            "Van a cambiar el correo de tu cuenta",
            before=(
                "Hola:",
                (
                    "Un administrador de tu organización pidió cambiar el correo de tu cuenta de "
                    "Acredita. El cambio vale cuando se confirme desde la dirección nueva."
                ),
                "Si no lo esperabas, avisa de inmediato a quien administra tu organización.",
            ),
        )
    return Letter(
        language,
        "The address of your account is about to change",
        before=(
            "Hello,",
            (
                "An administrator of your organization asked to change the e-mail address of your "
                "Acredita account. The change counts once it is confirmed from the new address."
            ),
            "If you did not expect this, tell those who administer your organization at once.",
        ),
    )


def confirmation(language: Language, url: str) -> Letter:
    """The mail with the confirmation link to the new address."""
    if language is Language.SPANISH:
        return Letter(
            language,
            "Confirma tu correo",
            before=(
                "Hola:",
                "Esta dirección va a ser la de una cuenta de Acredita. Confírmala con este enlace.",
            ),
            action=("Confirmar mi correo", url),
            after=("El enlace vale un día. Si no esperabas este mensaje, no hagas nada.",),
        )
    return Letter(
        language,
        "Confirm your address",
        before=(
            "Hello,",
            "This address is to become that of an Acredita account. Confirm it with this link.",
        ),
        action=("Confirm my address", url),
        after=("The link works for a day. If you did not expect this message, do nothing.",),
    )
