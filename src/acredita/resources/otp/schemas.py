from typing import Annotated
from uuid import UUID

from pydantic import Field, ValidationInfo, field_validator

from acredita.api.schemas import Body, Shape
from acredita.domain.one_time_password import DIGITS, LIFETIME, MOST_GUESSES
from acredita.domain.phone_and_email import LONGEST_DESTINATION, Channel, phone_number
from acredita.kit import ids
from acredita.resources.auth.schemas import valid_email

VerificationId = Annotated[
    str,
    Field(
        pattern="^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
        description="The person's verification. Anyone who knows its id may call this endpoint.",
        json_schema_extra={"format": "uuid"},
        examples=["0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"],
    ),
]
GivenChannel = Annotated[
    Channel,
    # Strict bodies reject a string for an enum; the wire has a string.
    Field(strict=False),
]


def normalized(channel: Channel | None, destination: str) -> str:
    """Return the one form of a phone or address; unchanged without a channel. Raise ValueError."""
    match channel:
        case Channel.SMS:
            return phone_number(destination)
        case Channel.EMAIL:
            return valid_email(destination.strip())
        case None:
            return destination


class Destination(Body):
    """A phone or a mailbox."""

    channel: GivenChannel
    destination: str = Field(
        min_length=1,
        max_length=LONGEST_DESTINATION,
        description=(
            "A phone number in E.164 format for `sms`, an address for `email`. Blanks, hyphens,"
            " parentheses, letter case and Mexico's former prefix `+521` make no difference."
        ),
        examples=["+525512345678"],
    )

    @field_validator("destination")
    @classmethod
    def one_form(cls, value: str, given: ValidationInfo) -> str:
        return normalized(given.data.get("channel"), value)


class OtpSend(Destination):
    verification_id: VerificationId

    @property
    def subject_id(self) -> UUID | None:
        return ids.parse(self.verification_id)


class OtpSendAnswer(Shape):
    # Always true; a constant boolean compiles in no generated Java.
    sent: bool = Field(description="The code was queued for sending.", examples=[True])
    channel: Channel
    expires_in: int = Field(
        description="Validity of the code in seconds.", examples=[int(LIFETIME.total_seconds())]
    )


class OtpVerify(Body):
    verification_id: VerificationId
    channel: GivenChannel
    code: str = Field(pattern=f"^[0-9]{{{DIGITS}}}$", examples=["402913"])

    @property
    def subject_id(self) -> UUID | None:
        return ids.parse(self.verification_id)


class OtpVerifyAnswer(Shape):
    valid: bool
    attempts_remaining: int = Field(
        ge=0,
        le=MOST_GUESSES,
        description="Attempts left. If `valid` is false and none is left, send a new code.",
        examples=[4],
    )
