"""An organization, its users and its API keys."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, Text, UniqueConstraint, func, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from acredita.domain.languages import PersonLanguage
from acredita.domain.retention import DEFAULT_DAYS, RetentionStart
from acredita.domain.roles import Role
from acredita.models.base import Record, one_of
from acredita.models.tenancy import Owned


class Organization(Record):
    __tablename__ = "organization"

    name: Mapped[str]
    slug: Mapped[str] = mapped_column(unique=True)
    data_retention_days: Mapped[int] = mapped_column(server_default=text(str(DEFAULT_DAYS)))
    # Calendar years, in place of days; null: days.
    data_retention_years: Mapped[int | None]
    retention_start: Mapped[str] = mapped_column(server_default=text("'CREATION'"))
    # Whether a reviewer's decision takes effect only when a second reviewer confirms it.
    requires_second_reviewer: Mapped[bool] = mapped_column(server_default=text("false"))
    # Whether users need a second factor to sign in.
    second_factor_required: Mapped[bool] = mapped_column(server_default=text("false"))
    # Whether users see personal data of verifications only after revealing them.
    reveals_on_demand: Mapped[bool] = mapped_column(server_default=text("false"))
    # Hours within which a verification in review is to be decided. Null: no deadline.
    review_sla_hours: Mapped[int | None]
    # The language of its people, for browsers without a known one. Null: by their time zone.
    default_language: Mapped[str | None]
    # Where the verified people turn to: an https URL, an e-mail address or a phone number.
    support_contact: Mapped[str | None]
    # Requests per second, and burst. Null: the settings' values.
    rate_limit: Mapped[int | None]
    rate_burst: Mapped[int | None]
    # Origins of pages that may call the browser flow, such as https://app.banco.example
    allowed_origins: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))

    __table_args__ = (
        one_of("retention_start", RetentionStart),
        one_of("default_language", PersonLanguage),
        # A CORS preflight asks whether any organization lists an origin.
        Index("ix_organization_allowed_origins", "allowed_origins", postgresql_using="gin"),
    )


class User(Owned, Record):
    __tablename__ = "user_account"
    has_organization_in_key = False

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"), index=True)
    email: Mapped[str]
    # A new address, which takes effect once it is confirmed.
    pending_email: Mapped[str | None]
    # Null until an invited person sets a password.
    password_hash: Mapped[str | None]
    # Number of password changes. Access tokens contain it; those with an older one are invalid.
    token_version: Mapped[int] = mapped_column(server_default=text("0"))
    role: Mapped[str]
    is_active: Mapped[bool] = mapped_column(server_default=text("true"))
    # SHA-256 of the issuer and the subject at the organization's identity provider; null: the user
    # has not signed in with it yet.
    provider_subject: Mapped[bytes | None]

    @property
    def has_joined(self) -> bool:
        """Whether the user has set a password, or signed in with the identity provider."""
        return self.password_hash is not None or self.provider_subject is not None

    __table_args__ = (
        one_of("role", Role),
        UniqueConstraint("organization_id", "provider_subject"),
        # DECISIONS: e-mails are unique service-wide, compared case-insensitively.
        Index("uq_user_account_email", func.lower(text("email")), unique=True),
    )


class ApiKey(Owned, Record):
    __tablename__ = "api_key"
    has_organization_in_key = False

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"), index=True)
    name: Mapped[str]
    prefix: Mapped[str] = mapped_column(unique=True)
    digest: Mapped[bytes]
    role: Mapped[str]
    rate_limit: Mapped[int] = mapped_column(server_default=text("10"))
    is_active: Mapped[bool] = mapped_column(server_default=text("true"))
    last_used_at: Mapped[datetime | None]

    __table_args__ = (one_of("role", Role),)
