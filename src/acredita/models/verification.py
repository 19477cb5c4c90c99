"""A verification, its steps and its documents."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import Index, UniqueConstraint, func, text
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
from acredita.models.tenancy import Owned, refers_to


class Verification(Owned, Record):
    __tablename__ = "verification"

    # The id is a capability (one-time passwords, browser flow), so all its bits are random.
    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.capability)
    workflow_id: Mapped[UUID] = refers_to("workflow.id")
    status: Mapped[str]
    external_id: Mapped[str | None]
    verification_metadata: Mapped[dict[str, Any] | None] = mapped_column("metadata")
    callback_url: Mapped[str | None]
    callback_secret_sealed: Mapped[SealedBytes | None]
    callback_secret = SealedOrNull("verification_callback:{id}", TEXT)
    ip_address: Mapped[str | None]
    # Of the client or browser that started it, for MetaMap's API alone.
    user_agent_sealed: Mapped[SealedBytes | None]
    user_agent = SealedOrNull("verification:{id}:user_agent", TEXT)
    # Whether a browser session opened it: a step that cannot read its picture asks for a retake.
    has_session: Mapped[bool] = mapped_column(server_default=text("false"))
    # Whether a link for the person exists, or existed: the browser flow then requires a token.
    has_link: Mapped[bool] = mapped_column(server_default=text("false"))
    # The decision, the version of its rules, and its codes.
    decision: Mapped[dict[str, Any] | None]
    # What a policy knows besides the steps (domain/policies/circumstances), as of the decision.
    circumstances: Mapped[dict[str, Any] | None]
    # The subject. All evidence must belong to this person. Written under the row's lock.
    subject_sealed: Mapped[SealedBytes | None]
    subject = SealedOrNull("verification:{id}:subject", json_of(Subject))
    # The note of the last decision by a release that kept no history (HistoryEntry).
    notes_sealed: Mapped[SealedBytes | None]
    notes = SealedOrNull("verification:{id}", TEXT)
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    completed_at: Mapped[datetime | None]
    expires_at: Mapped[datetime]
    # When the relationship with the person ended, or will end: see Organization.retention_start.
    relationship_ended_at: Mapped[datetime | None]
    # A legal hold defers the purge.
    held_at: Mapped[datetime | None]
    hold_reason_sealed: Mapped[SealedBytes | None]
    hold_reason = SealedOrNull("verification_hold:{id}", TEXT)
    # When the purge left this row as a tombstone.
    purged_at: Mapped[datetime | None]

    @property
    def is_in_browser(self) -> bool:
        """Whether a person goes through it in a browser, and not a system by the API alone."""
        return self.has_session or self.has_link

    __table_args__ = (
        one_of("status", VerificationStatus),
        Index("ix_verification_recent", "organization_id", text("created_at DESC"), "id"),
        # Recently decided verifications: the invariants check each of them once. A BRIN index has
        # no entry for each row, so it does not prevent HOT updates (PostgreSQL 16 and later).
        Index(
            "ix_verification_changed",
            "updated_at",
            postgresql_using="brin",
            postgresql_with={"pages_per_range": 16, "autosummarize": "on"},
        ),
        Index(
            "ix_verification_to_purge",
            "organization_id",
            "created_at",
            # A tombstone can have notes: a decision can be changed at any time.
            postgresql_where=text("purged_at IS NULL OR notes_sealed IS NOT NULL"),
        ),
        Index(
            "ix_verification_held",
            "organization_id",
            "held_at",
            "id",
            postgresql_where=text("held_at IS NOT NULL"),
        ),
        # No index has a column that a change of status changes, and pages have room for the new
        # version: such an update is HOT and writes to no index.
        {"postgresql_with": {"fillfactor": 75}},
    )


class VerificationStep(Owned, Record):
    """One step of the workflow's snapshot, and its result."""

    __tablename__ = "verification_step"

    # Of the parent, which refers to the organization. A cluster divides tables by it.
    organization_id: Mapped[UUID] = mapped_column()
    verification_id: Mapped[UUID] = refers_to("verification.id", ondelete="CASCADE")
    position: Mapped[int]
    type: Mapped[str]
    config: Mapped[dict[str, Any]]
    status: Mapped[str]
    # Why the step did not pass (CURP_STATUS_ANNULLED, DOCUMENT_EXPIRED ...).
    code: Mapped[str | None]
    # Both contain personal data. `evidence` lists the read fields.
    result_sealed: Mapped[SealedBytes | None]
    result = SealedOrNull("verification_step:{id}", JSON_OBJECT)
    evidence_sealed: Mapped[SealedBytes | None]
    evidence = SealedOrNull("verification_step:{id}", JSON)
    # The engine, provider and rules that judged it, with their versions.
    judged_by: Mapped[dict[str, Any] | None]
    # The number of retakes, and the time of the last one by role. Earlier uploads in that role do
    # not count for the step.
    retakes: Mapped[int] = mapped_column(server_default=text("0"))
    asked_again: Mapped[dict[str, Any] | None]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]

    __table_args__ = (
        # Only the migrations have the CHECK of `type`: the table of step types (domain.steps) is
        # complete only after the modules of the steps are imported.
        one_of("status", StepStatus),
        UniqueConstraint("verification_id", "position", "organization_id"),
    )


class Document(Owned, Record):
    """An uploaded file. The row holds the file's data key, never its bytes."""

    __tablename__ = "document"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.capability)
    verification_id: Mapped[UUID] = refers_to("verification.id", ondelete="CASCADE")
    # The role of the upload: front, back, selfie, passport, liveness, proofOfAddress.
    type: Mapped[str]
    mime_type: Mapped[str]
    file_size: Mapped[int]
    sha256: Mapped[bytes]
    storage_key: Mapped[str]
    # The file's own key.
    data_key_sealed: Mapped[SealedBytes]
    data_key = Sealed("document:{id}", BYTES)
    # The engine's readings of its pages: each file is read once.
    reading_sealed: Mapped[SealedBytes | None]
    reading = SealedOrNull("document:{id}:reading", json_of(list[PageReading]))
    # CaptureSource, as the browser states it; null: it states nothing.
    source: Mapped[str | None]
    # The position among the documents of one request; with created_at, the order of arrival.
    position: Mapped[int] = mapped_column(server_default=text("0"))

    __table_args__ = (
        Index("ix_document_verification", "verification_id", "created_at"),
        UniqueConstraint("storage_key", "organization_id"),
    )


class MediaKind(StrEnum):
    # The flattened, upright page.
    PAGE = "page"
    # The portrait that selfies are compared with, cut out of the page.
    PORTRAIT = "portrait"
    # A frame of a liveness challenge.
    FRAME = "frame"


class Media(Owned, Record):
    """A picture that the engine derived from a document: a JPEG file of its own."""

    __tablename__ = "media"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.capability)
    document_id: Mapped[UUID] = refers_to("document.id", ondelete="CASCADE")
    kind: Mapped[str]
    storage_key: Mapped[str]
    # The file's own key.
    data_key_sealed: Mapped[SealedBytes]
    data_key = Sealed("media:{id}", BYTES)
    # The page of the document that it shows.
    position: Mapped[int] = mapped_column(server_default=text("0"))

    __table_args__ = (
        one_of("kind", MediaKind),
        Index("ix_media_document", "document_id", "position"),
        UniqueConstraint("storage_key", "organization_id"),
    )
