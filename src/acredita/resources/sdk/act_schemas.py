from typing import Self
from uuid import UUID

from pydantic import Field, ValidationInfo, field_validator, model_validator

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.forms import FieldFault, FieldType
from acredita.domain.one_time_password import DIGITS, LIFETIME, MOST_GUESSES, RESEND_AFTER
from acredita.domain.phone_and_email import LONGEST_DESTINATION, Channel
from acredita.domain.steps.location import DeviceAnswer
from acredita.resources.otp.schemas import GivenChannel, normalized
from acredita.resources.sdk.schemas import StatusView

RESEND_SECONDS = int(RESEND_AFTER.total_seconds())


class CodeChannel(Shape):
    channel: Channel
    destination_known: bool = Field(
        description="Whether your server has stated where the code goes. The person then names"
        " nothing."
    )


class CodeSentView(Shape):
    channel: Channel
    resend_in: int = Field(
        ge=0, description="Seconds after which to offer another code.", examples=[RESEND_SECONDS]
    )
    expires_at: Timestamp
    attempts_remaining: int = Field(ge=0, le=MOST_GUESSES, examples=[MOST_GUESSES])


class CodeAsked(Shape):
    """What an OTP step asks of the person."""

    channels: list[CodeChannel]
    sent: CodeSentView | None = Field(description="A code that can still be confirmed.")


class CodeSend(Body):
    channel: GivenChannel
    destination: str | None = Field(
        None,
        min_length=1,
        max_length=LONGEST_DESTINATION,
        description="A phone in E.164 format or an address; ignored where `destinationKnown`.",
        examples=["+525512345678"],
    )

    @field_validator("destination")
    @classmethod
    def one_form(cls, value: str | None, given: ValidationInfo) -> str | None:
        return value and normalized(given.data.get("channel"), value)


class CodeSent(Shape):
    channel: Channel
    destination: str = Field(
        description="As much of it as the person recognizes.", examples=["•• 78"]
    )
    resend_in: int = Field(ge=0, examples=[RESEND_SECONDS])
    expires_in: int = Field(
        description="Validity of the code in seconds.", examples=[int(LIFETIME.total_seconds())]
    )


class CodeConfirm(Body):
    channel: GivenChannel
    code: str = Field(pattern=f"^[0-9]{{{DIGITS}}}$", examples=["402913"])


class CodeConfirmed(Shape):
    valid: bool
    attempts_remaining: int = Field(
        ge=0,
        le=MOST_GUESSES,
        description="Attempts left. If `valid` is false and none is left, send another code.",
        examples=[4],
    )
    verification: StatusView


class FormOptionShape(Shape):
    value: str = Field(examples=["empleado"])
    label: str = Field(examples=["Empleado"])


class FormFieldShape(Shape):
    id: str = Field(examples=["ocupacion"])
    type: FieldType = Field(examples=["select"])
    label: str = Field(examples=["¿A qué te dedicas?"])
    required: bool
    placeholder: str | None = Field(examples=["Elige una opción"])
    options: list[FormOptionShape] = Field(description="Of select fields.")
    max_length: int | None = Field(description="Maximum length in characters.", examples=[100])


class FormAsked(Shape):
    """The form of a FORM step."""

    form_id: UUID
    title: str = Field(examples=["Conoce a tu cliente"])
    description: str | None = Field(examples=["Para abrir la cuenta"])
    fields: list[FormFieldShape]


class FormAnswer(Body):
    values: dict[str, str | bool | None] = Field(
        description="The answers by field id.", examples=[{"ocupacion": "empleado"}]
    )


class FormFault(Shape):
    field_id: str = Field(examples=["ocupacion"])
    code: FieldFault
    limit: int = Field(
        description="The length that `too_short` and `too_long` name; otherwise 0.", examples=[0]
    )
    message: str = Field(
        description="In the requested language, es or en.", examples=["Elige una de las opciones."]
    )


class FormTaken(Shape):
    valid: bool = Field(description="Whether the answers are valid. Only valid answers are stored.")
    errors: list[FormFault] = Field(description="At most one per field.")
    verification: StatusView


class PositionGive(Body):
    """The device's answer. A position has all three numbers; a refusal has none."""

    state: DeviceAnswer = Field(
        strict=False,
        description="refused: the person said no. unavailable: the device could not measure it.",
        examples=["given"],
    )
    latitude: float | None = Field(None, ge=-90, le=90, examples=[19.4326])
    longitude: float | None = Field(None, ge=-180, le=180, examples=[-99.1332])
    accuracy_metres: float | None = Field(
        None, ge=0, le=50_000_000, description="Radius, at 95 % confidence.", examples=[35.0]
    )

    @model_validator(mode="after")
    def all_or_none(self) -> Self:
        numbers = (self.latitude, self.longitude, self.accuracy_metres)
        is_given = self.state is DeviceAnswer.GIVEN
        if any((number is not None) is not is_given for number in numbers):
            raise ValueError("`given` needs latitude, longitude and accuracyMetres; others none")
        return self
