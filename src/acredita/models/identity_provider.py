"""The identity provider that an organization's users sign in with (OpenID Connect)."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Text, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from acredita.domain.roles import Role
from acredita.kit.sealed import TEXT, Sealed, SealedBytes
from acredita.models.base import Base, Record, one_of
from acredita.models.tenancy import Owned


class IdentityProvider(Owned, Record):
    __tablename__ = "identity_provider"
    has_organization_in_key = False

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"), unique=True)
    issuer: Mapped[str]
    client_id: Mapped[str]
    client_secret_sealed: Mapped[SealedBytes]
    client_secret = Sealed("identity_provider:{id}", TEXT)
    scopes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    # Whose verified addresses may join without an invitation; in lower case.
    allowed_domains: Mapped[list[str]] = mapped_column(ARRAY(Text))
    groups_claim: Mapped[str]
    # [{"group": ..., "role": ...}]. Empty: groups decide nothing.
    roles: Mapped[list[dict[str, Any]]]
    # Of a user without a listed group. Null: refused.
    default_role: Mapped[str | None]
    # Whether only OWNERs may sign in without the provider.
    is_only: Mapped[bool] = mapped_column(server_default=text("false"))
    # Whether a sign-in with the provider counts as one with a second factor.
    is_second_factor: Mapped[bool] = mapped_column(server_default=text("false"))

    __table_args__ = (one_of("default_role", Role),)


class ProviderSignIn(Base):
    """A sign-in that a browser has begun at a provider. Its end deletes it."""

    __tablename__ = "provider_sign_in"

    # SHA-256 of the browser's cookie, which has 256 random bits. State, nonce and PKCE's verifier
    # follow from the cookie with a key.
    digest: Mapped[bytes] = mapped_column(primary_key=True)
    provider_id: Mapped[UUID] = mapped_column(
        ForeignKey("identity_provider.id", ondelete="CASCADE"), index=True
    )
    expires_at: Mapped[datetime] = mapped_column(index=True)
