"""Watchlists, their indexes, and monitors."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Text

from acredita.kit.sealed import BYTES, TEXT, Sealed, SealedBytes, SealedOrNull, json_of
from acredita.models.base import Base, Record, one_of
from acredita.models.tenancy import Owned, refers_to


class Standing(StrEnum):
    LISTED = "listed"
    # The list itself withdraws the suspicion (SAT 69-B): the entry is stored, but is no match.
    CLEARED = "cleared"


class MonitorState(StrEnum):
    ACTIVE = "active"
    DISABLED = "disabled"
    # Its 90 days are over.
    ENDED = "ended"


class Outcome(StrEnum):
    CLEAN = "clean"
    HIT = "hit"


class Watchlist(Base):
    __tablename__ = "aml_list"

    id: Mapped[str] = mapped_column(primary_key=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    name: Mapped[str]
    publisher: Mapped[str]
    format: Mapped[str]
    # Invented names, so that a new installation has a list to screen against.
    is_sandbox: Mapped[bool] = mapped_column(server_default=text("false"))
    # Number of loads that changed something; 0 before the first load.
    version: Mapped[int] = mapped_column(server_default=text("0"))
    # Entries that can match; cleared ones do not count.
    entries: Mapped[int] = mapped_column(server_default=text("0"))
    # When it was published, if the files say so.
    as_of: Mapped[datetime | None]
    loaded_at: Mapped[datetime | None]
    sha256: Mapped[bytes | None]
    # When its source last confirmed this content.
    confirmed_at: Mapped[datetime | None]
    # The last failed refresh after that, and why: a code, and a sentence for the operator.
    failed_at: Mapped[datetime | None]
    failure: Mapped[str | None]
    failure_message: Mapped[str | None]
    # By URL: ETag, Last-Modified and digest of the last load.
    validators: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'"))


class WatchlistVersion(Base):
    """The result of each load, stored to explain past screenings."""

    __tablename__ = "aml_list_version"

    list_id: Mapped[str] = mapped_column(ForeignKey("aml_list.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    loaded_at: Mapped[datetime] = mapped_column(server_default=func.now())
    as_of: Mapped[datetime | None]
    sha256: Mapped[bytes]
    entries: Mapped[int]
    added: Mapped[int]
    changed: Mapped[int]
    removed: Mapped[int]


class WatchlistEntity(Base):
    """A person, company, vessel … of one list. A row stays when it leaves the list."""

    __tablename__ = "aml_entity"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    list_id: Mapped[str] = mapped_column(ForeignKey("aml_list.id"))
    # The publisher's id.
    source_id: Mapped[str]
    entity_type: Mapped[str]
    standing: Mapped[str]
    # [{text, kind, given, family}], the primary name first.
    names: Mapped[list[dict[str, Any]]]
    # ISO 3166-1 alpha-2; results show the first.
    countries: Mapped[list[str]] = mapped_column(ARRAY(Text))
    # 1975, 1975-03 or 1975-03-21.
    dates_of_birth: Mapped[list[str]] = mapped_column(ARRAY(Text))
    # Objects of kind and value.
    identifiers: Mapped[list[dict[str, Any]]]
    programs: Mapped[list[str]] = mapped_column(ARRAY(Text))
    # What the list says besides: the fields of providers.watchlists.protocol.Details.
    details: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'"))
    # Hashes of identifiers and of names with a full date of birth: entries about one person share
    # some of them.
    link_keys: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), server_default=text("'{}'"))
    # The lowest id of the entries about the same person or firm; null for a single entry.
    cluster_id: Mapped[int | None] = mapped_column(BigInteger)
    row_hash: Mapped[bytes]
    # The list's versions that added its present form, and that removed it.
    changed_version: Mapped[int]
    removed_version: Mapped[int | None]

    __table_args__ = (
        UniqueConstraint("list_id", "source_id"),
        one_of("standing", Standing),
        Index("ix_aml_entity_changed", "list_id", "changed_version"),
        Index(
            "ix_aml_entity_cluster_id",
            "cluster_id",
            postgresql_where=text("cluster_id IS NOT NULL"),
        ),
    )


class WatchlistEntityForm(Base):
    """A former form of an entry. The present one is in `aml_entity`."""

    __tablename__ = "aml_entity_form"

    entity_id: Mapped[int] = mapped_column(ForeignKey("aml_entity.id"), primary_key=True)
    # The list's versions that had it: from `version` to the one before `ended_version`.
    version: Mapped[int] = mapped_column(primary_key=True)
    ended_version: Mapped[int]
    # The columns of the entry that its list fills.
    content: Mapped[dict[str, Any]]


class ScreeningIndexFile(Base):
    """An index of the lists: a file in the storage, which every process maps into memory."""

    __tablename__ = "aml_index"

    version: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    # {list id: {version, name, asOf, loadedAt, sandbox, entries}} when it was built.
    lists: Mapped[dict[str, Any]]
    entries: Mapped[int]
    names: Mapped[int]
    # The index engine's format: an index in another format is rebuilt, not opened.
    form: Mapped[int]
    sha256: Mapped[bytes]
    size: Mapped[int] = mapped_column(BigInteger)
    storage_key: Mapped[str] = mapped_column(unique=True)
    # The file's own key.
    data_key_sealed: Mapped[SealedBytes]
    data_key = Sealed("aml_index:{version}", BYTES)


class Monitor(Owned, Record):
    """A name that is screened every 24 hours for 90 days; one per verification."""

    __tablename__ = "aml_monitor"

    verification_id: Mapped[UUID] = refers_to("verification.id", ondelete="CASCADE")
    state: Mapped[str]
    # The name that is screened.
    subject_sealed: Mapped[SealedBytes]
    subject = Sealed("aml_monitor:{id}", json_of(dict[str, str]))
    started_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    next_screening_at: Mapped[datetime | None]
    screened_at: Mapped[datetime | None]
    # The index of the last screening.
    index_version: Mapped[int | None] = mapped_column(BigInteger)
    outcome: Mapped[str | None]
    # The record of the present answer (deleted years after the monitor's end), and a keyed hash of
    # the question and this answer.
    screening_id: Mapped[UUID | None]
    answer_hash: Mapped[bytes | None]

    __table_args__ = (
        one_of("state", MonitorState),
        CheckConstraint("outcome IN ('clean', 'hit')", name="outcome_known"),
        UniqueConstraint("verification_id", "organization_id"),
        Index("ix_aml_monitor_active", "id", postgresql_where=text("state = 'active'")),
        Index("ix_aml_monitor_newest", "organization_id", "created_at", "id"),
    )


class MonitorMatch(Owned, Record):
    """An entry that matches a monitored name now, or did in the past."""

    __tablename__ = "aml_monitor_match"

    monitor_id: Mapped[UUID] = refers_to("aml_monitor.id", ondelete="CASCADE")
    entity_id: Mapped[int] = mapped_column(ForeignKey("aml_entity.id"))
    # The hit with the reviewers' decision; null until the first screening of this release.
    hit_id: Mapped[UUID | None]
    score: Mapped[float]
    # The highest score that an event reported.
    announced_score: Mapped[float]
    announced_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    # When it stopped matching: another name is monitored, or the entry changed or left its list.
    gone_at: Mapped[datetime | None]
    # The entry at the last screening. A dismissal holds until the entry changes.
    row_hash: Mapped[bytes]
    dismissed_at: Mapped[datetime | None]
    dismissed_by: Mapped[UUID | None]
    # The reviewer's reason.
    notes_sealed: Mapped[SealedBytes | None]
    notes = SealedOrNull("aml_match:{id}", TEXT)

    __table_args__ = (
        UniqueConstraint("monitor_id", "entity_id", "organization_id"),
        Index("ix_aml_monitor_match_hit_id", "hit_id"),
    )


class MonitorOutcome(Owned, Record):
    """The history of a monitor: one row for each change of its result."""

    __tablename__ = "aml_monitor_outcome"

    monitor_id: Mapped[UUID] = refers_to("aml_monitor.id", ondelete="CASCADE")
    outcome: Mapped[str]
    # Open matches: neither gone nor dismissed.
    matches: Mapped[int]
    # enabled, daily, list_change, review
    cause: Mapped[str]
    index_version: Mapped[int | None] = mapped_column(BigInteger)

    __table_args__ = (
        one_of("outcome", Outcome),
        Index("ix_aml_monitor_outcome_monitor", "monitor_id", "id"),
    )
