"""The capture page of a verification, in the organization's theme."""

import re
import secrets
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final
from urllib.parse import urlsplit

import orjson
from starlette.responses import HTMLResponse

from acredita.domain.languages import preferred_of
from acredita.domain.theme_colours import BLACK, Colour, best_on, dark_palette, palette
from acredita.web.built_files import entry
from acredita.web.pages import template

# Scripts and styles need this response's nonce. `frame-ancestors` names the allowed embedders.
POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}';"
    " img-src 'self' blob: data:{logo}; connect-src 'self'; worker-src 'self'; form-action 'none';"
    " base-uri 'none'; frame-ancestors 'self'{embedders}"
)
# An origin that is safe within a policy: a `;` would begin another directive.
_ORIGIN: Final = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?")
_FONT: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,99}")
_SYSTEM_FONTS: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
# By language; its script has a catalogue for each of these.
TEXTS: Final = {
    "es": {
        "title": "Verificación de identidad",
        "noscript": "Esta página necesita JavaScript.",
    },
    "en": {"title": "Identity verification", "noscript": "This page needs JavaScript."},
    "pt": {"title": "Verificação de identidade", "noscript": "Esta página precisa de JavaScript."},
    "fr": {
        "title": "Vérification d’identité",
        "noscript": "Cette page a besoin de JavaScript.",
    },
    "de": {"title": "Identitätsprüfung", "noscript": "Diese Seite braucht JavaScript."},
}


def capture_page(
    accept_language: str | None,
    *,
    otherwise: str | None,
    theme: Mapping[str, Any],
    embedders: Iterable[str],
    organization: str,
    boot: Mapping[str, Any],
) -> HTMLResponse:
    """Render the page in the preferred language of its TEXTS, or `otherwise`. Raise NotBuilt.

    `theme`: by the names of the API; `embedders`: origins that may embed the page in a frame;
    `boot`: data for its script.
    """
    nonce = secrets.token_urlsafe(16)
    language = preferred_of(accept_language, TEXTS, otherwise or "es")
    logo = _logo(theme)
    allowed = [origin for origin in embedders if _ORIGIN.fullmatch(origin)]
    colours, dark = palette(theme), dark_palette(theme)
    page_data = {**boot, "organizationName": organization, "embedders": allowed, "logoUrl": logo}
    files = entry()
    content = template("capture.html").substitute(
        {name: escape(text) for name, text in TEXTS[language].items()},
        organization=escape(organization),
        language=language,
        nonce=nonce,
        ground=colours["ground"],
        dark_ground=dark["ground"],
        looks=f"{_looks(colours)} --font: {_fonts(theme)};",
        dark_looks=_looks(dark),
        # Escape `<`, so that the data cannot close their element.
        boot=orjson.dumps(page_data).decode().replace("<", "\\u003c"),
        script=files.script,
        style=files.style,
    )
    policy = POLICY.format(
        nonce=nonce,
        logo=f" {_origin(logo)}" if logo else "",
        embedders="".join(f" {origin}" for origin in allowed),
    )
    return HTMLResponse(
        content,
        headers={
            "Content-Security-Policy": policy,
            "Content-Language": language,
            "Vary": "Accept-Language",
            "Permissions-Policy": "camera=(self), microphone=(), geolocation=(self)",
        },
    )


def _looks(colours: Mapping[str, Colour]) -> str:
    """Return the declarations of a palette, for CSS."""
    scheme = "light" if best_on(colours["ground"]) is BLACK else "dark"
    variables = " ".join(f"--{name}: {colour};" for name, colour in colours.items())
    return f"color-scheme: {scheme}; {variables}"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _logo(theme: Mapping[str, Any]) -> str | None:
    url = theme.get("logoUrl")
    return url if isinstance(url, str) and _ORIGIN.fullmatch(_origin(url)) else None


def _fonts(theme: Mapping[str, Any]) -> str:
    """Use the theme's font if the device has it. No font is downloaded."""
    font = theme.get("fontFamily")
    if isinstance(font, str) and _FONT.fullmatch(font):
        return f'"{font}", {_SYSTEM_FONTS}'
    return _SYSTEM_FONTS
