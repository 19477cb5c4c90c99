"""What a user proves besides the password: an authenticator app, recovery codes, passkeys."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ColumnElement, ForeignKey, UniqueConstraint, exists, or_, text
from sqlalchemy.orm import InstrumentedAttribute, Mapped, mapped_column

from acredita.kit.sealed import TEXT, Sealed, SealedBytes, SealedOrNull
from acredita.models.base import Base, Record
from acredita.models.tenancy import Owned


class TotpSecret(Owned, Record):
    """The secret that a user shares with an authenticator app (RFC 6238), in base32."""

    __tablename__ = "totp_secret"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    # Null until the user has confirmed the first secret.
    secret_sealed: Mapped[SealedBytes | None]
    secret = SealedOrNull("totp_secret:{id}", TEXT)
    # A secret that waits for the user's first code; it then replaces the other.
    pending_sealed: Mapped[SealedBytes | None]
    pending = SealedOrNull("totp_secret:{id}:pending", TEXT)
    # The time step of the last accepted code: no code is accepted twice.
    last_step: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    confirmed_at: Mapped[datetime | None]

    __table_args__ = (UniqueConstraint("user_id", "organization_id"),)


class RecoveryCode(Owned, Record):
    """A code that replaces the second factor once. It is deleted when it is used."""

    __tablename__ = "recovery_code"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), index=True
    )
    # A keyed hash: the code has 50 random bits.
    digest: Mapped[bytes]


class Passkey(Owned, Record):
    """A public key whose private key an authenticator of the user keeps."""

    __tablename__ = "passkey"
    has_organization_in_key = False

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), index=True
    )
    credential_id: Mapped[bytes] = mapped_column(unique=True)
    # A COSE key.
    public_key: Mapped[bytes]
    # How often the authenticator has signed, if it counts: a copy of the key falls behind.
    sign_count: Mapped[int] = mapped_column(BigInteger)
    # What the user calls it.
    name_sealed: Mapped[SealedBytes]
    name = Sealed("passkey:{id}", TEXT)
    last_used_at: Mapped[datetime | None]


class PasskeyChallenge(Base):
    """A challenge that a browser was given. Using it deletes it."""

    __tablename__ = "passkey_challenge"

    digest: Mapped[bytes] = mapped_column(primary_key=True)
    # The user who adds a passkey; null for a sign-in.
    user_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), index=True
    )
    expires_at: Mapped[datetime] = mapped_column(index=True)


def has_second_factor(user_id: InstrumentedAttribute[UUID]) -> ColumnElement[bool]:
    """Whether a user has confirmed a second factor: a condition for queries."""
    has_app = exists().where(TotpSecret.user_id == user_id, TotpSecret.secret_sealed.is_not(None))
    return or_(has_app, exists().where(Passkey.user_id == user_id))
