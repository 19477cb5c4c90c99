"""What makes lists of verifications fast: what can be searched of each, and how many there are."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, func
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from acredita.models.tenancy import Owned


class SearchEntry(Owned):
    """What a verification is found by. One that nothing can be found of has no row.

    Apart from the verification's own row: each of its updates would enter the grams anew.
    """

    __tablename__ = "verification_search"

    verification_id: Mapped[UUID] = mapped_column(
        ForeignKey("verification.id", ondelete="CASCADE"), primary_key=True
    )
    organization_id: Mapped[UUID] = mapped_column(index=True)
    # The verification's own, so that hits are put in order without a look at each verification.
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    # External id and metadata values, case-folded; searches are held against it.
    text: Mapped[str]
    # Every three letters in a row of that text, as numbers of the organization's own.
    grams: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    # Keyed hashes of the words of names that documents show.
    name_words: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))

    __table_args__ = (
        Index(
            "ix_verification_search_found_by",
            "grams",
            "name_words",
            postgresql_using="gin",
            # A search reads what waits to be entered, so little may wait.
            postgresql_with={"gin_pending_list_limit": 512},
        ),
    )


class Tally(Owned):
    """A change of how many verifications an organization has in a status; the sum is the number.

    Triggers of the table `verification` add rows and never change any, so that no two
    transactions wait for each other; a job folds the rows of one status into one.
    """

    __tablename__ = "verification_tally"

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    organization_id: Mapped[UUID] = mapped_column()
    status: Mapped[str]
    change: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (Index("ix_verification_tally_of", "organization_id", "status"),)
