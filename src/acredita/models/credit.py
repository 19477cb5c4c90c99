"""Consultations of credit bureaus."""

from datetime import datetime
from functools import partial
from typing import Any

import orjson
from sqlalchemy import Index, text
from sqlalchemy.orm import Mapped

from acredita.domain.credit.status import CheckStatus
from acredita.kit.sealed import TEXT, Codec, Sealed, SealedBytes, SealedOrNull
from acredita.models.base import Record, one_of
from acredita.models.tenancy import Owned

JSON_WITH_AMOUNTS: Codec[Any] = Codec(partial(orjson.dumps, default=float), orjson.loads)


class CreditCheck(Owned, Record):
    """One consultation. The row is committed before the query, so that none is unrecorded."""

    __tablename__ = "credit_check"

    status: Mapped[str]
    # Why there is no report (a code of the service).
    code: Mapped[str | None]
    provider: Mapped[str]
    is_sandbox: Mapped[bool]
    # The person and their consent, and the stored part of the report.
    question_sealed: Mapped[SealedBytes]
    question = Sealed("credit_check:{id}", JSON_WITH_AMOUNTS)
    result_sealed: Mapped[SealedBytes | None]
    result = SealedOrNull("credit_check:{id}", JSON_WITH_AMOUNTS)
    finished_at: Mapped[datetime | None]
    # A legal hold defers the purge.
    held_at: Mapped[datetime | None]
    hold_reason_sealed: Mapped[SealedBytes | None]
    hold_reason = SealedOrNull("verification_hold:{id}", TEXT)

    __table_args__ = (
        one_of("status", CheckStatus),
        Index("ix_credit_check_to_purge", "organization_id", "created_at"),
        Index(
            "ix_credit_check_unfinished",
            "created_at",
            postgresql_where=text("status = 'PENDING'"),
        ),
    )
