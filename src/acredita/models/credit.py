"""Checks with a credit bureau."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from acredita.domain.credit.check import CheckStatus
from acredita.models.base import Record, one_of


class CreditCheck(Record):
    """One consultation. The row is there before the bureau is asked, so that none goes unseen."""

    __tablename__ = "credit_check"

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"))
    status: Mapped[str]
    # Why there is no report (a code of ours).
    code: Mapped[str | None]
    provider: Mapped[str]
    is_sandbox: Mapped[bool]
    # JSON objects, sealed in the context `credit_check:<id>`: whom the bureau is asked about and by
    # which consent, and what is told of its report.
    question_sealed: Mapped[bytes]
    result_sealed: Mapped[bytes | None]
    finished_at: Mapped[datetime | None]
    # A legal hold defers the purge. Why is sealed in the context `verification_hold:<id>`.
    held_at: Mapped[datetime | None]
    hold_reason_sealed: Mapped[bytes | None]

    __table_args__ = (
        one_of("status", CheckStatus),
        Index("ix_credit_check_to_purge", "organization_id", "created_at"),
        Index(
            "ix_credit_check_unfinished",
            "created_at",
            postgresql_where=text("status = 'PENDING'"),
        ),
    )
