from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.forms import LONGEST_PATTERN, FieldType

FieldId = Annotated[str, Field(min_length=1, max_length=100, examples=["ocupacion"])]
# An integer that every client can hold.
LARGEST_LENGTH = 2**31 - 1


class OptionWrite(Body):
    value: str = Field(max_length=200, examples=["empleado"])
    label: str = Field(max_length=200, examples=["Empleado"])


class Constraints(Body):
    """Of what is written: texts, dates and options; a checkbox has nothing written."""

    min_length: int | None = Field(None, ge=0, le=LARGEST_LENGTH, description="In characters.")
    max_length: int | None = Field(
        None,
        ge=1,
        le=LARGEST_LENGTH,
        description="In characters; no answer has more than 10,000.",
    )
    pattern: str | None = Field(
        None,
        max_length=LONGEST_PATTERN,
        description=(
            "Fits the whole answer. The syntax is RE2's: no back-references, no look-around, no"
            " repetition beyond 1,000."
        ),
        examples=["[A-ZÁÉÍÓÚÜÑ .]+"],
    )


class FieldWrite(Body):
    id: FieldId
    type: FieldType = Field(
        # Strict bodies take no string for an enumeration; this is a string on the wire.
        strict=False,
        description=(
            "text: a string; date: a day that exists, as YYYY-MM-DD; checkbox: true or false,"
            " true where it is required; select: the value of one of the options."
        ),
        examples=["select"],
    )
    label: str = Field(min_length=1, max_length=200, examples=["¿A qué te dedicas?"])
    required: bool
    placeholder: str | None = Field(None, max_length=200, examples=["Elige una opción"])
    options: list[OptionWrite] | None = Field(
        None, max_length=100, description="For a select, which needs one at least."
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
        description="The answers, by the fields' ids.", examples=[{"ocupacion": "empleado"}]
    )


class FieldErrorShape(Shape):
    field_id: str = Field(examples=["ocupacion"])
    message: str = Field(
        description="In the language of the request.", examples=["Elige una de las opciones."]
    )


class SubmitAnswer(Shape):
    valid: bool = Field(description="Whether the answers are kept: only valid ones are.")
    submitted_at: Timestamp
    errors: list[FieldErrorShape]


class SubmissionShape(Shape):
    submitted_at: Timestamp
    values: dict[str, Any] = Field(examples=[{"ocupacion": "empleado"}])


class SubmittedForm(SubmissionShape):
    """The answers given last, and those before them."""

    form_id: UUID
    title: str = Field(examples=["Conoce a tu cliente"])
    history: list[SubmissionShape] = Field(description="Earlier answers, newest first.")


class SubmittedForms(Shape):
    verification_id: UUID
    submissions: list[SubmittedForm] = Field(
        description="One for each form that was filled in, the one filled in last first."
    )
