"""The history of verifications: results, decisions and notes, as they were at the time."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from acredita.domain.history import HistoryKind
from acredita.kit.sealed import TEXT, SealedBytes, SealedOrNull
from acredita.models.base import Record, one_of
from acredita.models.tenancy import Owned, refers_to


class HistoryEntry(Owned, Record):
    """One result, decision or note. A trigger of the migrations makes the table append-only: only
    a note can change, because key rotation seals it again and the purge deletes it.
    """

    __tablename__ = "verification_history"

    # The time of the statement: one transaction can finish a step and decide.
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    verification_id: Mapped[UUID] = refers_to("verification.id", ondelete="CASCADE")
    kind: Mapped[str]
    actor_type: Mapped[str]
    actor_id: Mapped[UUID | None]
    # Ids, codes, statuses and versions. No personal data: a tombstone keeps them.
    details: Mapped[dict[str, Any]]
    note_sealed: Mapped[SealedBytes | None]
    note = SealedOrNull("verification_history:{id}", TEXT)

    __table_args__ = (
        one_of("kind", HistoryKind),
        Index("ix_verification_history_order", "verification_id", "created_at", "id"),
        # The notes that the purge must delete.
        Index(
            "ix_verification_history_noted",
            "organization_id",
            "verification_id",
            postgresql_where=text("note_sealed IS NOT NULL"),
        ),
    )
