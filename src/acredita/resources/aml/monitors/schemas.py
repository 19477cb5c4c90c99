from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.models import MonitorState, Outcome
from acredita.resources.aml.screening.schemas import EntityType, Subject


class MonitorRequest(Subject):
    verification_id: str = Field(
        min_length=1, max_length=255, examples=["7f0c1a52-3b0e-4f7e-9d5a-0f5f3a1c2b4d"]
    )
    enabled: bool = Field(description="Whether to monitor from now on, or to stop.")


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
    score: float = Field(description="When last seen.", examples=[0.97])
    first_seen_at: Timestamp
    seen_at: Timestamp
    gone_at: Timestamp | None = Field(
        description="Since when it resembles no more: the entry changed or left its list."
    )
    dismissed: bool = Field(description="By a reviewer. Holds until the entry changes.")
    dismissed_at: Timestamp | None
    notes: str | None = Field(description="The reviewer's.", examples=["Born in another year."])


class OutcomeShape(Shape):
    """What a monitor found, from that moment on."""

    at: Timestamp
    outcome: Outcome = Field(description="hit while a match stands: neither gone nor dismissed.")
    matches: int = Field(description="How many stand.", examples=[1])
    cause: str = Field(
        description="What was looked at anew: enabled, daily, list_change or review.",
        examples=["list_change"],
    )


class MonitorShape(Shape):
    verification_id: UUID
    monitoring: bool
    state: MonitorState = Field(description="active, disabled, or ended after 90 days.")
    full_name: str = Field(examples=["Ottoline Fanshawe"])
    started_at: Timestamp
    ends_at: Timestamp
    screened_at: Timestamp | None
    next_screening_at: Timestamp | None
    outcome: Outcome | None = Field(description="null until it was screened once.")
    matches: list[MonitorMatchShape] = Field(description="Those that stand first.")
    history: list[OutcomeShape] = Field(description="Newest first, 100 at the most.")


class MatchUpdate(Body):
    dismissed: bool = Field(description="Whether it is of somebody else.")
    notes: str | None = Field(
        None, max_length=2000, description="Why; kept sealed.", examples=["Born in another year."]
    )
