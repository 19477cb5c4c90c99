"""One-time passwords, and the number that an organization sends per day."""

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from acredita.domain.languages import PersonLanguage
from acredita.domain.phone_and_email import Channel
from acredita.kit.sealed import SealedBytes, SealedOrNull, json_of
from acredita.models.base import Record, one_of
from acredita.models.tenancy import Owned, refers_to


@dataclass(frozen=True, slots=True)
class CodeMessage:
    address: str
    code: str
    language: PersonLanguage


class OneTimePassword(Owned, Record):
    """The last code of a verification by one channel; deleted soon after it expires."""

    __tablename__ = "one_time_password"

    verification_id: Mapped[UUID] = refers_to("verification.id", ondelete="CASCADE")
    channel: Mapped[str]
    # Keyed hashes: there are so few codes and phone numbers that plain hashes can be guessed.
    code_digest: Mapped[bytes]
    destination_digest: Mapped[bytes]
    # Null once it is sent.
    message_sealed: Mapped[SealedBytes | None]
    message = SealedOrNull("one_time_password:{id}", json_of(CodeMessage))
    guesses: Mapped[int] = mapped_column(server_default=text("0"))
    expires_at: Mapped[datetime] = mapped_column(index=True)
    used_at: Mapped[datetime | None]

    __table_args__ = (
        one_of("channel", Channel),
        CheckConstraint("guesses BETWEEN 0 AND 5", name="guesses_bounded"),
        UniqueConstraint("verification_id", "channel", "organization_id"),
    )


class DailySends(Owned):
    """The number of one-time passwords that an organization sent on a day (UTC)."""

    __tablename__ = "otp_daily_sends"

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    sends: Mapped[int]
