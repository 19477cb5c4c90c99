from uuid import UUID

from pydantic import Field, field_validator

from acredita.api.pagination import Pagination
from acredita.api.schemas import Body, ClientTime, Shape, Timestamp
from acredita.domain.policies import NotEvaluated, measures
from acredita.models import SimulationStatus

MOST_VERIFICATIONS = 1_000_000
USUAL_VERIFICATIONS = 100_000
EXAMPLE_ID = "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"
DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


class SimulationRequest(Body):
    version: int | None = Field(
        None,
        ge=1,
        le=2**31 - 1,
        description="The version of the policy. Null: the newest.",
        examples=[2],
    )
    workflow_id: str | None = Field(
        None, description="Only this workflow's verifications. Null: all.", examples=[EXAMPLE_ID]
    )
    since: ClientTime | None = Field(
        None,
        description="Only verifications created from then on.",
        examples=["2026-01-01T06:00:00.000Z"],
    )
    until: ClientTime | None = Field(
        None,
        description="Only verifications created before. Null, or in the future: now.",
        examples=["2026-02-01T06:00:00.000Z"],
    )
    most: int = Field(
        USUAL_VERIFICATIONS,
        ge=1,
        le=MOST_VERIFICATIONS,
        description="At most so many verifications, the newest ones.",
        examples=[10_000],
    )
    measure: str | None = Field(
        None,
        description=(
            "A variable whose values are counted where the policy approves and a reviewer decided,"
            " for a threshold: `face.similarity`. Null: none."
        ),
        examples=["face.similarity"],
    )

    @field_validator("measure")
    @classmethod
    def measure_is_a_score(cls, given: str | None) -> str | None:
        if given is not None and given not in measures():
            raise ValueError(f"is not one of {', '.join(sorted(measures()))}")
        return given


class SimulationFilters(Shape):
    workflow_id: UUID | None
    since: Timestamp | None
    until: Timestamp
    most: int = Field(examples=[10_000])


class CountShape(Shape):
    verifications: int = Field(description="How many.", examples=[12])
    examples: list[UUID] = Field(
        description="The ids of the first ones, at most 10.", examples=[[EXAMPLE_ID]]
    )


class ChangeShape(CountShape):
    """The verifications that were decided one way and would be decided another, or the same."""

    decided: str = Field(description="By the rules at the time.", examples=["APPROVED"])
    simulated: str = Field(
        description="By this version: APPROVED, REJECTED, MANUAL_REVIEW, REQUIRE_STEP, ASK_AGAIN.",
        examples=["MANUAL_REVIEW"],
    )


class ReviewedShape(ChangeShape):
    reviewer: str = Field(description="By the reviewer afterwards.", examples=["REJECTED"])


class SkippedShape(CountShape):
    reason: NotEvaluated = Field(
        description=(
            "PURGED: the evidence is deleted. RUNNING_AGAIN: steps run at the moment. NO_DECISION:"
            " a reviewer ended it before the rules decided. UNREADABLE: the evidence does not open."
        )
    )


class SimulationShape(Shape):
    id: UUID
    policy_id: UUID
    version: int
    digest: str = Field(description="SHA-256 of the rules, in hex.", examples=[DIGEST])
    status: SimulationStatus = Field(
        description=(
            "CANCELLED: somebody cancelled it, the draft changed, or another simulation of the"
            " policy began."
        )
    )
    filters: SimulationFilters
    measure: str | None = Field(
        description="The variable whose values are counted.", examples=["face.similarity"]
    )
    total: int | None = Field(
        description="How many verifications there are. Null until they are counted.",
        examples=[1000],
    )
    processed: int = Field(description="How many are done.", examples=[750])
    evaluated: int = Field(description="How many of these were evaluated.", examples=[740])
    changed: int = Field(description="How many have another outcome.", examples=[12])
    without_result: int = Field(
        description="In how many a condition has no result, so that they go to review.",
        examples=[0],
    )
    matrix: list[ChangeShape] = Field(description="All that were evaluated, by both outcomes.")
    reviewed: list[ReviewedShape] = Field(description="Those that a reviewer decided afterwards.")
    agreed_before: int = Field(
        description="How many reviewers' decisions are the outcome at the time.", examples=[3]
    )
    agreed_simulated: int = Field(
        description="How many reviewers' decisions are the simulated outcome.", examples=[9]
    )
    not_evaluated: list[SkippedShape]
    created_at: Timestamp
    finished_at: Timestamp | None


