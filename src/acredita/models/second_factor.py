"""What a user proves besides the password: codes of an authenticator app, and recovery codes."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ColumnElement, ForeignKey, exists, text
from sqlalchemy.orm import InstrumentedAttribute, Mapped, mapped_column

from acredita.kit.sealed import TEXT, SealedBytes, SealedOrNull
from acredita.models.base import Record
from acredita.models.tenancy import Owned


class TotpSecret(Owned, Record):
    """The secret that a user shares with an authenticator app (RFC 6238), in base32."""

    __tablename__ = "totp_secret"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), unique=True
    )
    # Null until the user has confirmed the first secret.
    secret_sealed: Mapped[SealedBytes | None]
    secret = SealedOrNull("totp_secret:{id}", TEXT)
    # A secret that waits for the user's first code; it then replaces the other.
    pending_sealed: Mapped[SealedBytes | None]
    pending = SealedOrNull("totp_secret:{id}:pending", TEXT)
    # The time step of the last accepted code: no code is accepted twice.
    last_step: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    confirmed_at: Mapped[datetime | None]


class RecoveryCode(Owned, Record):
    """A code that replaces the second factor once. It is deleted when it is used."""

    __tablename__ = "recovery_code"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), index=True
    )
    # A keyed hash: the code has 50 random bits.
    digest: Mapped[bytes]


def has_second_factor(user_id: InstrumentedAttribute[UUID]) -> ColumnElement[bool]:
    """Whether a user has confirmed a second factor: a condition for queries."""
    return exists().where(TotpSecret.user_id == user_id, TotpSecret.secret_sealed.is_not(None))
