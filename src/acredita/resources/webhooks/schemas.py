from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, Field
from sqlalchemy import Row

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.events import EventKind

Kind = Annotated[
    EventKind,
    # Strict bodies take no string for an enumeration; on the wire a kind is a string.
    Field(strict=False),
]


def _unique(kinds: list[EventKind]) -> list[EventKind]:
    if len(set(kinds)) < len(kinds):
        raise ValueError("names a kind of event twice")
    return kinds


class WebhookCreate(Body):
    url: str = Field(
        min_length=1,
        max_length=2048,
        description="An https address that resolves to public addresses only.",
        examples=["https://hooks.example.com/acredita"],
        json_schema_extra={"format": "uri"},
    )
    events: Annotated[list[Kind], AfterValidator(_unique)] = Field(
        min_length=1,
        description="The kinds of events to deliver.",
        json_schema_extra={"uniqueItems": True},
    )
    secret: str | None = Field(
        None,
        min_length=16,
        max_length=256,
        description="Keys the signatures; generated when omitted.",
        examples=["un secreto largo que sólo ustedes saben"],
    )


class WebhookShape(Shape):
    id: UUID
    url: str = Field(examples=["https://hooks.example.com/acredita"])
    events: list[EventKind]
    is_active: bool
    created_at: Timestamp

    @classmethod
    def of(cls, row: Row[*tuple[Any, ...]]) -> "WebhookShape":
        return cls.model_validate(row, from_attributes=True)


class CreatedWebhook(Shape):
    id: UUID
    url: str = Field(examples=["https://hooks.example.com/acredita"])
    events: list[EventKind]
    secret: str = Field(
        description="Shown this once; it cannot be retrieved later.",
        examples=["whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="],
    )
    is_active: bool
    created_at: Timestamp


class WebhookList(Shape):
    webhooks: list[WebhookShape]


class CreatedWebhookAnswer(Shape):
    webhook: CreatedWebhook


class TestAnswer(Shape):
    delivered: bool = Field(description="Whether the receiver answered 2xx within ten seconds.")
