"""The theme of a workflow's pages."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from acredita.api.schemas import Body, Shape

Colour = Annotated[str, Field(pattern="^#[0-9a-fA-F]{6}$", examples=["#0a84ff"])]


ShownColour = Annotated[str, Field(examples=["#0a84ff"])]


def _https(value: str) -> str:
    """Validate an https URL. Only browsers load it; the service does not."""
    try:
        parts = urlsplit(value)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:
        has_host = False
    is_printable = value.isascii() and value.isprintable() and not set(value) & set(" \\\"'<>")
    if not (value.startswith("https://") and has_host and is_printable) or "@" in parts.netloc:
        raise ValueError("is not an https URL")
    return value


HttpsUrl = Annotated[
    str,
    Field(
        max_length=2048,
        description="An https URL. Browsers load it; the service does not.",
        json_schema_extra={"format": "uri", "pattern": "^https://"},
        examples=["https://banco.example/logo.svg"],
    ),
    AfterValidator(_https),
]


class ThemeWrite(Body):
    """The whole theme. An absent or null field is not set."""

    logo_url: HttpsUrl | None = None
    font_family: str | None = Field(None, max_length=100, examples=["Inter"])
    accent_color: Colour | None = None
    error_color: Colour | None = None
    warning_color: Colour | None = None
    success_color: Colour | None = None
    background_color: Colour | None = None
    body_text_color: Colour | None = None
    title_text_color: Colour | None = None
    subtitle_color: Colour | None = None
    border_color: Colour | None = None


class ThemeShape(Shape):
    logo_url: str | None = Field(None, examples=["https://banco.example/logo.svg"])
    font_family: str | None = Field(None, examples=["Inter"])
    accent_color: ShownColour | None = None
    error_color: ShownColour | None = None
    warning_color: ShownColour | None = None
    success_color: ShownColour | None = None
    background_color: ShownColour | None = None
    body_text_color: ShownColour | None = None
    title_text_color: ShownColour | None = None
    subtitle_color: ShownColour | None = None
    border_color: ShownColour | None = None
