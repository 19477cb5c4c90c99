"""Documents that were read and may be labelled by people, and what those say of them."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from acredita.kit.sealed import JSON_OBJECT, Sealed, SealedBytes
from acredita.models.base import Base, Record
from acredita.models.tenancy import Owned

OPEN = text("labelled_at IS NULL")
# Behind the order of each strategy stand the filters' columns, so that what a filter leaves out is
# passed over within the index.
FILTERED_BY = ("read_type", "metamap_status", "hit_rate", "batch_id")


class TrainingBatch(Owned, Record):
    """Documents that an operator put together to be labelled."""

    __tablename__ = "training_batch"

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"), index=True)
    name: Mapped[str]


class TrainingItem(Owned):
    """A document that DOCUMENT_OCR has judged: what it is chosen by, and who has it in hand.

    It holds nothing that was read: words of ours, numbers and ids alone.
    """

    __tablename__ = "training_item"

    document_id: Mapped[UUID] = mapped_column(
        ForeignKey("document.id", ondelete="CASCADE"), primary_key=True
    )
    verification_id: Mapped[UUID] = mapped_column(
        ForeignKey("verification.id", ondelete="CASCADE"), index=True
    )
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    # What the engine took it for.
    read_type: Mapped[str]
    engine_version: Mapped[str]
    rules_version: Mapped[str]
    # Of its fields; 0 where none was read.
    lowest_confidence: Mapped[float]
    # Fields of which readings or zones say different things.
    disagreements: Mapped[int]
    # Share of its fields that were accepted; 0 where none was read.
    hit_rate: Mapped[float]
    # The verification's status, in MetaMap's words.
    metamap_status: Mapped[str]
    random_order: Mapped[float] = mapped_column(server_default=func.random())
    batch_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("training_batch.id", ondelete="SET NULL")
    )
    labelled_at: Mapped[datetime | None]
    lease_owner: Mapped[UUID | None]
    lease_until: Mapped[datetime | None]

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
        # Several filters at once leave few: these are sorted, in place of walking the whole order.
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
    """A reviewer did not want to label a document, and is not offered it again."""

    __tablename__ = "training_skip"

    document_id: Mapped[UUID] = mapped_column(
        ForeignKey("training_item.document_id", ondelete="CASCADE"), primary_key=True
    )
    reviewer_id: Mapped[UUID] = mapped_column(primary_key=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (Index("ix_training_skip_reviewer", "organization_id", "reviewer_id"),)


class TrainingLabel(Owned, Record):
    """What a reviewer said of a document. Every version stays; the last one counts."""

    __tablename__ = "training_label"

    document_id: Mapped[UUID] = mapped_column(
        ForeignKey("training_item.document_id", ondelete="CASCADE")
    )
    version: Mapped[int]
    is_last: Mapped[bool]
    # client or user, and the id of the API key or the user.
    reviewer_kind: Mapped[str]
    reviewer_id: Mapped[UUID]
    read_type: Mapped[str]
    # What the reviewer says it is: `read_type` where nothing else was said.
    document_type: Mapped[str]
    review_seconds: Mapped[float | None]
    # Fields that another reviewer's label judged too, and those judged alike; null: nobody's.
    compared: Mapped[int | None]
    agreed: Mapped[int | None]
    # The whole label as it was sent.
    label_sealed: Mapped[SealedBytes]
    label = Sealed("training_label:{id}", JSON_OBJECT)

    __table_args__ = (
        UniqueConstraint("document_id", "version"),
        Index("ix_training_label_recent", "organization_id", "created_at"),
    )


class TrainingField(Base):
    """How one field was read, held against a label; without the values."""

    __tablename__ = "training_field"

    label_id: Mapped[UUID] = mapped_column(
        ForeignKey("training_label.id", ondelete="CASCADE"), primary_key=True
    )
    field: Mapped[str] = mapped_column(primary_key=True)
    was_read: Mapped[bool]
    # Of what was read: null where nothing was.
    confidence: Mapped[float | None]
    decision: Mapped[str | None]
    source: Mapped[str | None]
    # How far other zones confirmed it, and whether nothing but its confidence kept it from being
    # accepted, or did not.
    confirmation: Mapped[str | None]
    is_decided_by_confidence: Mapped[bool]
    # Null: the label does not say.
    is_present: Mapped[bool | None]
    is_correct: Mapped[bool | None]
    is_metamap_correct: Mapped[bool | None]
