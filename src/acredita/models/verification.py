"""A verification, its steps and its documents."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from acredita.domain.documents import PageReading
from acredita.domain.subject import Subject
from acredita.domain.verification import StepStatus, VerificationStatus
from acredita.kit import ids
from acredita.kit.sealed import (
    BYTES,
    JSON,
    JSON_OBJECT,
    TEXT,
    Sealed,
    SealedBytes,
    SealedOrNull,
    json_of,
)
from acredita.models.base import Record, one_of
from acredita.models.tenancy import Owned


class Verification(Owned, Record):
    __tablename__ = "verification"

    # The id is a capability (one-time passwords, browser flow), hence random throughout.
    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.capability)
    workflow_id: Mapped[UUID] = mapped_column(ForeignKey("workflow.id"))
    status: Mapped[str]
    external_id: Mapped[str | None]
    verification_metadata: Mapped[dict[str, Any] | None] = mapped_column("metadata")
    callback_url: Mapped[str | None]
    callback_secret_sealed: Mapped[SealedBytes | None]
    callback_secret = SealedOrNull("verification_callback:{id}", TEXT)
    ip_address: Mapped[str | None]
    # Opened by a session of the browser flow: a step that cannot read its picture asks for another.
    has_session: Mapped[bool] = mapped_column(server_default=text("false"))
    # What was decided, by which version of the rules, for which reasons (codes only).
    decision: Mapped[dict[str, Any] | None]
    # The person whom all evidence must be of. Written under the row's lock.
    subject_sealed: Mapped[SealedBytes | None]
    subject = SealedOrNull("verification:{id}:subject", json_of(Subject))
    # What a reviewer noted with the status set last.
    notes_sealed: Mapped[SealedBytes | None]
    notes = SealedOrNull("verification:{id}", TEXT)
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    completed_at: Mapped[datetime | None]
    expires_at: Mapped[datetime]
    # A legal hold defers the purge.
    held_at: Mapped[datetime | None]
    hold_reason_sealed: Mapped[SealedBytes | None]
    hold_reason = SealedOrNull("verification_hold:{id}", TEXT)
    # When all that is personal was deleted, and this row was left as a tombstone.
    purged_at: Mapped[datetime | None]

    __table_args__ = (
        one_of("status", VerificationStatus),
        Index("ix_verification_recent", "organization_id", text("created_at DESC"), "id"),
        Index(
            "ix_verification_recent_in_status",
            "organization_id",
            "status",
            text("created_at DESC"),
            "id",
        ),
        Index(
            "ix_verification_unfinished",
            "expires_at",
            postgresql_where=text("status IN ('PENDING', 'IN_PROGRESS')"),
        ),
        # Which were decided lately: what must be true of them is checked once each.
        Index(
            "ix_verification_decided",
            "updated_at",
            postgresql_where=text("status IN ('APPROVED', 'REJECTED', 'MANUAL_REVIEW')"),
        ),
        Index(
            "ix_verification_to_purge",
            "organization_id",
            "created_at",
            # Notes can be written on a tombstone: a decision can be changed at any time.
            postgresql_where=text("purged_at IS NULL OR notes_sealed IS NOT NULL"),
        ),
    )


class VerificationStep(Record):
    """One step of the workflow's snapshot, and what came of it."""

    __tablename__ = "verification_step"

    verification_id: Mapped[UUID] = mapped_column(ForeignKey("verification.id", ondelete="CASCADE"))
    position: Mapped[int]
    type: Mapped[str]
    config: Mapped[dict[str, Any]]
    status: Mapped[str]
    # Why the step did not pass (CURP_STATUS_ANNULLED, DOCUMENT_EXPIRED ...).
    code: Mapped[str | None]
    # Both contain personal data. `evidence` lists the fields that were read.
    result_sealed: Mapped[SealedBytes | None]
    result = SealedOrNull("verification_step:{id}", JSON_OBJECT)
    evidence_sealed: Mapped[SealedBytes | None]
    evidence = SealedOrNull("verification_step:{id}", JSON)
    # Which engine, provider and rules judged, with their versions.
    judged_by: Mapped[dict[str, Any] | None]
    # How often it asked for another picture, and by role when it last did: what was uploaded in
    # that role until then no longer counts for it.
    retakes: Mapped[int] = mapped_column(server_default=text("0"))
    asked_again: Mapped[dict[str, Any] | None]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]

    __table_args__ = (
        # The CHECK of `type` is in the migrations alone: the table of step types (domain.steps) is
        # complete only once the files that carry the steps out are imported.
        one_of("status", StepStatus),
        UniqueConstraint("verification_id", "position"),
    )


class Document(Owned, Record):
    """An uploaded file. The row holds the key of the file, never its bytes."""

    __tablename__ = "document"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.capability)
    verification_id: Mapped[UUID] = mapped_column(ForeignKey("verification.id", ondelete="CASCADE"))
    # The role it was uploaded in: front, back, selfie, passport, liveness.
    type: Mapped[str]
    mime_type: Mapped[str]
    file_size: Mapped[int]
    sha256: Mapped[bytes]
    storage_key: Mapped[str] = mapped_column(unique=True)
    # The file's own key.
    data_key_sealed: Mapped[SealedBytes]
    data_key = Sealed("document:{id}", BYTES)
    # What the engine read in each of its pages: each file is read once.
    reading_sealed: Mapped[SealedBytes | None]
    reading = SealedOrNull("document:{id}:reading", json_of(list[PageReading]))
    # Where the document stands among those of one request; with created_at, the order of arrival.
    position: Mapped[int] = mapped_column(server_default=text("0"))

    __table_args__ = (Index("ix_document_verification", "verification_id", "created_at"),)


class MediaKind(StrEnum):
    # The page laid flat and upright.
    PAGE = "page"
    # The face that selfies are compared with, cut out of the page.
    PORTRAIT = "portrait"
    # Of a liveness challenge.
    FRAME = "frame"


class Media(Owned, Record):
    """A picture that the engine derived from a document; a file of its own, always JPEG."""

    __tablename__ = "media"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.capability)
    document_id: Mapped[UUID] = mapped_column(ForeignKey("document.id", ondelete="CASCADE"))
    kind: Mapped[str]
    storage_key: Mapped[str] = mapped_column(unique=True)
    # The file's own key.
    data_key_sealed: Mapped[SealedBytes]
    data_key = Sealed("media:{id}", BYTES)
    # The page of the document that it is of.
    position: Mapped[int] = mapped_column(server_default=text("0"))

    __table_args__ = (
        one_of("kind", MediaKind),
        Index("ix_media_document", "document_id", "position"),
    )