class SimulationAnswer(Shape):
    simulation: SimulationShape


class SimulationPage(Shape):
    simulations: list[SimulationShape]
    pagination: Pagination


class ComparedShape(CountShape):
    """The verifications with one outcome for which the draft has another one, or the same."""

    decided: str = Field(
        description="The outcome: APPROVED, REJECTED, MANUAL_REVIEW, REQUIRE_STEP, ASK_AGAIN.",
        examples=["APPROVED"],
    )
    proposed: str = Field(description="That of the draft.", examples=["MANUAL_REVIEW"])


class ShadowShape(Shape):
    policy_id: UUID
    version: int
    digest: str = Field(
        description=(
            "SHA-256 of the draft's rules, in hex. After a change of the rules, the counts start"
            " at 0."
        ),
        examples=[DIGEST],
    )
    compared: int = Field(description="How many decisions were compared.", examples=[1000])
    changed: int = Field(description="How many have another outcome.", examples=[12])
    without_result: int = Field(
        description="In how many a condition of the draft has no result.", examples=[0]
    )
    matrix: list[ComparedShape] = Field(description="All of them, by both outcomes.")


class ShadowAnswer(Shape):
    shadow: ShadowShape | None = Field(
        description="Null if the workflow names no shadow, or its policy has no draft."
    )


class ThresholdRequest(Body):
    name: str = Field(
        min_length=1,
        max_length=200,
        description="The name of the policy that is created.",
        examples=["Alta de cuenta con umbral"],
    )
    limit: float = Field(
        0.005,
        ge=0.0005,
        le=0.5,
        description="The share of wrong approvals that is kept.",
        examples=[0.005],
    )
    confidence: float = Field(
        0.95, ge=0.5, le=0.999, description="The probability of keeping it.", examples=[0.95]
    )


class TestShape(Shape):
    threshold: float = Field(examples=[0.91])
    approvals: int = Field(description="With this score or a higher one.", examples=[1400])
    wrong: int = Field(description="Those that reviewers rejected.", examples=[1])
    p_value: float = Field(
        description="The probability of so few if the share were above the limit.", examples=[0.007]
    )


class ProposedThreshold(Shape):
    """A threshold that keeps the limit, and the data that it rests on."""

    measure: str = Field(examples=["face.similarity"])
    limit: float = Field(examples=[0.005])
    confidence: float = Field(examples=[0.95])
    threshold: float | None = Field(
        description="Null if the data show none that keeps the limit.", examples=[0.91]
    )
    upper_bound: float | None = Field(
        description="Clopper and Pearson's for the share of wrong approvals from there on.",
        examples=[0.0034],
    )
    needed: int = Field(
        description="The approvals, all right, that a test needs at least.", examples=[598]
    )
    tested: int = Field(description="The approvals that reviewers decided.", examples=[4000])
    pilot: int = Field(
        description="The approvals that chose the first threshold, and are not tested.",
        examples=[1000],
    )
    tests: list[TestShape] = Field(description="In their order; the last one may have failed.")
    method: str = Field(examples=["Fixed-sequence testing"])
    not_covered: list[str] = Field(
        description="What the bound does not say.", examples=[["Mistakes of the reviewers."]]
    )
    simulation_id: UUID
    rules_digest: str = Field(
        description="SHA-256 of the rules that were simulated, in hex.", examples=[DIGEST]
    )
    filters: SimulationFilters


class ThresholdAnswer(Shape):
    proposal: ProposedThreshold
    policy_id: UUID | None = Field(
        description="The new policy, whose draft has the threshold. Null without a threshold."
    )
