"""Tables that make lists of verifications fast: search entries and counts."""

from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Identity,
    Index,
    SmallInteger,
    func,
    literal_column,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from acredita.models.base import Base, one_of
from acredita.models.tenancy import Owned, refers_to


class SearchEntry(Owned):
    """The searchable text of a verification. A verification without any has no row.

    A table of its own, because each update of a verification would index the grams again.
    """

    __tablename__ = "verification_search"

    verification_id: Mapped[UUID] = refers_to(
        "verification.id", ondelete="CASCADE", primary_key=True
    )
    organization_id: Mapped[UUID] = mapped_column()
    # A copy of the verification's, to sort matches without reading each verification.
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    # External id and metadata values, case-folded; a search compares matches with it.
    text: Mapped[str]
    # The trigrams of that text, as keyed numbers of the organization.
    grams: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    # Keyed hashes of the words of the names on documents, and of CURP, RFC, phone and e-mail.
    name_words: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    # How many of them there were when NameWord had all words. If there are others, a former release
    # has added some, and a search for one word looks for them here.
    hashes_covered: Mapped[int] = mapped_column(server_default=literal_column("-1"))

    __table_args__ = (
        # A search that compares the newest verifications finds their rows by it, in its order.
        Index("ix_verification_search_by_age", "organization_id", "created_at", "verification_id"),
        Index(
            "ix_verification_search_found_by",
            "grams",
            "name_words",
            postgresql_using="gin",
            # A search scans the pending list, so it must stay short.
            postgresql_with={"gin_pending_list_limit": 512},
        ),
        Index(
            "ix_verification_search_not_covered",
            "name_words",
            postgresql_using="gin",
            postgresql_with={"gin_pending_list_limit": 512},
            postgresql_where=literal_column("cardinality(name_words) <> hashes_covered"),
        ),
    )


class NameWord(Owned):
    """A word of the names on a verification's documents, as keyed hashes of its beginnings.

    For a search for one word, which tens of thousands of verifications can have: it reads and
    counts a range of the primary key, and no row of a table. `resources/verifications/name_words`
    describes the token.
    """

    __tablename__ = "name_word"

    organization_id: Mapped[UUID] = mapped_column(primary_key=True)
    token: Mapped[bytes] = mapped_column(primary_key=True)
    # A copy of the verification's.
    created_at: Mapped[datetime] = mapped_column(primary_key=True)
    verification_id: Mapped[UUID] = refers_to(
        "verification.id", ondelete="CASCADE", primary_key=True, index=True
    )
    # How many first letters another word of the verification has, too, that was added before.
    shared: Mapped[int] = mapped_column(SmallInteger, primary_key=True)

    __table_args__ = (
        # The index alone answers for pages that a vacuum has seen, so it comes early.
        {"postgresql_with": {"autovacuum_vacuum_insert_scale_factor": 0.02}},
    )


class IdentifierUse(StrEnum):
    CURP = "CURP"
    # A phone or an e-mail address.
    CONTACT = "CONTACT"


class PersonIdentifier(Owned):
    """What names or reaches the person of a verification, as a keyed hash.

    A row each, and not the array of the search entry: the index gives the newest verifications with
    one identifier without reading all of them, also if a million have it.
    """

    __tablename__ = "person_identifier"

    verification_id: Mapped[UUID] = refers_to(
        "verification.id", ondelete="CASCADE", primary_key=True
    )
    hash: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    organization_id: Mapped[UUID] = mapped_column()
    kind: Mapped[str]
    # A copy of the verification's.
    created_at: Mapped[datetime]

    __table_args__ = (
        one_of("kind", IdentifierUse),
        Index("ix_person_identifier_newest", "organization_id", "hash", "created_at"),
    )


class Tally(Owned):
    """A change of an organization's number of verifications in a status; the sum is the number.

    Triggers of the table `verification` only add rows, so that no two transactions wait for each
    other. A job merges the rows of one status.
    """

    __tablename__ = "verification_tally"

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    organization_id: Mapped[UUID] = mapped_column()
    status: Mapped[str]
    change: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (Index("ix_verification_tally_of", "organization_id", "status"),)


class DayTally(Owned):
    """A change of what is counted about the verifications created on one day (UTC), by workflow.

    Measures: `created`; `submitted` (it left PENDING without expiring); a final status; `seconds:N`
    (it was first decided within the Nth interval, `domain/overview`); `reason:CODE` (its last
    decision has the code); `label:…` (what the last label of each document says about the reading).
    Triggers of `verification` and labels only add rows; a job merges them.
    """

    __tablename__ = "verification_day_tally"

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    organization_id: Mapped[UUID] = mapped_column()
    day: Mapped[date]
    workflow_id: Mapped[UUID]
    measure: Mapped[str]
    change: Mapped[int] = mapped_column(BigInteger)
    # Whether the job merged it.
    is_sum: Mapped[bool] = mapped_column(server_default=text("false"))

    __table_args__ = (
        Index(
            "ix_verification_day_tally_of",
            "organization_id",
            "day",
            "workflow_id",
            "measure",
            postgresql_include=["change"],
        ),
        Index("ix_verification_day_tally_new", "id", postgresql_where=text("NOT is_sum")),
    )


class VerificationInStatus(Base):
    """The status of a verification, for queries by status. Triggers of `verification` keep it.

    A narrow table with the indexes that each change of status writes to, so that the wide rows of
    `verification` need none.
    """

    __tablename__ = "verification_in_status"

    organization_id: Mapped[UUID] = mapped_column(primary_key=True)
    status: Mapped[str] = mapped_column(primary_key=True)
    created_at: Mapped[datetime] = mapped_column(primary_key=True)
    verification_id: Mapped[UUID] = mapped_column(primary_key=True)
    expires_at: Mapped[datetime]

    __table_args__ = (
        Index(
            "ix_verification_in_status_open",
            "expires_at",
            postgresql_where=text("status IN ('PENDING', 'IN_PROGRESS')"),
        ),
        {"postgresql_with": {"fillfactor": 80}},
    )
