"""The labelling page for reviewers. It calls the API with the reviewer's login."""

from typing import Annotated

from fastapi import Header
from starlette.responses import HTMLResponse

from acredita.api.permissions import public
from acredita.api.routing import make_router
from acredita.domain.documents import PageKind
from acredita.domain.languages import Language, preferred
from acredita.web.pages import page

router = make_router("", tag="Pages")
# Types that a reviewer can choose although no engine reads them.
OTHER_TYPES = ("RESIDENT_CARD", "CONSULAR_ID", "OTHER_DOCUMENT", "NO_DOCUMENT")

_TEXTS = {
    Language.SPANISH: {
        "title": "Etiquetar documentos",
        "email": "Correo",
        "password": "Contraseña",
        "enter": "Entrar",
        "badlogin": "No se pudo entrar. Revisa el correo y la contraseña.",
        "noscript": "Esta página necesita JavaScript.",
        "strategy": "Orden",
        "uncertain": "Los menos seguros",
        "disagreement": "Con más desacuerdos",
        "random": "Al azar",
        "oldest": "Los más antiguos",
        "newest": "Los más nuevos",
        "done": "Hechos",
        "time": "Tiempo",
        "picture": "El documento",
        "fields": "Campos",
        "add": "Agregar un campo que no se leyó",
        "type": "Tipo de documento",
        "asread": "El que se leyó",
        "notes": "Notas",
        "send": "Guardar y seguir",
        "skip": "Saltar para siempre",
        "pass": "Dejar y tomar otro",
        "keys": "Teclas",
        "keyright": "El valor es lo que dice el documento; al siguiente campo",
        "keymove": "Moverse entre campos",
        "keyother": "Otra lectura del campo",
        "keyabsent": "El documento no tiene este campo",
        "right": "correcto",
        "changed": "corregido",
        "absent": "no está",
        "unread": "no se leyó",
        "masked": "Tu organización oculta los datos. La bitácora registra quién los muestra.",
        "reveal": "Mostrar el documento",
        "nothing": "No queda ningún documento por etiquetar.",
        "saved": "Guardado.",
        "skipped": "Saltado.",
        "failed": "No se pudo.",
        "taken": "Otra persona ya tiene este documento.",
        "denied": "Tu rol no permite etiquetar.",
    },
    Language.ENGLISH: {
        "title": "Label documents",
        "email": "E-mail",
        "password": "Password",
        "enter": "Sign in",
        "badlogin": "You could not sign in. Check the e-mail and the password.",
        "noscript": "This page needs JavaScript.",
        "strategy": "Order",
        "uncertain": "Least certain",
        "disagreement": "Most disagreements",
        "random": "At random",
        "oldest": "Oldest",
        "newest": "Newest",
        "done": "Done",
        "time": "Time",
        "picture": "The document",
        "fields": "Fields",
        "add": "Add a field that was not read",
        "type": "Type of document",
        "asread": "As it was read",
        "notes": "Notes",
        "send": "Save and go on",
        "skip": "Skip for good",
        "pass": "Put back and take another",
        "keys": "Keys",
        "keyright": "The value is what the document says; to the next field",
        "keymove": "Move between fields",
        "keyother": "Another reading of the field",
        "keyabsent": "The document has no such field",
        "right": "right",
        "changed": "corrected",
        "absent": "not there",
        "unread": "not read",
        "masked": "Your organization masks the data. The audit log records who shows them.",
        "reveal": "Show the document",
        "nothing": "No document is left to be labelled.",
        "saved": "Saved.",
        "skipped": "Skipped.",
        "failed": "That did not work.",
        "taken": "Somebody else has this document in hand.",
        "denied": "Your role does not permit labelling.",
    },
}
_TYPES = {"types": " ".join((*PageKind, *OTHER_TYPES))}


@router.get(
    "/console/label", summary="Page on which reviewers label documents", response_class=HTMLResponse
)
@public
async def label_page(
    accept_language: Annotated[
        str | None, Header(description="The language of the page: es (default) or en.")
    ] = None,
) -> HTMLResponse:
    """The page calls only this API. It requires the login of a user with the role REVIEWER or
    higher.
    """
    language = preferred(accept_language)
    return page("label.html", language, _TEXTS[language] | _TYPES, images="'self'")
