from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, Field
from sqlalchemy import Row

from acredita.api.pagination import CursorPage, Pagination
from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.events import EventKind
from acredita.models import DeliveryState, WebhookFormat
from acredita.resources.webhooks import signed_request
from acredita.resources.webhooks.posting import Reason

Kind = Annotated[
    EventKind,
    # Strict bodies reject a string for an enum; on the wire a kind is a string.
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
        description="The secret that signs the deliveries. Generated if absent.",
        examples=["un secreto largo que sólo ustedes saben"],
    )
    format: Annotated[WebhookFormat, Field(strict=False)] = Field(
        WebhookFormat.STANDARD,
        description="The format of the deliveries: this API's own, or that of MetaMap's webhooks.",
    )


class WebhookShape(Shape):
    id: UUID
    url: str = Field(examples=["https://hooks.example.com/acredita"])
    events: list[EventKind]
    format: WebhookFormat
    is_active: bool
    created_at: Timestamp


class CreatedWebhook(Shape):
    id: UUID
    url: str = Field(examples=["https://hooks.example.com/acredita"])
    events: list[EventKind]
    secret: str = Field(
        description="The secret that signs the deliveries. Only this response contains it.",
        examples=["whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="],
    )
    format: WebhookFormat
    is_active: bool
    created_at: Timestamp


class WebhookList(Shape):
    webhooks: list[WebhookShape]


class CreatedWebhookAnswer(Shape):
    webhook: CreatedWebhook


class TestAnswer(Shape):
    delivered: bool = Field(description="Whether the receiver answered 2xx within ten seconds.")


class AttemptShape(Shape):
    id: UUID = Field(description="The id of the attempt, as sent in X-Service-Delivery.")
    status: str = Field(description="succeeded or failed.", examples=["failed"])
    response_code: int | None = Field(
        description="The HTTP status of the receiver's response. Null: there was no response.",
        examples=[503],
    )
    reason: Reason | None = Field(description="Why the attempt failed. Null if it succeeded.")
    duration_ms: int = Field(
        description="Duration of the whole exchange, in milliseconds.", examples=[84]
    )
    started_at: Timestamp

    @classmethod
    def from_row(cls, row: Row[*tuple[Any, ...]]) -> "AttemptShape":
        return cls(
            id=row.id,
            status="succeeded" if row.error is None else "failed",
            response_code=row.response_status,
            reason=row.error,
            duration_ms=row.duration_ms,
            started_at=row.started_at,
        )


class DeliveryShape(Shape):
    id: UUID
    event_id: str = Field(
        description="The `id` of the event's envelope.",
        examples=["evt_0f8fad5bd9cb469fa16570867728950e"],
    )
    event: EventKind
    verification_id: UUID | None
    state: DeliveryState = Field(
        description="pending, delivered, failed (all attempts failed) or cancelled."
    )
    attempts: list[AttemptShape] = Field(description="The attempts that have ended, oldest first.")
    next_attempt_at: Timestamp | None = Field(
        description="When the next attempt is due; null unless pending."
    )
    redelivered_at: Timestamp | None = Field(description="When a redelivery was last requested.")
    created_at: Timestamp
    finished_at: Timestamp | None = Field(description="Null while pending.")

    @classmethod
    def from_row(
        cls, row: Row[*tuple[Any, ...]], attempts: list[Row[*tuple[Any, ...]]]
    ) -> "DeliveryShape":
        return cls(
            id=row.id,
            event_id=signed_request.envelope_id(row.id),
            event=row.kind,
            verification_id=row.verification_id,
            state=row.state,
            attempts=[AttemptShape.from_row(attempt) for attempt in attempts],
            next_attempt_at=row.next_at if row.state == DeliveryState.PENDING else None,
            redelivered_at=row.redelivered_at,
            created_at=row.created_at,
            finished_at=row.finished_at,
        )


class DeliveryPage(CursorPage):
    deliveries: list[DeliveryShape]
    paused_until: Timestamp | None = Field(
        description="Until when nothing is sent, because too many attempts in a row failed."
    )
    pagination: Pagination


class RedeliveryAnswer(Shape):
    id: UUID
    state: DeliveryState


class DeliveryPayload(Shape):
    id: UUID
    body: str = Field(
        description="The JSON text of the request's body.",
        examples=['{"id":"evt_0f8fad5b","event":"verification.created","data":{}}'],
    )
