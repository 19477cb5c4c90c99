from uuid import UUID

from pydantic import Field

from acredita.api.pagination import CursorPage, Pagination
from acredita.api.schemas import Shape, Timestamp
from acredita.resources.aml.screening.schemas import (
    AnswerContent,
    Document,
    EntityType,
    Gender,
    ScreenedList,
    Texts,
)


class ScreeningCaller(Shape):
    type: str = Field(
        description="client (an API key), user, step (AML_SCREEN of a verification) or monitor.",
        examples=["client"],
    )
    id: UUID


class Confirmation(Shape):
    at: Timestamp
    index_version: int = Field(examples=[14])
    lists: list[ScreenedList] = Field(description="The lists that were screened then.")


class ScreeningSummary(Shape):
    """A record of a screening without the person."""

    id: UUID
    screened_at: Timestamp
    caller: ScreeningCaller
    verification_id: UUID | None
    lists: list[ScreenedList] = Field(description="The lists that were screened.")
    threshold: float = Field(examples=[0.75])
    engine_version: str = Field(description="Version of the service.", examples=["1.0.0"])
    index_version: int | None = Field(
        description="Version of the index. Null if no list was loaded.", examples=[12]
    )
    total_matches: int = Field(examples=[0])
    complete: bool = Field(
        description="Whether a list was screened and the answer has all matches."
    )
    sandbox: bool = Field(description="Whether only invented names were screened.")
    confirmed: Confirmation | None = Field(
        description="The last screening of a monitor that had the same answer. Null if there was "
        "none since the record."
    )


class QuestionShape(Shape):
    full_name: str = Field(examples=["Ottoline Fanshawe Dubois"])
    date_of_birth: str | None = Field(examples=["1990-05-05"])
    rfc: str | None = Field(examples=["XAXX010101000"])
    curp: str | None = Field(examples=["CURA900505MDFRZN03"])
    birth_year: int | None = Field(examples=[1990])
    aliases: Texts | None
    nationalities: Texts | None = Field(examples=[["MX"]])
    gender: Gender | None
    identifiers: list[Document] | None
    entity_type: EntityType | None
    country: str | None = Field(examples=["MX"])
    external_id: str | None = Field(examples=["cliente-1042"])


class ScreeningShape(ScreeningSummary):
    digest: str = Field(
        description="SHA-256, in hex, over the record. The entry `aml_screening.made` of the audit "
        "log has the same in `details.digest`.",
        examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    )
    intact: bool = Field(
        description="Whether that entry has this digest: the record is as it was made."
    )
    question: QuestionShape
    answer: AnswerContent


class ScreeningPage(CursorPage):
    screenings: list[ScreeningSummary]
    pagination: Pagination
