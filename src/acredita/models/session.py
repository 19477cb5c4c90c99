"""Sessions of users in browsers."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from acredita.domain.signing_in import SecondFactor, SignInMethod
from acredita.kit.sealed import Sealed, SealedBytes, json_of
from acredita.models.base import Record, one_of
from acredita.models.tenancy import Owned


@dataclass(frozen=True, slots=True)
class Browser:
    """Where a session was opened. Both are personal data."""

    address: str | None
    user_agent: str | None


class UserSession(Owned, Record):
    """A session. It ends with the user, and when the user's token version changes."""

    __tablename__ = "user_session"
    has_organization_in_key = False

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), index=True
    )
    # SHA-256 is enough: the token has 256 random bits.
    token_digest: Mapped[bytes] = mapped_column(unique=True)
    # The user's version at the sign-in: a new password or role ends the session.
    token_version: Mapped[int]
    method: Mapped[str]
    # What was proved besides the password; null: nothing.
    second_factor: Mapped[str | None]
    browser_sealed: Mapped[SealedBytes]
    browser = Sealed("user_session:{id}", json_of(Browser))
    signed_in_at: Mapped[datetime]
    # Written at most once a minute.
    last_seen_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)

    __table_args__ = (one_of("method", SignInMethod), one_of("second_factor", SecondFactor))
