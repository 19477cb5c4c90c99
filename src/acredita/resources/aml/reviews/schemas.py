from enum import StrEnum
from typing import Literal
from uuid import UUID

from pydantic import Field

from acredita.api.pagination import CursorPage, Pagination
from acredita.api.schemas import Body, ClientTime, Shape, Timestamp
from acredita.models import HitState, ReviewKind
from acredita.resources.aml.entries.schemas import EntryShape
from acredita.resources.aml.screening.record_schemas import QuestionShape


class Decision(StrEnum):
    TRUE_HIT = "true_hit"
    FALSE_HIT = "false_hit"
    NEEDS_INFORMATION = "needs_information"


Note = Field(
    None,
    max_length=4000,
    description="The reasons. Stored encrypted.",
    examples=["Nació en otro año y en otro estado."],
)


class ReviewRequest(Body):
    decision: Decision = Field(
        strict=False,
        description="true_hit: the same person. false_hit: another one; remembered until the entry "
        "or the person changes. needs_information: the match stays in the queue.",
    )
    opened_at: ClientTime = Field(
        description="The `openedAt` of the match that you saw.",
        examples=["2026-01-31T18:05:09.120Z"],
    )
    note: str | None = Note


class SecondDecision(Body):
    proposal: str = Field(
        max_length=36,
        description="The id of the proposal that you saw.",
        examples=["018f2b6e-4c0d-7a3b-9e5f-1a2b3c4d5e6f"],
    )
    note: str | None = Note


class HitProposal(Shape):
    id: UUID
    decision: Decision
    proposed_by: UUID = Field(description="The id of the user.")


class HitSummary(Shape):
    """A match of a customer and an entry, without the person."""

    id: UUID
    state: HitState
    list: str = Field(description="The watchlist's id.", examples=["sandbox"])
    entry: str = Field(description="GET /v1/aml/entries/{id}.", examples=["4711"])
    entry_name: str = Field(description="The entry's primary name.", examples=["Ottoline Fanshawe"])
    score: float = Field(examples=[0.97])
    opened_at: Timestamp = Field(
        description="When it was found first, or again after the entry or the person changed."
    )
    seen_at: Timestamp = Field(description="The last screening that found it.")
    screening_id: UUID | None = Field(
        description="The last record that has it. Null for a screening of a former release."
    )
    verification_id: UUID | None
    claimed_by: UUID | None = Field(
        description="The reviewer who claimed it or to whom it was handed over, until a decision "
        "or a release. A claim also ends after ACREDITA_REVIEW_LEASE_MINUTES without an act."
    )
    claimed_at: Timestamp | None
    decided_at: Timestamp | None
    decided_by: UUID | None
    proposal_id: UUID | None = Field(description="The decision that waits for a second reviewer.")


class HitReviewer(Shape):
    type: str = Field(description="client (an API key) or user.", examples=["user"])
    id: UUID


class HitReviewShape(Shape):
    id: UUID
    at: Timestamp
    kind: ReviewKind
    decision: HitState = Field(
        description="Of a declined proposal: what it proposed. open: a reviewer reopened the match."
    )
    reviewer: HitReviewer
    proposal_id: UUID | None = Field(description="The proposal that it confirms or declines.")
    note: str | None = Field(examples=["Nació en otro año y en otro estado."])
    current: bool = Field(
        description="Whether it was about the present form of the entry and of the person."
    )


Reviews = list[HitReviewShape]


class HitShape(HitSummary):
    person: QuestionShape = Field(description="Who was screened.")
    entry_now: EntryShape = Field(description="The entry as its list has it now.")
    proposal: HitProposal | None
    reviews: Reviews = Field(description="Newest first; at most 100.")


class HitAnswer(Shape):
    match: HitShape


Hits = list[HitSummary]


Assigned = Literal["me", "nobody", "anybody"] | UUID


class HitPage(CursorPage):
    matches: Hits
    pagination: Pagination
