from typing import Any
from uuid import UUID

from pydantic import Field

from acredita.api.pagination import CursorPage
from acredita.api.schemas import Body, Shape, Timestamp
from acredita.resources.reviews.queries import Filters, Sort

MOST_AGE_HOURS = 24 * 365 * 10
ID = "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"


class NextWrite(Body):
    """Which verifications to take from. An absent field selects all."""

    workflow_id: str | None = Field(None, max_length=36, examples=[ID])
    reason: str | None = Field(
        None, max_length=100, description="A reason code.", examples=["FACE_UNCERTAIN"]
    )
    queue: str | None = Field(
        None, max_length=64, description="A queue that policies name.", examples=["fraude"]
    )
    min_age_hours: float | None = Field(None, ge=0, le=MOST_AGE_HOURS, examples=[24])
    overdue: bool = Field(False, description="Only those whose deadline has passed.")
    sort: Sort = Field("oldest", description="By the time since when they wait.")

    def filters(self) -> Filters:
        return Filters(
            workflow_id=self.workflow_id,
            reason=self.reason,
            queue=self.queue,
            min_age_hours=self.min_age_hours,
            overdue=self.overdue,
            sort=self.sort,
        )


class FilterValues(NextWrite):
    """Filters of the queue, as the parameters of `GET /v1/reviews`."""

    assignee: str | None = Field(
        None, max_length=36, description="me, none, or a user's id.", examples=["me"]
    )


class FilterWrite(Body):
    name: str = Field(min_length=1, max_length=100, examples=["Rostros de ayer"])
    filter: FilterValues


class FilterShape(Shape):
    id: UUID
    name: str = Field(examples=["Rostros de ayer"])
    filter: dict[str, Any] = Field(
        description="As it was saved.",
        examples=[{"reason": "FACE_UNCERTAIN", "minAgeHours": 24}],
    )


class FilterAnswer(Shape):
    filter: FilterShape


class FilterList(Shape):
    filters: list[FilterShape]


class ReviewQueue(Shape):
    name: str = Field(examples=["fraude"])
    total: int = Field(description="How many verifications wait in it.", examples=[12])


class ReviewQueueList(Shape):
    queues: list[ReviewQueue]


class ReviewWorkflow(Shape):
    id: UUID
    name: str = Field(examples=["Apertura de cuenta"])


class ReviewReason(Shape):
    code: str = Field(
        description="A reason code, or the status of a step without one.",
        examples=["FACE_UNCERTAIN"],
    )
    message: str | None = Field(
        description="Null for a code without text.",
        examples=["The face is not that of the document."],
    )


class Assignee(Shape):
    id: UUID = Field(description="The id of the user or API key.")
    name: str = Field(
        description="The user's e-mail address, or the key's name; empty if it was removed.",
        examples=["ana@banco.example"],
    )


class ReviewerList(Shape):
    reviewers: list[Assignee]


class ReviewItem(Shape):
    """A verification that waits for a reviewer."""

    verification_id: UUID
    external_id: str | None = Field(examples=["cliente-4711"])
    workflow: ReviewWorkflow
    reasons: list[ReviewReason] = Field(description="Empty if a reviewer sent it to review.")
    queue: str | None = Field(
        description="The queue that the policy names; null without one.", examples=["fraude"]
    )
    rule: str | None = Field(
        description=(
            "The rule of the policy that sent it to review; null if no policy or none of its rules"
            " did."
        ),
        examples=["Parecido bajo"],
    )
    waiting_since: Timestamp
    deadline: Timestamp | None = Field(
        description="`waitingSince` plus the organization's `reviewSlaHours`; null without it."
    )
    overdue: bool = Field(description="Whether the deadline has passed.")
    assignee: Assignee | None = Field(description="Who holds it; null: nobody.")
    lease_expires_at: Timestamp | None = Field(description="When it becomes free without activity.")
    proposal: bool = Field(description="Whether a proposed decision waits for a second reviewer.")


class ReviewPage(CursorPage):
    items: list[ReviewItem]
    total: int = Field(description="Number of verifications in all pages.")
