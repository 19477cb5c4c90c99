from enum import StrEnum
from typing import Literal

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


class ListHealth(Shape):
    id: str = Field(examples=["ofac-sdn"])
    status: ListStatus
    version: int = Field(examples=[12])
    entries: int = Field(examples=[18_000])
    published_days: int | None = Field(
        description="Days since the publication. Null if the publisher gives no date.", examples=[1]
    )
    confirmed_days: int | None = Field(
        description="Days since the source last confirmed this content, or since the import.",
        examples=[0],
    )
    downloaded: bool = Field(
        description="Whether the service downloads it daily; otherwise the operator imports it."
    )
    problem: str | None = Field(
        description="Why the last refresh failed: UNREACHABLE, DAMAGED or SHRANK. Otherwise null.",
        examples=[None],
    )
    indexed: bool = Field(description="Whether screenings use this version already.")


class IndexHealth(Shape):
    version: int = Field(examples=[7])
    built_at: Timestamp
    entries: int = Field(examples=[18_000])


class ListsHealth(Shape):
    status: Literal["ok", "degraded"] = Field(
        description="degraded: no list is loaded, a list is stale, was never loaded although it is "
        "downloaded daily, or is not in the index yet."
    )
    timestamp: Timestamp
    index: IndexHealth | None
    lists: list[ListHealth]
    never_loaded: list[str] = Field(
        description="Lists that are downloaded daily and were never loaded.", examples=[["un"]]
    )
