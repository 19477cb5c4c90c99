from enum import StrEnum

from pydantic import Field

from acredita.api.schemas import Shape, Timestamp


class ListStatus(StrEnum):
    CURRENT = "current"
    STALE = "stale"


class ListShape(Shape):
    id: str = Field(examples=["sandbox"])
    name: str = Field(examples=["Invented names, to try the service with"])
    entries: int = Field(
        description="Number of people, companies and other entries.", examples=[10]
    )
    publisher: str = Field(examples=["Acredita"])
    version: int = Field(
        description="Increases with each load that changes the list.", examples=[1]
    )
    as_of: Timestamp | None = Field(
        description="Publication date. Null if the publisher gives none."
    )
    loaded_at: Timestamp | None
    status: ListStatus = Field(
        description=(
            "stale: the last refresh failed, or the last successful one is more than 3 days old. "
            "Screening still uses the list."
        )
    )
    problem: str | None = Field(
        description="Why the last refresh failed: UNREACHABLE, DAMAGED or SHRANK. Otherwise null.",
        examples=[None],
    )
    sandbox: bool = Field(description="Whether the names are invented.")


class ListsAnswer(Shape):
    lists: list[ListShape]
