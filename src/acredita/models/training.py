"""The labelling queue, labels and batches."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from acredita.kit.sealed import JSON_OBJECT, Sealed, SealedBytes
from acredita.models.base import Record
from acredita.models.leasing import Leased
from acredita.models.tenancy import Owned, refers_to

OPEN = text("labelled_at IS NULL")
# The filters' columns follow the order of each strategy, so that filters apply within the index.
FILTERED_BY = ("read_type", "metamap_status", "hit_rate", "batch_id")


class TrainingBatch(Owned, Record):
    """Documents that an operator selected to be labelled."""

    __tablename__ = "training_batch"
    # The former release groups by this key (training/progress): until the next one.
    has_organization_in_key = False

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"), index=True)
    name: Mapped[str]

    __table_args__ = (UniqueConstraint("id", "organization_id"),)


class TrainingItem(Leased, Owned):
    """A document that DOCUMENT_OCR has judged: the criteria to choose it, and its lease.

    It contains no values of the document, only codes, numbers and ids.
    """

    __tablename__ = "training_item"

    document_id: Mapped[UUID] = refers_to("document.id", ondelete="CASCADE", primary_key=True)
    verification_id: Mapped[UUID] = refers_to("verification.id", ondelete="CASCADE", index=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    # The recognized kind.
    read_type: Mapped[str]
    engine_version: Mapped[str]
    rules_version: Mapped[str]
    # Of its fields; 0 if none was read.
    lowest_confidence: Mapped[float]
    # Number of fields whose sources contradict each other.
    disagreements: Mapped[int]
    # Share of its fields that were accepted; 0 if none was read.
    hit_rate: Mapped[float]
    # The verification's status, in MetaMap's terms.
    metamap_status: Mapped[str]
    random_order: Mapped[float] = mapped_column(server_default=func.random())
    batch_id: Mapped[UUID | None] = refers_to("training_batch.id", ondelete="SET NULL")
    labelled_at: Mapped[datetime | None]

    __table_args__ = (
        *(
            Index(
                f"ix_training_item_by_{column}",
                "organization_id",
                column,
                "document_id",
                *FILTERED_BY,
                postgresql_where=OPEN,
            )
            for column in ("lowest_confidence", "disagreements", "random_order", "created_at")
        ),
        # Several filters match few documents: sorting them is faster than a walk of the order.
        Index("ix_training_item_filtered", "organization_id", *FILTERED_BY, postgresql_where=OPEN),
        Index("ix_training_item_batch", "batch_id", postgresql_where=text("batch_id IS NOT NULL")),
        Index(
            "ix_training_item_leased",
            "organization_id",
            "lease_owner",
            postgresql_where=text("lease_owner IS NOT NULL"),
        ),
    )


class TrainingSkip(Owned):
    """A reviewer skipped a document, and is not offered it again."""

    __tablename__ = "training_skip"

    document_id: Mapped[UUID] = refers_to(
        "training_item.document_id", ondelete="CASCADE", primary_key=True
    )
    reviewer_id: Mapped[UUID] = mapped_column(primary_key=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (Index("ix_training_skip_reviewer", "organization_id", "reviewer_id"),)


class TrainingLabel(Owned, Record):
    """A reviewer's label of a document. Every version stays; the last one counts."""

    __tablename__ = "training_label"

    document_id: Mapped[UUID] = refers_to("training_item.document_id", ondelete="CASCADE")
    version: Mapped[int]
    is_last: Mapped[bool]
    # client or user, and the id of the API key or user.
    reviewer_kind: Mapped[str]
    reviewer_id: Mapped[UUID]
    read_type: Mapped[str]
    # The type according to the reviewer; `read_type` by default.
    document_type: Mapped[str]
    review_seconds: Mapped[float | None]
    # Fields that another reviewer's label also judges, and agreements; null if there is none.
    compared: Mapped[int | None]
    agreed: Mapped[int | None]
    # The whole label, as sent.
    label_sealed: Mapped[SealedBytes]
    label = Sealed("training_label:{id}", JSON_OBJECT)

    __table_args__ = (
        UniqueConstraint("document_id", "version", "organization_id"),
        Index("ix_training_label_recent", "organization_id", "created_at"),
    )


class TrainingField(Owned):
    """The comparison of one field's reading with a label, without the values."""

    __tablename__ = "training_field"

    # Of the parent, which refers to the organization. A cluster divides tables by it.
    organization_id: Mapped[UUID] = mapped_column()
    label_id: Mapped[UUID] = refers_to("training_label.id", ondelete="CASCADE", primary_key=True)
    field: Mapped[str] = mapped_column(primary_key=True)
    was_read: Mapped[bool]
    # Of the reading; null if the field was not read.
    confidence: Mapped[float | None]
    decision: Mapped[str | None]
    source: Mapped[str | None]
    # How far other zones confirm it, and whether its confidence alone decides its acceptance.
    confirmation: Mapped[str | None]
    is_decided_by_confidence: Mapped[bool]
    # Null if the label does not state it.
    is_present: Mapped[bool | None]
    is_correct: Mapped[bool | None]
    is_metamap_correct: Mapped[bool | None]
