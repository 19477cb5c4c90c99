from typing import Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from acredita.api.pagination import CursorPage, Pagination
from acredita.api.schemas import Body, ClientTime, Shape, Timestamp
from acredita.domain.events import EventKind
from acredita.models import MonitorState, Outcome
from acredita.resources.aml.screening.schemas import EntityType, MatchShape, Subject
from acredita.resources.webhooks.event_schemas import Envelope, describe_event


class MonitorRequest(Subject):
    verification_id: str = Field(
        min_length=1, max_length=255, examples=["7f0c1a52-3b0e-4f7e-9d5a-0f5f3a1c2b4d"]
    )
    enabled: bool = Field(description="true starts the monitor; false stops it.")


class MonitoringAnswer(Shape):
    verification_id: UUID
    monitoring: bool
    message: str = Field(examples=["Screened every 24 hours until 2026-05-01T18:05:09.120Z."])


class MonitorMatchShape(Shape):
    id: UUID
    list: str = Field(description="The watchlist's id.", examples=["sandbox"])
    name: str = Field(description="The entry's primary name.", examples=["Ottoline Fanshawe"])
    entry_id: str = Field(description="The publisher's id of the entry.", examples=["S-04"])
    entity_type: EntityType
    country: str | None = Field(examples=["GB"])
    score: float = Field(description="Score of the last screening that found it.", examples=[0.97])
    first_seen_at: Timestamp
    seen_at: Timestamp
    gone_at: Timestamp | None = Field(
        description="When it stopped matching, because the entry changed or left its list."
    )
    dismissed: bool = Field(
        description="Whether a reviewer dismissed it. A change of the entry resets this."
    )
    dismissed_at: Timestamp | None
    notes: str | None = Field(
        description="Notes of the reviewer.", examples=["Born in another year."]
    )
    match_id: UUID | None = Field(
        description="The match of the customer: GET /v1/aml/matches/{matchId}. Null until the next "
        "screening of a monitor of a former release."
    )


class OutcomeShape(Shape):
    """The result of a monitor, valid from `at` until the next entry of the history."""

    at: Timestamp
    outcome: Outcome = Field(
        description="hit: at least one match is open, that is neither gone nor dismissed."
    )
    matches: int = Field(description="Number of open matches.", examples=[1])
    cause: str = Field(
        description="What caused the change: enabled, daily, list_change or review.",
        examples=["list_change"],
    )


class MonitorPeriod(Shape):
    verification_id: UUID
    state: MonitorState = Field(description="active, disabled, or ended after 90 days.")
    started_at: Timestamp
    ends_at: Timestamp
    screened_at: Timestamp | None
    next_screening_at: Timestamp | None
    outcome: Outcome | None = Field(description="null until the first screening.")
    screening_id: UUID | None = Field(
        description="The record of its present answer, GET /v1/aml/screenings/{id}. Null until the "
        "first screening, and for a monitor of a former release until the next one."
    )


class MonitorSummary(MonitorPeriod):
    open_matches: int = Field(
        description="Number of matches that are neither gone nor dismissed.", examples=[1]
    )


class MonitorPage(CursorPage):
    monitors: list[MonitorSummary]
    pagination: Pagination


class MonitorShape(MonitorPeriod):
    monitoring: bool
    full_name: str = Field(examples=["Ottoline Fanshawe"])
    matches: list[MonitorMatchShape] = Field(description="Open matches first.")
    history: list[OutcomeShape] = Field(description="Newest first; at most 100.")


class MatchUpdate(Body):
    dismissed: bool = Field(description="true: the match is about another person.")
    notes: str | None = Field(
        None,
        max_length=2000,
        description="The reason. Stored encrypted.",
        examples=["Born in another year."],
    )
    opened_at: ClientTime | None = Field(
        None,
        description="The `openedAt` of GET /v1/aml/matches/{matchId}. Given, the request is "
        "refused if the entry or the person changed after that.",
        examples=["2026-01-31T18:05:09.120Z"],
    )


class MatchData(Shape):
    verification_id: UUID
    full_name: str = Field(examples=["Ottoline Fanshawe"])
    new_matches: list[MatchShape]
    external_id: str | None = Field(
        description="The verification's `externalId`.", examples=["cliente-4711"]
    )
    screening_id: UUID = Field(description="The record: GET /v1/aml/screenings/{id}.")


class AmlMatchEvent(Envelope):
    event: Literal[EventKind.AML_MATCH]
    data: MatchData


WEBHOOKS = APIRouter(tags=["Events"])
describe_event(
    WEBHOOKS,
    AmlMatchEvent,
    "A monitor found new matches",
    "Sent after a daily screening of a monitored person or a change of a watchlist. It is the only"
    " event with a name, and sealed at rest.",
)
