"""Webhook endpoints, events, deliveries and their attempts."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Text

from acredita.kit import ids
from acredita.kit.sealed import BYTES, TEXT, Sealed, SealedBytes, SealedOrNull
from acredita.models.base import Record, one_of
from acredita.models.tenancy import Owned


class DeliveryState(StrEnum):
    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"
    CANCELLED = "cancelled"


class WebhookFormat(StrEnum):
    """The format in which an endpoint receives events."""

    STANDARD = "standard"
    # Those of the API that customers come from (resources/metamap/notices.py).
    METAMAP = "metamap"


class EventTurn(StrEnum):
    """A turn of its verification that the event's kind does not tell by itself."""

    # All inputs that the workflow asks for are there.
    INPUTS_COMPLETED = "inputs_completed"
    EXPIRED = "expired"
    # A decision that had been told of was changed, or confirmed, by hand.
    REVISED = "revised"


class WebhookEndpoint(Owned, Record):
    __tablename__ = "webhook_endpoint"

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"), index=True)
    url: Mapped[str]
    events: Mapped[list[str]] = mapped_column(ARRAY(Text))
    secret_sealed: Mapped[SealedBytes]
    secret = Sealed("webhook_endpoint:{id}", TEXT)
    is_active: Mapped[bool] = mapped_column(server_default=text("true"))
    deleted_at: Mapped[datetime | None]
    format: Mapped[str] = mapped_column(server_default=WebhookFormat.STANDARD.value)

    __table_args__ = (one_of("format", WebhookFormat),)


class Event(Owned, Record):
    """Something that happened, its data frozen as the bytes that every attempt will sign."""

    __tablename__ = "event"

    # Not now(): of two transactions that change a verification, the second may have begun first.
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    verification_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("verification.id", ondelete="CASCADE")
    )
    kind: Mapped[str]
    # The JSON of the envelope's `data`; the envelope around it depends on the delivery's id alone.
    data: Mapped[bytes | None]
    # In its place where it names a person.
    data_sealed: Mapped[SealedBytes | None]
    personal_data = SealedOrNull("event:{id}", BYTES, column="data_sealed")
    # Meant for the verification's callback address alone: a reviewer changed a decision after
    # verification.completed had fired, and endpoints hear of that by the status event.
    callback_only: Mapped[bool] = mapped_column(server_default=text("false"))
    # Where its trace began (W3C Trace Context), where traces are exported.
    traceparent: Mapped[str | None]
    # EventTurn: receivers of another format are told of some kinds only where this is set.
    turn: Mapped[str | None]

    __table_args__ = (
        Index("ix_event_verification", "verification_id", "id"),
        CheckConstraint("num_nonnulls(data, data_sealed) = 1", name="data_once"),
    )


class WebhookReceiver(Owned):
    """A receiver that fails again and again: when it is tried next.

    A receiver is an endpoint, or one origin that an organization's callbacks go to. It has a row
    from its first failure on.
    """

    __tablename__ = "webhook_receiver"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    # Attempts that failed since the last one that arrived, and rests that were taken since.
    failures: Mapped[int] = mapped_column(server_default=text("0"))
    rests: Mapped[int] = mapped_column(server_default=text("0"))
    resting_until: Mapped[datetime | None]


class Delivery(Owned, Record):
    """One event on its way to one receiver: an endpoint, or the verification's callback."""

    __tablename__ = "delivery"

    # Shown to receivers as evt_ + 32 hex digits: stable over all attempts.
    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.capability)
    event_id: Mapped[UUID] = mapped_column(ForeignKey("event.id", ondelete="CASCADE"))
    # Absent: the delivery goes to the callback address of the event's verification.
    endpoint_id: Mapped[UUID | None] = mapped_column(ForeignKey("webhook_endpoint.id"))
    # Whose deliveries wait for each other: the endpoint's id, or one made of the callback's origin.
    receiver_id: Mapped[UUID]
    state: Mapped[str] = mapped_column(server_default=DeliveryState.PENDING.value)
    # At first the event's moment, so that what is due at once leaves in the order of the events.
    next_at: Mapped[datetime] = mapped_column(server_default=func.now())
    # Those that came to an end, one way or another.
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    # Of these, those made before it was last asked to be delivered anew.
    earlier_attempts: Mapped[int] = mapped_column(server_default=text("0"))
    # Attempts in a row that a dying worker left without an end.
    losses: Mapped[int] = mapped_column(server_default=text("0"))
    redelivered_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]

    __table_args__ = (
        one_of("state", DeliveryState),
        Index(
            "uq_delivery_event_id_endpoint_id",
            "event_id",
            "endpoint_id",
            unique=True,
            postgresql_nulls_not_distinct=True,
        ),
        Index(
            "ix_delivery_pending",
            "receiver_id",
            "next_at",
            "event_id",
            postgresql_where=text("state = 'pending'"),
        ),
        Index("ix_delivery_log", "endpoint_id", "created_at", "id"),
        # What became of an organization's deliveries lately is counted in the index alone.
        Index(
            "ix_delivery_finished",
            "organization_id",
            "finished_at",
            postgresql_include=["state"],
            postgresql_where=text("finished_at IS NOT NULL"),
        ),
    )


class DeliveryAttempt(Record):
    """One POST. Its id is the X-Service-Delivery header."""

    __tablename__ = "delivery_attempt"

    delivery_id: Mapped[UUID] = mapped_column(ForeignKey("delivery.id", ondelete="CASCADE"))
    number: Mapped[int]
    started_at: Mapped[datetime] = mapped_column(server_default=func.now())
    duration_ms: Mapped[int]
    response_status: Mapped[int | None]
    # A word for what went wrong (webhooks.posting.Reason), never the response.
    error: Mapped[str | None]

    __table_args__ = (
        Index("ix_delivery_attempt_delivery", "delivery_id", "number"),
        CheckConstraint("number >= 1", name="number_counts_from_one"),
    )
