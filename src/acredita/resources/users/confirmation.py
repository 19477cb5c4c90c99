"""Confirm a new e-mail address: the endpoint, and the page that the mail links to."""

from starlette.responses import HTMLResponse

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import public
from acredita.api.routing import make_router
from acredita.domain.errors import Conflict
from acredita.domain.languages import Language, preferred
from acredita.resources.auth.endpoints import AcceptLanguage
from acredita.resources.auth.schemas import Message
from acredita.resources.users import service
from acredita.resources.users.schemas import EmailConfirmation
from acredita.web.pages import page

router = make_router("/v1/auth", tag="Authentication")
page_router = make_router("", tag="Pages")

_TEXTS = {
    Language.SPANISH: {
        "title": "Confirma tu correo",
        "text": "Con esto, esta dirección será la de tu cuenta de Acredita.",
        "send": "Confirmar",
        "failed": "No se pudo guardar en este momento. Inténtalo de nuevo.",
        "done": "Listo. Desde ahora entras con esta dirección.",
        "spent": "Este enlace ya se usó o venció.",
        "taken": "Esta dirección ya es la de otra cuenta.",
        "noscript": "Esta página necesita JavaScript.",
    },
    Language.ENGLISH: {
        "title": "Confirm your address",
        "text": "This makes the address that of your Acredita account.",
        "send": "Confirm",
        "failed": "It could not be saved just now. Try again.",
        "done": "Done. From now on you sign in with this address.",
        "spent": "This link was used before or has expired.",
        "taken": "This address is that of another account already.",
        "noscript": "This page needs JavaScript.",
    },
}


@router.post(
    "/confirm-email", summary="Confirm a changed e-mail address", responses=responses(Conflict)
)
@public
async def confirm_email(
    data: EmailConfirmation,
    session: Db,
    services: ServicesDep,
    accept_language: AcceptLanguage = None,
) -> Message:
    """Requires the token of the link that was mailed to the new address."""
    await service.confirm_address(
        session, services, services.link_signer, data.token, preferred(accept_language)
    )
    return Message(message="The address is confirmed.")


@page_router.get(
    "/confirm-email",
    summary="Page that confirms a new e-mail address",
    description="Mails link to it with `?token=…`. The script of the page reads the token.",
    response_class=HTMLResponse,
)
@public
async def confirm_email_page(accept_language: AcceptLanguage = None) -> HTMLResponse:
    """The page requires a click, because mail scanners follow links and must not confirm."""
    language = preferred(accept_language)
    return page("confirm_email.html", language, _TEXTS[language])
