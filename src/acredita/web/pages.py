"""Render pages in the reader's language, with a policy that forbids foreign content."""

import secrets
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

from starlette.responses import HTMLResponse

from acredita.domain.languages import Language, PersonLanguage

# Scripts and styles of the page need this response's nonce and may call only our API.
POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}';"
    " img-src {images}; connect-src 'self'; form-action 'none'; base-uri 'none';"
    " frame-ancestors 'none'"
)


@cache
def template(name: str) -> Template:
    """Read the template with this file name; `$card` is the style of pages that show one card."""
    return Template(_content(name).replace("$card", _content("card.css")))


def _content(name: str) -> str:
    return files("acredita.web").joinpath(name).read_text("utf-8")


def page(
    name: str,
    language: Language | PersonLanguage,
    texts: Mapping[str, str],
    *,
    images: str = "'none'",
    status: int = 200,
) -> HTMLResponse:
    """Render the template `name`: replace each `$word` with the text of that name."""
    nonce = secrets.token_urlsafe(16)
    content = template(name).substitute(
        {word: escape(text) for word, text in texts.items()},
        language=language.value,
        nonce=nonce,
    )
    return HTMLResponse(
        content,
        status,
        headers={
            "Content-Security-Policy": POLICY.format(nonce=nonce, images=images),
            "Content-Language": language.value,
            "Vary": "Accept-Language",
            "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        },
    )
