from datetime import date
from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Shape


class Funnel(Shape):
    created: int = Field(examples=[1200])
    submitted: int = Field(
        description="Those for which something was uploaded or checked.", examples=[1100]
    )
    decided: int = Field(description="Those with an outcome, also in review.", examples=[1050])


class Outcomes(Shape):
    """The present status of the verifications."""

    approved: int = Field(examples=[900])
    rejected: int = Field(examples=[90])
    manual_review: int = Field(examples=[60])
    expired: int = Field(examples=[100])


class ReasonCount(Shape):
    code: str = Field(examples=["FACE_UNCERTAIN"])
    count: int = Field(
        description="Verifications whose decision by the rules has the code.", examples=[31]
    )


class QueueState(Shape):
    waiting: int = Field(description="Verifications that wait now.", examples=[12])
    oldest_seconds: int | None = Field(
        description="How long the oldest one has waited; null: none waits.", examples=[5400]
    )


class LabelledReadings(Shape):
    """What reviewers' labels say about the reading; the last label of each document counts."""

    documents: int = Field(description="Documents with a label.", examples=[40])
    fields_: int = Field(
        alias="fields", description="Readings that the labels judge.", examples=[310]
    )
    correct: int = Field(description="Readings that are right.", examples=[302])
    accuracy: float | None = Field(
        ge=0, le=1, description="`correct` / `fields`; null without labels.", examples=[0.9742]
    )


class TimesToDecision(Shape):
    median_seconds_to_decision: float | None = Field(
        description="From the creation to the first decision, within 5 %.", examples=[41.5]
    )
    p95_seconds_to_decision: float | None = Field(
        description="What 95 % do not exceed, within 5 %.", examples=[310.2]
    )


class OverviewDay(Shape):
    day: date = Field(alias="date", examples=["2026-01-30"])
    created: int = Field(examples=[40])
    approved: int = Field(examples=[31])
    rejected: int = Field(examples=[3])
    review: int = Field(examples=[2])


class Overview(TimesToDecision):
    """What became of the verifications created in the period."""

    from_: date = Field(alias="from", examples=["2026-01-01"])
    to: date = Field(examples=["2026-01-30"])
    funnel: Funnel
    outcomes: Outcomes
    reasons: list[ReasonCount] = Field(description="The most frequent first.")
    review_queue: QueueState
    labels: LabelledReadings
    days: list[OverviewDay] = Field(description="By the day of the creation (UTC).")


class OverviewWorkflow(TimesToDecision):
    """What became of the verifications of one workflow."""

    id: UUID
    name: str = Field(description="Empty if it no longer exists.", examples=["Account opening"])
    funnel: Funnel
    outcomes: Outcomes


class OverviewWorkflows(Shape):
    """The workflows of the verifications created in the period."""

    from_: date = Field(alias="from", examples=["2026-01-01"])
    to: date = Field(examples=["2026-01-30"])
    workflows: list[OverviewWorkflow] = Field(
        description="Those with the most verifications first, at most 100. The CSV has all."
    )
