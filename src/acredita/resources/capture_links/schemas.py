from enum import StrEnum
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from acredita.api.schemas import Body, ClientTime, Shape, Timestamp
from acredita.resources.organizations.schemas import LOCAL_HOSTS, Origin

SHORTEST_SECONDS, LONGEST_SECONDS = 60, 30 * 86_400


def _page(value: str) -> str:
    try:
        parts = urlsplit(value)
        is_safe = parts.scheme == "https" or (
            parts.scheme == "http" and parts.hostname in LOCAL_HOSTS
        )
        is_whole = bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_safe = is_whole = False
    is_printable = value.isascii() and value.isprintable() and not set(value) & set(" \\\"'<>")
    if not (is_safe and is_whole and is_printable) or "@" in parts.netloc:
        raise ValueError("is not an https URL")
    return value


class CaptureWrite(Body):
    """The link with which the person goes through the verification in a browser."""

    return_url: Annotated[str, AfterValidator(_page)] | None = Field(
        None,
        max_length=2048,
        description=(
            "The page that the person goes back to at the end, with the parameter"
            " `verificationId`. Its origin must be one of the organization's allowed origins."
        ),
        json_schema_extra={"format": "uri"},
        examples=["https://app.banco.example/alta"],
    )
    expires_at: ClientTime | None = Field(
        None,
        description="When the link stops opening the flow. Give this or `expiresIn`.",
        examples=["2026-01-31T18:05:09.120Z"],
    )
    expires_in: int | None = Field(
        None,
        ge=SHORTEST_SECONDS,
        le=LONGEST_SECONDS,
        description=(
            "The same in seconds from now, at most 30 days. By default, the link lasts as long as"
            " the verification; a longer one makes the verification last as long."
        ),
        examples=[259_200],
    )
    # Those of the page's catalogues (web/src/page/texts).
    language: Literal["es", "en", "pt", "fr", "de"] | None = Field(
        None,
        description="The language in which the page starts. Null: the browser's.",
        examples=["es"],
    )
    origin: Origin | None = Field(
        None,
        description=(
            "The origin of the page that will show the link in a frame. It must be one of the"
            " organization's allowed origins; otherwise browsers would refuse the frame later."
        ),
        examples=["https://app.banco.example"],
    )

    @model_validator(mode="after")
    def one_expiry(self) -> Self:
        if self.expires_at is not None and self.expires_in is not None:
            raise ValueError("give expiresAt or expiresIn, not both")
        return self


class CaptureAnswer(Shape):
    url: str = Field(
        description=(
            "The page for the person. Who has it can act as the person: send it to nobody else."
            " Only this response contains it."
        ),
        examples=[
            "https://api.example/verify/0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11#cl_4k2m9x7q8Jt1"
        ],
    )
    expires_at: Timestamp


class CreatedCapture(Shape):
    capture: CaptureAnswer


class LinkState(StrEnum):
    CREATED = "created"
    OPENED = "opened"
    EXPIRED = "expired"
    REVOKED = "revoked"


class CaptureState(Shape):
    """The newest link for the person."""

    state: LinkState = Field(
        description=(
            "created: nobody has opened it. opened: a browser has opened it. expired and revoked:"
            " it opens nothing any more."
        )
    )
    expires_at: Timestamp
    first_opened_at: Timestamp | None
    last_opened_at: Timestamp | None
    openings: int = Field(
        ge=0, description="How often a browser has opened it, on any device.", examples=[1]
    )
