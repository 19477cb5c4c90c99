"""Links that open the browser flow of a verification on a person's device."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import Index, text
from sqlalchemy.orm import Mapped, mapped_column

from acredita.domain.languages import PersonLanguage
from acredita.domain.phone_and_email import Channel
from acredita.kit.sealed import TEXT, SealedBytes, SealedOrNull, json_of
from acredita.models.base import Record, one_of
from acredita.models.tenancy import Owned, refers_to


class CaptureLinkPurpose(StrEnum):
    # The organization sends it to the person, who may open it on several devices.
    CAPTURE = "capture"
    # The page shows it on one device, so that another one continues. It opens once.
    HAND_OVER = "hand_over"


@dataclass(frozen=True, slots=True)
class LinkMessage:
    channel: Channel
    address: str
    url: str
    language: PersonLanguage
    # What a reviewer writes to the person.
    note: str | None = None


class CaptureLink(Owned, Record):
    __tablename__ = "capture_link"
    has_organization_in_key = False

    verification_id: Mapped[UUID] = refers_to("verification.id", ondelete="CASCADE")
    purpose: Mapped[str]
    # SHA-256: a token has 256 random bits; a code that a person can type has 60, for ten minutes.
    token_digest: Mapped[bytes] = mapped_column(unique=True)
    # It may name the person in its parameters.
    return_url_sealed: Mapped[SealedBytes | None]
    return_url = SealedOrNull("capture_link:{id}", TEXT)
    # The message with the link, until it is sent.
    message_sealed: Mapped[SealedBytes | None]
    message = SealedOrNull("capture_link:{id}:message", json_of(LinkMessage))
    expires_at: Mapped[datetime]
    # Sessions that a revoked link opened are not valid either.
    revoked_at: Mapped[datetime | None]
    first_opened_at: Mapped[datetime | None]
    last_opened_at: Mapped[datetime | None]
    openings: Mapped[int] = mapped_column(server_default=text("0"))

    __table_args__ = (
        one_of("purpose", CaptureLinkPurpose),
        Index("ix_capture_link_verification", "verification_id", "id"),
    )
