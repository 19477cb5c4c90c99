"""Hits: a customer and an entry of a watchlist that it matches, and what reviewers decided."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from acredita.kit.sealed import JSON_OBJECT, TEXT, Sealed, SealedBytes, SealedOrNull
from acredita.models.base import Record, one_of
from acredita.models.leasing import Leased
from acredita.models.tenancy import Owned, refers_to


class HitState(StrEnum):
    OPEN = "open"
    NEEDS_INFORMATION = "needs_information"
    TRUE_HIT = "true_hit"
    FALSE_HIT = "false_hit"


class ReviewKind(StrEnum):
    DECIDED = "decided"
    # It waits for a second reviewer.
    PROPOSED = "proposed"
    DECLINED = "declined"


class Hit(Leased, Owned, Record):
    """A customer of the organization that matches an entry.

    The id is a keyed hash of organization, customer and entry, so every screening that finds the
    same pair finds the same hit. A state holds for one form of the entry and one form of the
    person: with another one the hit is open again.
    """

    __tablename__ = "aml_hit"

    entity_id: Mapped[int] = mapped_column(ForeignKey("aml_entity.id"))
    # Keyed hashes: of the customer, and of name, date of birth, RFC and CURP.
    customer_hash: Mapped[bytes]
    person_hash: Mapped[bytes]
    # The entry at the last screening.
    row_hash: Mapped[bytes]
    score: Mapped[float]
    state: Mapped[str]
    opened_at: Mapped[datetime]
    # The last screening that found it, and the last record that has it.
    seen_at: Mapped[datetime]
    screening_id: Mapped[UUID | None] = refers_to("aml_screening.id", ondelete="SET NULL")
    # The verification that the person's facts come from. Its purge deletes the hit.
    verification_id: Mapped[UUID | None] = refers_to("verification.id")
    # The question of the screening that opened it last.
    person_sealed: Mapped[SealedBytes]
    person = Sealed("aml_hit:{id}:person", JSON_OBJECT)
    decided_at: Mapped[datetime | None]
    decided_by: Mapped[UUID | None]
    # The review that waits for a second reviewer.
    proposal_id: Mapped[UUID | None]
    # When the reviewer who holds the lease claimed it.
    claimed_at: Mapped[datetime | None]
    lease_owner: Mapped[UUID | None] = mapped_column("claimed_by")
    lease_until: Mapped[datetime | None] = mapped_column("claimed_until")

    __table_args__ = (
        one_of("state", HitState),
        Index("ix_aml_hit_queue", "organization_id", "state", "opened_at", "id"),
        Index("ix_aml_hit_customer", "organization_id", "customer_hash"),
        Index("ix_aml_hit_screening_id", "screening_id"),
        Index("ix_aml_hit_verification_id", "verification_id"),
        Index("ix_aml_hit_seen_at", "organization_id", "seen_at"),
    )


class HitReview(Owned, Record):
    """What a reviewer decided, proposed or declined. A row never changes."""

    __tablename__ = "aml_hit_review"

    hit_id: Mapped[UUID] = refers_to("aml_hit.id", ondelete="CASCADE")
    kind: Mapped[str]
    decision: Mapped[str]
    actor_type: Mapped[str]
    actor_id: Mapped[UUID]
    # The proposal that this row confirms or declines.
    proposal_id: Mapped[UUID | None]
    # The forms of the entry and of the person that the reviewer saw.
    row_hash: Mapped[bytes]
    person_hash: Mapped[bytes]
    note_sealed: Mapped[SealedBytes | None]
    note = SealedOrNull("aml_hit_review:{id}", TEXT)

    __table_args__ = (
        one_of("kind", ReviewKind),
        one_of("decision", HitState),
        Index("ix_aml_hit_review_hit_id", "hit_id", "id"),
    )
