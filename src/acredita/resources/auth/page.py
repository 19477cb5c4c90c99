"""The page that a password link opens. It asks for the new password."""

from starlette.responses import HTMLResponse

from acredita.api.permissions import public
from acredita.api.routing import make_router
from acredita.domain.languages import Language, preferred
from acredita.resources.auth.endpoints import AcceptLanguage
from acredita.web.pages import page

router = make_router("", tag="Pages")

_TEXTS = {
    Language.SPANISH: {
        "title": "Elige tu contraseña",
        "password": "Contraseña nueva",
        "hint": "De 12 a 128 caracteres. Una frase de varias palabras sirve muy bien.",
        "again": "Repite la contraseña",
        "send": "Guardar",
        "length": "La contraseña debe tener de 12 a 128 caracteres.",
        "different": "Las dos contraseñas no son iguales.",
        "failed": "No se pudo guardar en este momento. Inténtalo de nuevo.",
        "done": "Listo. Ya puedes entrar con tu contraseña nueva.",
        "enter": "Ir a la consola",
        "spent": "Este enlace ya se usó o venció. Pide uno nuevo.",
        "noscript": "Esta página necesita JavaScript.",
    },
    Language.ENGLISH: {
        "title": "Choose your password",
        "password": "New password",
        "hint": "12 to 128 characters. A phrase of several words does very well.",
        "again": "Repeat the password",
        "send": "Save",
        "length": "The password must have 12 to 128 characters.",
        "different": "The two passwords are not the same.",
        "failed": "It could not be saved just now. Try again.",
        "done": "Done. You can sign in with your new password.",
        "enter": "Go to the console",
        "spent": "This link was used before or has expired. Ask for a new one.",
        "noscript": "This page needs JavaScript.",
    },
}


@router.get("/reset-password", summary="Page that sets a new password", response_class=HTMLResponse)
@public
async def reset_password_page(accept_language: AcceptLanguage = None) -> HTMLResponse:
    """Mails link to it with `?token=…`. The script of the page reads the token."""
    language = preferred(accept_language)
    return page("reset_password.html", language, _TEXTS[language])
