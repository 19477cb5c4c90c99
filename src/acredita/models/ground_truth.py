"""Images with known content, and the engines' results for them."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from acredita.kit.sealed import BYTES, JSON, TEXT, Sealed, SealedBytes, SealedOrNull
from acredita.models.base import Record, one_of
from acredita.models.tenancy import Owned, refers_to


class TrialStatus(StrEnum):
    """Status of an engine's processing of a sample."""

    PENDING = "PENDING"
    DONE = "DONE"
    # The engine crashed or timed out on this picture.
    FAILED = "FAILED"


class TruthFile(Owned, Record):
    """A picture of a sample, encrypted with its own data key (`truth_file:<id>`)."""

    __tablename__ = "truth_file"

    mime_type: Mapped[str]
    file_size: Mapped[int]
    sha256: Mapped[bytes]
    storage_key: Mapped[str]
    data_key_sealed: Mapped[SealedBytes]
    data_key = Sealed("truth_file:{id}", BYTES)

    __table_args__ = (UniqueConstraint("storage_key", "organization_id"),)


class LicenceTruth(Owned, Record):
    """A driver's licence with known state and fields."""

    __tablename__ = "licence_truth"

    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    file_id: Mapped[UUID] = refers_to("truth_file.id")
    # The state's code in a CURP; null if it is not known yet.
    state: Mapped[str | None]
    # {fields: {name: value}, notes}, and the last two readings: {name: [value, confidence]}.
    truth_sealed: Mapped[SealedBytes]
    truth = Sealed("licence_truth:{id}", JSON)
    reading_sealed: Mapped[SealedBytes | None]
    reading = SealedOrNull("licence_truth:{id}", JSON)
    previous_sealed: Mapped[SealedBytes | None]
    previous = SealedOrNull("licence_truth:{id}", JSON)
    status: Mapped[str] = mapped_column(server_default=TrialStatus.PENDING.value)
    read_at: Mapped[datetime | None]
    # {engine, rules, kind, state, model} of the last reading and of the one before it.
    read_by: Mapped[dict[str, Any] | None]
    previously_read_by: Mapped[dict[str, Any] | None]
    # The numbers of known fields and of correctly read ones.
    compared: Mapped[int] = mapped_column(server_default=text("0"))
    correct: Mapped[int] = mapped_column(server_default=text("0"))

    __table_args__ = (
        one_of("status", TrialStatus),
        UniqueConstraint("file_id", "organization_id"),
        Index("ix_licence_truth_recent", "organization_id", text("created_at DESC"), "id"),
        Index(
            "ix_licence_truth_of_state", "organization_id", "state", text("created_at DESC"), "id"
        ),
    )


class SelfieTruth(Owned, Record):
    """A selfie and a document, known to show the same person or two people."""

    __tablename__ = "selfie_truth"

    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    selfie_file_id: Mapped[UUID] = refers_to("truth_file.id")
    document_file_id: Mapped[UUID] = refers_to("truth_file.id")
    is_same_person: Mapped[bool]
    notes_sealed: Mapped[SealedBytes | None]
    notes = SealedOrNull("selfie_truth:{id}", TEXT)
    status: Mapped[str] = mapped_column(server_default=TrialStatus.PENDING.value)
    # {code, distance, similarity, band, engine, calibration, at} of the last comparison and of the
    # one before it. No personal data.
    result: Mapped[dict[str, Any] | None]
    previous_result: Mapped[dict[str, Any] | None]

    __table_args__ = (
        one_of("status", TrialStatus),
        UniqueConstraint("selfie_file_id", "organization_id"),
        UniqueConstraint("document_file_id", "organization_id"),
        Index("ix_selfie_truth_recent", "organization_id", text("created_at DESC"), "id"),
    )


class OwnLicenceTemplate(Owned, Record):
    """An organization's template for one state, which takes precedence over the built-in ones. It
    was made from a licence of the ground truth, and holds captions, no personal data."""

    __tablename__ = "licence_template"

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"), index=True)
    truth_id: Mapped[UUID] = refers_to("licence_truth.id", ondelete="CASCADE")
    state: Mapped[str]
    template: Mapped[dict[str, Any]]

    __table_args__ = (UniqueConstraint("truth_id", "organization_id"),)
