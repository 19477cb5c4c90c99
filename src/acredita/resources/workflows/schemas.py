from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import AfterValidator, Field, model_validator

from acredita.api.schemas import Body, FreeForm, SeveralFaults, Shape, Timestamp
from acredita.api.step_types import KnownStepType
from acredita.domain import steps
from acredita.engines import policies

# Fits into a 32-bit integer of PostgreSQL and of any client.
LARGEST_ORDER = 2**31 - 1
MOST_STEPS = 50
POLICY_MEANING = (
    "The policy whose published version decides the verifications. Null: a failed step rejects,"
    " a step in review leads to a manual review, otherwise the verification is approved."
)

SHADOW_MEANING = (
    "A policy whose draft is evaluated beside what decides, without any effect:"
    " `GET /v1/workflows/{id}/shadow` compares the two. Null: none."
)


def _describe_options(schema: dict[str, Any]) -> None:
    """Late: the table of step types grows while modules are imported."""
    schema["description"] = (
        "At most 16 KiB of JSON. The options of the step's type are validated:\n\n"
        f"{steps.options_table()}\n\nEvery type has the option `when`: a condition in CEL of the"
        " variables of policies. The step is skipped if the condition is false when its turn"
        " comes. Other options are stored and ignored."
    )


class StepWrite(Body):
    id: str | None = Field(
        None, description="Ignored. The service assigns the ids of steps.", examples=[None]
    )
    type: KnownStepType = Field(description="What the step checks.")
    order: int = Field(ge=0, le=LARGEST_ORDER, description="Execution order, from 0.")
    config: FreeForm | None = Field(
        None,
        json_schema_extra=_describe_options,
        examples=[{"requireBack": True, "backGraceSeconds": 60}],
    )

    @model_validator(mode="after")
    def known_options_are_of_their_type(self) -> Self:
        faults = steps.kind_of(self.type).faults(self.config or {})
        if faults:
            raise ValueError("config: " + "; ".join(faults))
        return self


def _with_valid_conditions(given: list[StepWrite]) -> list[StepWrite]:
    faults = policies.step_faults([step.config or {} for step in given])
    if faults:
        raise SeveralFaults(faults)
    return given


GivenSteps = Annotated[
    list[StepWrite],
    Field(min_length=1, max_length=MOST_STEPS),
    AfterValidator(_with_valid_conditions),
]


FILES_MEANING = (
    "Whether the capture page offers to upload files, and not only the camera. The page's address"
    " is public, so this keeps honest people to the camera and proves nothing: see `source` of a"
    " verification's documents."
)


class WorkflowCreate(Body):
    name: str = Field(min_length=1, max_length=200, examples=["Alta de cuenta"])
    description: str | None = Field(None, max_length=1000, examples=["Clientes nuevos en sucursal"])
    steps: GivenSteps
    policy_id: str | None = Field(None, description=POLICY_MEANING, examples=[None])
    shadow_policy_id: str | None = Field(None, description=SHADOW_MEANING, examples=[None])
    allow_files: bool = Field(True, description=FILES_MEANING)


class WorkflowUpdate(Body):
    """An absent field stays unchanged. Steps are replaced as a whole. A description and
    policies may be null.
    """

    name: str = Field(
        default_factory=str, min_length=1, max_length=200, examples=["Alta de cuenta"]
    )
    description: str | None = Field(None, max_length=1000, examples=["Clientes nuevos en sucursal"])
    steps: GivenSteps = Field(default_factory=list)
    policy_id: str | None = Field(None, description=POLICY_MEANING, examples=[None])
    shadow_policy_id: str | None = Field(None, description=SHADOW_MEANING, examples=[None])
    allow_files: bool = Field(True, description=FILES_MEANING)
    is_active: bool = Field(
        default_factory=bool,
        description="`false` deactivates the workflow, like DELETE. It cannot be activated again.",
        examples=[True],
    )


class StepShape(Shape):
    id: UUID
    type: KnownStepType
    order: int


class StepWithConfig(StepShape):
    config: dict[str, Any] = Field(examples=[{"requireBack": True}])


class CreatedWorkflow(Shape):
    id: UUID
    name: str = Field(examples=["Alta de cuenta"])
    is_active: bool
    steps: list[StepShape]
    policy_id: UUID | None
    shadow_policy_id: UUID | None
    allow_files: bool = Field(description=FILES_MEANING)
    created_at: Timestamp


class CreatedWorkflowAnswer(Shape):
    workflow: CreatedWorkflow


class WorkflowShape(Shape):
    id: UUID
    name: str = Field(examples=["Alta de cuenta"])
    description: str | None = Field(examples=["Clientes nuevos en sucursal"])
    is_active: bool
    steps: list[StepWithConfig]
    policy_id: UUID | None
    shadow_policy_id: UUID | None
    allow_files: bool = Field(description=FILES_MEANING)
    created_at: Timestamp


class WorkflowList(Shape):
    workflows: list[WorkflowShape]
