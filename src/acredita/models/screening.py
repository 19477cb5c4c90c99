"""The records of screenings: evidence for an auditor, also of clean ones."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from acredita.kit.sealed import JSON_OBJECT, Sealed, SealedBytes
from acredita.models.base import Record
from acredita.models.tenancy import Owned, refers_to


class AskerType(StrEnum):
    """Who asked. `caller_id` is the id of the API key, the user, the step or the monitor."""

    CLIENT = "client"
    USER = "user"
    STEP = "step"
    MONITOR = "monitor"


class ScreeningRecord(Owned, Record):
    """One question and its answer. They never change, except when they are sealed again."""

    __tablename__ = "aml_screening"

    # An AskerType.
    caller_type: Mapped[str]
    caller_id: Mapped[UUID]
    # Its purge deletes the record.
    verification_id: Mapped[UUID | None] = refers_to("verification.id")
    # Null if no list was loaded.
    index_version: Mapped[int | None] = mapped_column(BigInteger)
    # [{id, version, asOf, loadedAt}] of the lists that were screened.
    lists: Mapped[list[dict[str, Any]]]
    threshold: Mapped[float]
    # Version of the service, which includes the engine.
    engine_version: Mapped[str]
    # All matches, including those beyond the answer's.
    matches: Mapped[int]
    # A list was screened, and the answer has all matches.
    is_complete: Mapped[bool]
    is_sandbox: Mapped[bool]
    question_sealed: Mapped[SealedBytes]
    question = Sealed("aml_screening:{id}:question", JSON_OBJECT)
    # The matches, and the salt of the digest.
    answer_sealed: Mapped[SealedBytes]
    answer = Sealed("aml_screening:{id}:answer", JSON_OBJECT)
    # A monitor screens each day. Its last screening with the same answer, and what it screened.
    confirmed_at: Mapped[datetime | None]
    confirmed_index_version: Mapped[int | None] = mapped_column(BigInteger)
    confirmed_lists: Mapped[list[dict[str, Any]] | None]

    __table_args__ = (
        Index("ix_aml_screening_time", "organization_id", "created_at", "id"),
        Index(
            "ix_aml_screening_matched",
            "organization_id",
            "created_at",
            "id",
            postgresql_where=text("matches > 0"),
        ),
        Index(
            "ix_aml_screening_verification_id",
            "verification_id",
            postgresql_where=text("verification_id IS NOT NULL"),
        ),
    )
