"""How many jobs and deliveries there are, kept as they change."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, Identity, Index
from sqlalchemy.orm import Mapped, mapped_column

from acredita.models.base import Base

# The `queue` of the rows that count deliveries.
DELIVERIES = "deliveries"


class WorkTally(Base):
    """A change of the number of jobs or deliveries in a state; the sum is the number.

    Triggers of the tables `job` and `delivery` only add rows, so that no two transactions wait for
    each other. A job merges them. Pending and dead jobs are counted, and all deliveries: running
    jobs are as few as the workers' places.
    """

    __tablename__ = "work_tally"

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    # None: jobs of the installation.
    organization_id: Mapped[UUID | None]
    queue: Mapped[str]
    kind: Mapped[str]
    state: Mapped[str]
    # The second in which pending jobs are due; the hour in which deliveries ended. What is past, or
    # has no time, is merged into -infinity.
    at: Mapped[datetime]
    change: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (Index("ix_work_tally_of", "organization_id", "queue", "kind"),)
