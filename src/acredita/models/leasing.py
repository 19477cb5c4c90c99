"""Rows that one reviewer works on at a time: the lease, for every queue of reviewers."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Mapped, mapped_column


class Leased:
    """The columns of a lease. A row without a lease, or with one that has ended, is free."""

    lease_owner: Mapped[UUID | None] = mapped_column()
    lease_until: Mapped[datetime | None] = mapped_column()

    def is_leased_to_another(self, reviewer_id: UUID, now: datetime) -> bool:
        return self.holder(now) not in {None, reviewer_id}

    def holder(self, now: datetime) -> UUID | None:
        """Return the id of the reviewer whose lease has not ended."""
        return holder_of(self.lease_owner, self.lease_until, now)

    def lease_to(self, reviewer_id: UUID, until: datetime) -> None:
        self.lease_owner, self.lease_until = reviewer_id, until

    def end_lease(self) -> None:
        self.lease_owner = self.lease_until = None


def holder_of(owner: UUID | None, until: datetime | None, now: datetime) -> UUID | None:
    """Return the owner of a lease that has not ended."""
    return owner if until is not None and until > now else None
