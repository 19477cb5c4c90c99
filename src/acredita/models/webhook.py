"""Webhook endpoints, events, deliveries and their attempts.

Events, deliveries and attempts are partitioned by the month of a UUIDv7: the event's id, or the
attempt's. Old months are dropped as a whole (resources/webhooks/ageing.py). So no foreign key
refers to these tables, and a purge deletes from all three.
"""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger, func, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Text

from acredita.kit import ids
from acredita.kit.sealed import BYTES, TEXT, Sealed, SealedBytes, SealedOrNull
from acredita.models.base import Record, one_of
from acredita.models.tenancy import Owned, refers_to


class DeliveryState(StrEnum):
    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"
    CANCELLED = "cancelled"


class WebhookFormat(StrEnum):
    """The format in which an endpoint receives events."""

    STANDARD = "standard"
    # The format of the compatible API (resources/metamap/event_bodies.py).
    METAMAP = "metamap"


class EventTurn(StrEnum):
    """A turn of the verification that the event's kind does not show."""

    # All inputs of the workflow are uploaded, by the first upload.
    INPUTS_COMPLETED = "inputs_completed"
    # A later upload brought the last of them.
    LAST_INPUT = "last_input"
    EXPIRED = "expired"
    # A reviewer changed or confirmed a decision after its event.
    REVISED = "revised"
    # A registry is away; the step waits for it.
    POSTPONED = "postponed"
    # The certificate of conservation of a signed package has arrived.
    SIGNED = "signed"
    # A step that has ended is several steps of the compatible API. This is one of them after the
    # first; `place` in the data is its index.
    FURTHER_STEP = "further_step"


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
    """An event. Its data are stored as the bytes that every attempt signs."""

    __tablename__ = "event"

    # Not now(): of two transactions that change a verification, the second may have started first.
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    verification_id: Mapped[UUID | None] = refers_to("verification.id", ondelete="CASCADE")
    kind: Mapped[str]
    # The JSON of the envelope's `data`. The rest of the envelope depends only on the delivery's id.
    data: Mapped[bytes | None]
    # Replaces `data` if it contains personal data.
    data_sealed: Mapped[SealedBytes | None]
    personal_data = SealedOrNull("event:{id}", BYTES, column="data_sealed")
    # Only for the verification's callback URL: a reviewer changed a decision after
    # verification.completed. Endpoints get the status event instead.
    callback_only: Mapped[bool] = mapped_column(server_default=text("false"))
    # The trace that it belongs to (W3C Trace Context), if traces are exported.
    traceparent: Mapped[str | None]
    # EventTurn: endpoints with another format get some kinds of events only if this is set.
    turn: Mapped[str | None]

    __table_args__ = (
        Index("ix_event_verification", "verification_id", "id"),
        CheckConstraint("num_nonnulls(data, data_sealed) = 1", name="data_once"),
        {"postgresql_partition_by": "RANGE (id)"},
    )


class WebhookReceiver(Owned):
    """The breaker of a receiver that fails, when it is tried next, and the parts of a busy one.

    A receiver is an endpoint, or one origin of an organization's callback URLs. It has a row after
    its first failure, and after it was first divided.
    """

    __tablename__ = "webhook_receiver"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    # Failed attempts and pauses since the last success.
    failures: Mapped[int] = mapped_column(server_default=text("0"))
    rests: Mapped[int] = mapped_column(server_default=text("0"))
    resting_until: Mapped[datetime | None]
    # Into so many parts its deliveries are divided, each with a worker (webhooks/parts).
    parts: Mapped[int] = mapped_column(SmallInteger, server_default=text("1"))

    __table_args__ = (
        Index("ix_webhook_receiver_divided", "id", postgresql_where=text("parts > 1")),
    )


class Delivery(Owned, Record):
    """One event for one receiver: an endpoint or the verification's callback URL."""

    __tablename__ = "delivery"

    # Shown to receivers as evt_ + 32 hex digits: stable over all attempts.
    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.capability)
    # In the primary key, because it chooses the partition.
    event_id: Mapped[UUID] = mapped_column(primary_key=True)
    # Null: the delivery goes to the callback URL of the event's verification.
    endpoint_id: Mapped[UUID | None] = refers_to("webhook_endpoint.id")
    # Deliveries of a receiver share a queue: the endpoint's id, or a hash of the callback's origin.
    receiver_id: Mapped[UUID]
    state: Mapped[str] = mapped_column(server_default=DeliveryState.PENDING.value)
    # Initially the event's time, so that the first attempts are in the order of the events.
    next_at: Mapped[datetime] = mapped_column(server_default=func.now())
    # Finished attempts.
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    # Of these, the attempts before the last redelivery.
    earlier_attempts: Mapped[int] = mapped_column(server_default=text("0"))
    # Consecutive attempts that a crash interrupted.
    losses: Mapped[int] = mapped_column(server_default=text("0"))
    redelivered_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]

    __table_args__ = (
        one_of("state", DeliveryState),
        Index(
            "uq_delivery_event_id_endpoint_id",
            "event_id",
            "endpoint_id",
            "organization_id",
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
        # Deliveries that have just been added (delivery_rows.NEW).
        Index(
            "ix_delivery_new",
            "next_at",
            "receiver_id",
            postgresql_where=text("state = 'pending'"),
        ),
        Index("ix_delivery_log", "endpoint_id", "created_at", "id"),
        # An index-only scan counts an organization's recent deliveries.
        Index(
            "ix_delivery_finished",
            "organization_id",
            "finished_at",
            postgresql_include=["state"],
            postgresql_where=text("finished_at IS NOT NULL"),
        ),
        {"postgresql_partition_by": "RANGE (event_id)"},
    )


class DeliveryAttempt(Owned, Record):
    """One POST. Its id is the X-Service-Delivery header."""

    __tablename__ = "delivery_attempt"

    # Of the parent, which refers to the organization. A cluster divides tables by it.
    organization_id: Mapped[UUID] = mapped_column()
    delivery_id: Mapped[UUID]
    number: Mapped[int]
    started_at: Mapped[datetime] = mapped_column(server_default=func.now())
    duration_ms: Mapped[int]
    response_status: Mapped[int | None]
    # The reason of a failure (webhooks.posting.Reason), never the response.
    error: Mapped[str | None]

    __table_args__ = (
        Index("ix_delivery_attempt_delivery", "delivery_id", "number"),
        CheckConstraint("number >= 1", name="number_counts_from_one"),
        {"postgresql_partition_by": "RANGE (id)"},
    )
