"""Custom forms and their submissions."""

from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from acredita.kit.sealed import JSON_OBJECT, Sealed, SealedBytes
from acredita.models.base import Record
from acredita.models.tenancy import Owned, refers_to


class CustomForm(Owned, Record):
    __tablename__ = "custom_form"

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"), index=True)
    title: Mapped[str]
    description: Mapped[str | None]
    # As sent, in wire names; a form never changes.
    fields: Mapped[list[dict[str, Any]]]


class CustomSubmission(Owned, Record):
    """A valid submission of a form for a verification."""

    __tablename__ = "custom_submission"

    form_id: Mapped[UUID] = refers_to("custom_form.id")
    verification_id: Mapped[UUID] = refers_to("verification.id", ondelete="CASCADE")
    # Answers by field id.
    values_sealed: Mapped[SealedBytes]
    values = Sealed("custom_submission:{id}", JSON_OBJECT)

    __table_args__ = (
        Index("ix_custom_submission_verification", "verification_id", "form_id", "created_at"),
    )
