from typing import Literal

from pydantic import Field

from acredita.api.schemas import Shape
from acredita.domain.verification import DocumentRole

Source = Literal["government", "credit", "watchlist"]


class SandboxResult(Shape):
    source: Source
    code: str = Field(
        description="RENAPO's status of the CURP, the sandbox's behaviour, or the program of the "
        "list.",
        examples=["not_found"],
    )
    text: str = Field(description="The result in words.", examples=["The CURP is not found."])


class SandboxPerson(Shape):
    """An invented person. Null: nothing is known or needed."""

    id: str = Field(
        description="For the requests about the person.", examples=["XUXX900201HNEXXX01"]
    )
    name: str = Field(examples=["Xux Xux Xux"])
    curp: str | None = Field(examples=["XUXX900201HNEXXX01"])
    rfc: str | None = Field(examples=["XUXX900201AB1"])
    cic: str | None = Field(description="Of the INE card.", examples=["000000001"])
    date_of_birth: str | None = Field(description="A date, month or year.", examples=["1990-02-01"])
    results: list[SandboxResult] = Field(description="What each sandbox answers.")
    pictures: list[DocumentRole] = Field(
        default_factory=list,
        description="What GET /v1/sandbox/picture draws: front, back, selfie."
        " Empty in production, and where acredita-synthetic is not installed.",
    )


class SandboxPeople(Shape):
    people: list[SandboxPerson] = Field(description="Empty if no sandbox is in use.")
