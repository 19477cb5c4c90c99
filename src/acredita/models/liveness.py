"""The active liveness challenges of verifications."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, LargeBinary, Text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from acredita.models.base import Record


class LivenessChallenge(Record):
    """What a person was asked to do, and the frames that came back; each is answered once."""

    __tablename__ = "liveness_challenge"

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"))
    verification_id: Mapped[UUID] = mapped_column(ForeignKey("verification.id", ondelete="CASCADE"))
    nonce_digest: Mapped[bytes]
    # In the order to be followed: [{"id": "p1", "move": "look_straight"}, ...].
    prompts: Mapped[list[dict[str, Any]]]
    expires_at: Mapped[datetime]
    submitted_at: Mapped[datetime | None]
    # The document of the role `liveness` whose media are the frames; gone with it.
    document_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("document.id", ondelete="CASCADE"), unique=True
    )
    # The prompt that each frame was taken at, in the frames' order.
    frame_prompts: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    frame_digests: Mapped[list[bytes] | None] = mapped_column(ARRAY(LargeBinary))
    # Whether a frame was sent before, with this challenge or another of the organization.
    repeats_frames: Mapped[bool | None]

    __table_args__ = (
        Index("ix_liveness_challenge_verification", "verification_id", "created_at"),
        Index(
            "ix_liveness_challenge_frames",
            "frame_digests",
            postgresql_using="gin",
        ),
    )
