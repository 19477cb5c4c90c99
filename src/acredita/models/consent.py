"""Consents that people give before their verification."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped

from acredita.kit.sealed import JSON_OBJECT, Sealed, SealedBytes
from acredita.models.base import Record
from acredita.models.tenancy import Owned, refers_to


class Consent(Owned, Record):
    """One consent to one version of the text. The organization keeps the text itself."""

    __tablename__ = "consent"

    verification_id: Mapped[UUID] = refers_to("verification.id", ondelete="CASCADE")
    version: Mapped[str]
    locale: Mapped[str]
    # By the person's clock; created_at is by the service's.
    accepted_at: Mapped[datetime]
    # IP address and user agent of the person.
    origin_sealed: Mapped[SealedBytes]
    origin = Sealed("consent:{id}", JSON_OBJECT)

    __table_args__ = (UniqueConstraint("verification_id", "version", "locale", "organization_id"),)
