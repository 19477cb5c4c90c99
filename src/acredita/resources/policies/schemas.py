from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from acredita.api.schemas import (
    Body,
    FreeForm,
    ReasonCodeField,
    SeveralFaults,
    Shape,
    Timestamp,
)
from acredita.api.step_types import KnownStepType
from acredita.domain import steps
from acredita.domain.policies import Act, variables
from acredita.domain.reasons import REASONS
from acredita.domain.verification import DocumentRole
from acredita.engines import policies
from acredita.models import PolicyStatus

MOST_RULES = 100
# As much as so many rules need. A body of four times as much, of tiny members, would take 0.3 s to
# parse before it is refused.
LARGEST_POLICY = 1024 * 1024
MOST_REASONS = 20
# Faulty rules after which the rest is not checked, so that checking takes bounded time.
MOST_FAULTY = 5
ActGiven = Annotated[Act, Field(strict=False)]


def _known(code: str) -> str:
    if code not in REASONS:
        raise ValueError("is not a reason code: see docs/reference/reasons.md")
    return code


def _describe_variables(schema: dict[str, Any]) -> None:
    """Late: the table of step types grows while modules are imported."""
    rows = "\n".join(f"| {v.name} | {v.kind} | {v.meaning} |" for v in variables(steps.types()))
    schema["description"] = (
        "A condition in CEL (Common Expression Language) of these variables:\n\n"
        f"| variable | type | meaning |\n|---|---|---|\n{rows}"
    )


class RequiredStep(Body):
    type: KnownStepType
    config: FreeForm | None = None

    @model_validator(mode="after")
    def known_options_are_of_their_type(self) -> Self:
        config = self.config or {}
        faults = steps.kind_of(self.type).faults(config)
        if steps.WHEN in config:
            faults.append(f"{steps.WHEN} belongs to a step of a workflow: the rule has its own")
        if faults:
            raise ValueError("config: " + "; ".join(faults))
        return self


class OutcomeWrite(Body):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"outcome": "REVIEW", "reasons": ["RISK_ABOVE_LIMIT"], "queue": "fraude"}]
        }
    )

    outcome: ActGiven = Field(
        description=(
            "DEFAULT: the decision without a policy. REQUIRE_STEP: `step` runs first; if the"
            " verification has such a step already, the verification goes to review. ASK_AGAIN: the"
            " person in the browser flow is asked for `pictures` again, at most three times; after"
            " that, and outside of the browser flow, the verification goes to review."
        )
    )
    reasons: list[Annotated[ReasonCodeField, AfterValidator(_known)]] = Field(
        default_factory=list, max_length=MOST_REASONS, examples=[["RISK_ABOVE_LIMIT"]]
    )
    queue: str | None = Field(
        None, max_length=64, description="Who should review it.", examples=["fraude"]
    )
    step: RequiredStep | None = None
    pictures: list[Annotated[DocumentRole, Field(strict=False)]] | None = Field(
        None,
        min_length=1,
        description="The roles of the pictures that are asked for again.",
        examples=[None],
    )

    @model_validator(mode="after")
    def has_what_its_outcome_needs(self) -> Self:
        for name, given, owner in (
            ("step", self.step, Act.REQUIRE_STEP),
            ("pictures", self.pictures, Act.ASK_AGAIN),
        ):
            if given is None and self.outcome is owner:
                raise ValueError(f"the outcome {owner} needs `{name}`")
            if given is not None and self.outcome is not owner:
                raise ValueError(f"`{name}` is only for the outcome {owner}")
        if self.pictures is not None and len(set(self.pictures)) < len(self.pictures):
            raise ValueError("pictures names a role twice")
        return self


class RuleWrite(Body):
    name: str = Field(min_length=1, max_length=100, examples=["Parecido bajo"])
    when: str = Field(
        min_length=1,
        max_length=policies.LONGEST_CONDITION,
        json_schema_extra=_describe_variables,
        examples=["face.known && face.similarity < 0.85"],
    )
    then: OutcomeWrite


class RulesWrite(Body):
    """The rules of a policy. They are tried in order, and the first that applies decides."""

    rules: list[RuleWrite] = Field(max_length=MOST_RULES)
    otherwise: OutcomeWrite = Field(description="What applies without a rule.")

    @model_validator(mode="after")
    def conditions_are_valid(self) -> Self:
        names = [rule.name for rule in self.rules]
        if len(set(names)) < len(names):
            raise ValueError("two rules have the same name")
        faults: list[str] = []
        faulty = 0
        costs = policies.Costs()
        for place, rule in enumerate(self.rules):
            found = list(_faults_of(place, rule.when, costs))
            faults += found
            faulty += bool(found)
            if faulty == MOST_FAULTY or costs.are_too_high:
                break
        if faults:
            raise SeveralFaults(faults)
        return self

    def document(self) -> dict[str, Any]:
        """The stored form, in wire names."""
        return self.model_dump(
            mode="json", by_alias=True, include={"rules": True, "otherwise": True}
        )


def _faults_of(place: int, condition: str, costs: policies.Costs) -> Iterator[str]:
    for fault in policies.faults(condition, costs):
        yield f"rules.{place}.when, line {fault.line}, column {fault.column}: {fault.message}"


class DraftWrite(RulesWrite):
    """The rules of a draft. They are tried in order, and the first that applies decides."""

    name: str | None = Field(
        None,
        min_length=1,
        max_length=200,
        description="The policy's new name. Null: it stays.",
        examples=["Alta de cuenta"],
    )


class PolicyCreate(RulesWrite):
    name: str = Field(min_length=1, max_length=200, examples=["Alta de cuenta"])


class DraftPublication(Body):
    # The draft may have changed since the publisher read it.
    digest: str = Field(
        pattern="^[0-9a-f]{64}$",
        description="The digest of the draft that you read.",
        examples=["6b86" * 16],
    )


class VersionShape(Shape):
    version: int
    status: PolicyStatus
    digest: str = Field(
        description="SHA-256, in hex, of the canonical JSON of the rules.",
        examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    )
    rules: list[dict[str, Any]]
    otherwise: dict[str, Any]
    basis: dict[str, Any] | None = Field(
        description="Of a proposed threshold: the data and the bound that it rests on.",
        examples=[None],
    )
    author_type: Literal["client", "user"]
    author_id: UUID
    published_by: UUID | None
    published_at: Timestamp | None
    created_at: Timestamp


class PolicyShape(Shape):
    id: UUID
    name: str = Field(examples=["Alta de cuenta"])
    versions: list[VersionShape] = Field(description="Newest first.")
    created_at: Timestamp


class PolicyAnswer(Shape):
    policy: PolicyShape


class ListedPolicy(Shape):
    id: UUID
    name: str = Field(examples=["Alta de cuenta"])
    created_at: Timestamp


class PolicyList(Shape):
    policies: list[ListedPolicy]
