from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.forms import LONGEST_PATTERN, FieldType

FieldId = Annotated[str, Field(min_length=1, max_length=100, examples=["ocupacion"])]
# Fits into a 32-bit integer of any client.
LARGEST_LENGTH = 2**31 - 1


class OptionWrite(Body):
    value: str = Field(max_length=200, examples=["empleado"])
    label: str = Field(max_length=200, examples=["Empleado"])


class Constraints(Body):
    """Limits for text, date and select fields. A checkbox has none."""

    min_length: int | None = Field(
        None, ge=0, le=LARGEST_LENGTH, description="Minimum length in characters."
    )
    max_length: int | None = Field(
        None,
        ge=1,
        le=LARGEST_LENGTH,
        description="Maximum length in characters. The limit for any answer is 10,000.",
    )
    pattern: str | None = Field(
        None,
        max_length=LONGEST_PATTERN,
        description=(
            "Must match the whole answer. RE2 syntax: no back-references, no look-around, no"
            " repetition above 1,000."
        ),
        examples=["[A-ZÁÉÍÓÚÜÑ .]+"],
    )


class FieldWrite(Body):
    id: FieldId
    type: FieldType = Field(
        # Strict bodies reject a string for an enum; the wire has a string.
        strict=False,
        description=(
            "text: a string. date: an existing day, YYYY-MM-DD. checkbox: true or false; true if"
            " required. select: the value of one of the options."
        ),
        examples=["select"],
    )
    label: str = Field(min_length=1, max_length=200, examples=["¿A qué te dedicas?"])
    required: bool
    placeholder: str | None = Field(None, max_length=200, examples=["Elige una opción"])
    options: list[OptionWrite] | None = Field(
        None, max_length=100, description="For select fields, which need at least one option."
    )
    validation: Constraints | None = None


class FormCreate(Body):
    title: str = Field(min_length=1, max_length=200, examples=["Conoce a tu cliente"])
    description: str | None = Field(None, max_length=1000, examples=["Para abrir la cuenta"])
    fields: list[FieldWrite] = Field(min_length=1, max_length=50)


class CreatedForm(Shape):
    form_id: UUID
    title: str = Field(examples=["Conoce a tu cliente"])
    field_count: int = Field(examples=[1])
    created_at: Timestamp


class Submit(Body):
    verification_id: str = Field(
        min_length=1, max_length=255, examples=["0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"]
    )
    form_id: str = Field(
        min_length=1, max_length=255, examples=["01938a5e-6b1c-7c55-9a51-2f9b8f0d3a11"]
    )
    values: dict[str, Any] = Field(
        description="The answers by field id.", examples=[{"ocupacion": "empleado"}]
    )


class FieldErrorShape(Shape):
    field_id: str = Field(examples=["ocupacion"])
    message: str = Field(
        description="Message in the requested language.", examples=["Elige una de las opciones."]
    )


class SubmitAnswer(Shape):
    valid: bool = Field(description="Whether the answers are valid. Only valid answers are stored.")
    submitted_at: Timestamp
    errors: list[FieldErrorShape]


class SubmissionShape(Shape):
    submitted_at: Timestamp
    values: dict[str, Any] = Field(examples=[{"ocupacion": "empleado"}])


class SubmittedForm(SubmissionShape):
    """The newest answers to a form, and the earlier ones."""

    form_id: UUID
    title: str = Field(examples=["Conoce a tu cliente"])
    history: list[SubmissionShape] = Field(description="Earlier answers, newest first.")


class SubmittedForms(Shape):
    verification_id: UUID
    submissions: list[SubmittedForm] = Field(
        description="One entry per submitted form, most recently submitted first."
    )
