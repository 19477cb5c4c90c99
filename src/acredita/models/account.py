"""Password links, and counted attempts to authenticate."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import ForeignKey, Index
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import DateTime

from acredita.domain.languages import Language
from acredita.kit.sealed import TEXT, SealedBytes, SealedOrNull
from acredita.models.base import Base, Record, one_of


class LinkPurpose(StrEnum):
    RESET = "reset"
    INVITATION = "invitation"


class PasswordLink(Record):
    """A single-use link that sets a password, mailed to the user.

    A request for one does not reveal whether the user exists: the row and the job are the same for
    every address, and only the job looks for the user.
    """

    __tablename__ = "password_link"

    purpose: Mapped[str]
    # The user whose password it sets; null until the job finds the owner of the address.
    user_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), index=True
    )
    # The address of the request, until the user is found.
    email_sealed: Mapped[SealedBytes | None]
    email = SealedOrNull("password_link.email:{id}", TEXT)
    # SHA-256 is enough: the token has 256 random bits.
    token_digest: Mapped[bytes] = mapped_column(unique=True)
    # The token itself, until the mail is sent.
    token_sealed: Mapped[SealedBytes | None]
    token = SealedOrNull("password_link.token:{id}", TEXT)
    language: Mapped[str]
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]

    __table_args__ = (one_of("purpose", LinkPurpose), one_of("language", Language))


class AttemptLog(Base):
    """Recent attempts by key: a keyed hash of an account, or of account and address."""

    __tablename__ = "attempt_log"

    key: Mapped[bytes] = mapped_column(primary_key=True)
    # The key of the account alone, so that a reset clears all its rows.
    account: Mapped[bytes] = mapped_column(index=True)
    moments: Mapped[list[datetime]] = mapped_column(ARRAY(DateTime(timezone=True)))
    # No attempt counts after this time.
    forgotten_at: Mapped[datetime]

    __table_args__ = (Index("ix_attempt_log_forgotten", "forgotten_at"),)
