from enum import StrEnum

from pydantic import Field

from acredita.api.schemas import Shape, Timestamp


class ListStatus(StrEnum):
    CURRENT = "current"
    STALE = "stale"


class ListShape(Shape):
    id: str = Field(examples=["sandbox"])
    name: str = Field(examples=["Invented names, to try the service with"])
    entries: int = Field(description="How many people, companies … are on it.", examples=[10])
    publisher: str = Field(examples=["Acredita"])
    version: int = Field(description="Counts the loads that changed something.", examples=[1])
    as_of: Timestamp | None = Field(description="When it was published, if the publisher says it.")
    loaded_at: Timestamp | None
    status: ListStatus = Field(
        description="stale: the last refresh failed, or the list is old; what is known goes on."
    )
    problem: str | None = Field(
        description="Why the last refresh failed: UNREACHABLE, DAMAGED or SHRANK.",
        examples=[None],
    )
    sandbox: bool = Field(description="Whether its names are invented.")


class ListsAnswer(Shape):
    lists: list[ListShape]
