"""The queue of verifications that wait for a reviewer, and the filters that reviewers saved."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from acredita.models.base import Record
from acredita.models.leasing import Leased
from acredita.models.tenancy import Owned, refers_to


class ReviewCase(Leased, Owned):
    """A verification in MANUAL_REVIEW. Triggers of `verification` add the row and delete it.

    A purged verification has no row: nothing is left to review.
    """

    __tablename__ = "verification_review"

    verification_id: Mapped[UUID] = refers_to(
        "verification.id", ondelete="CASCADE", primary_key=True
    )
    organization_id: Mapped[UUID] = mapped_column()
    workflow_id: Mapped[UUID]
    # When the verification came into MANUAL_REVIEW.
    waiting_since: Mapped[datetime]
    # The codes of the decision's reasons; empty if a reviewer sent it to review.
    reasons: Mapped[list[str]] = mapped_column(ARRAY(Text))
    # Of the policy that sent it to review: the queue that it names, and the rule that decided. A
    # trigger takes them from the decision.
    queue: Mapped[str | None]
    rule: Mapped[str | None]
    # Who proposed a decision that waits for a second reviewer.
    proposed_by: Mapped[UUID | None]

    __table_args__ = (
        Index(
            "ix_verification_review_queue", "organization_id", "waiting_since", "verification_id"
        ),
        Index(
            "ix_verification_review_held",
            "organization_id",
            "lease_owner",
            postgresql_where=text("lease_owner IS NOT NULL"),
        ),
        {"postgresql_with": {"fillfactor": 80}},
    )


class ReviewFilter(Owned, Record):
    """Filters of the queue that a user saved under a name."""

    __tablename__ = "review_filter"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    name: Mapped[str]
    # In wire names.
    filter: Mapped[dict[str, Any]]

    __table_args__ = (UniqueConstraint("user_id", "name", "organization_id"),)
