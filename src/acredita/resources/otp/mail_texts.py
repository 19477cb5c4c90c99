"""The mail with a code. The subject has no code, because locked screens show subjects."""

from acredita.domain.languages import Language
from acredita.domain.one_time_password import displayed_name
from acredita.resources.mail.message import Letter


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
