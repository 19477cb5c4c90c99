"""The bodies of webhooks, for the API description: the envelope and the data of each kind.

Events are recorded as fixed bytes (`events.record`); nothing is serialized by these shapes. The
tests' receiver checks every body that it gets with them.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args
from uuid import UUID

from fastapi import APIRouter, Header
from pydantic import BaseModel, ConfigDict, Field, create_model

from acredita.api.openapi.examples import EXAMPLE_OF_DATA
from acredita.api.schemas import Shape, Timestamp
from acredita.api.step_types import KnownStepType
from acredita.domain.events import EventKind
from acredita.domain.verification import StepStatus, VerificationStatus
from acredita.resources.webhooks import signed_request

ENVELOPE_ID = "evt_0f8fad5bd9cb469fa16570867728950e"


class Envelope(Shape):
    """What the body of every webhook has."""

    id: str = Field(
        pattern="^evt_[0-9a-f]{32}$",
        description="The same in every attempt and redelivery: ignore an id that you know.",
        examples=[ENVELOPE_ID],
    )
    created_at: Timestamp = Field(description="When the event happened.")


class VerificationData(Shape):
    verification_id: UUID
    external_id: str | None = Field(
        description="The verification's `externalId`.", examples=["cliente-4711"]
    )


class CreatedData(VerificationData):
    workflow_id: UUID
    status: VerificationStatus = Field(examples=["PENDING"])
    # Present only in a test delivery: neither required nor null.
    test: bool = Field(
        default_factory=bool,
        description="Present and true in the delivery of POST /v1/webhooks/{id}/test.",
        examples=[False],
    )


class UpdatedData(VerificationData):
    changes: list[str] = Field(
        description="The names of the verification's fields that changed.", examples=[["status"]]
    )


class FinishedStep(Shape):
    id: UUID
    type: KnownStepType
    status: StepStatus = Field(examples=["PASSED"])


class CompletedData(VerificationData):
    status: VerificationStatus = Field(examples=["APPROVED"])
    steps: list[FinishedStep] = Field(description="In the order in which they run.")


class DecidedData(VerificationData):
    previous_status: VerificationStatus = Field(examples=["IN_PROGRESS"])
    new_status: VerificationStatus = Field(examples=["APPROVED"])


class StepData(VerificationData):
    step_id: UUID
    step_type: KnownStepType
    status: StepStatus = Field(examples=["PASSED"])


def _event(kind: EventKind, data: type[VerificationData]) -> type[Envelope]:
    name = kind.title().replace(".", "").replace("_", "")
    event: Any = Literal[kind]
    return create_model(f"{name}Event", __base__=Envelope, event=(event, ...), data=(data, ...))


def _header_name(field: str) -> str:
    name = field.replace("_", "-")
    return name if name.startswith("webhook-") else name.title()


class DeliveryHeaders(BaseModel):
    """The headers of a delivery."""

    model_config = ConfigDict(alias_generator=_header_name)

    x_service_event: str = Field(
        description="The kind of the event.", examples=["verification.completed"]
    )
    x_service_signature: str = Field(
        description="`sha256=` and the HMAC-SHA256 of the raw body in lower-case hex, keyed with "
        "the endpoint's whole secret.",
        examples=["sha256=" + "5d41402abc4b2a76b9719d911017c592" * 2],
    )
    x_service_delivery: UUID = Field(description="The id of the attempt, another one each time.")
    user_agent: str = Field(examples=[signed_request.USER_AGENT])
    webhook_id: str = Field(description="The envelope's `id`.", examples=[ENVELOPE_ID])
    webhook_timestamp: str = Field(
        description="When the attempt was made, in Unix seconds.", examples=["1769882709"]
    )
    webhook_signature: str = Field(
        description="The Standard Webhooks signature of id, timestamp and body.",
        examples=["v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="],
    )


def describe_event(
    webhooks: APIRouter,
    body: type[Envelope],
    summary: str,
    text: str,
    data: Mapping[str, Any] | None = None,
) -> None:
    """Add one kind of event, which the shape's `event` names, to the description's webhooks.

    `data` is an example of the envelope's; without it, one is made of the examples of the fields.
    """

    def receive(event: body, headers: Annotated[DeliveryHeaders, Header()]) -> None:  # type: ignore[valid-type]
        """Nothing calls this: the description is made from its signature."""

    (kind,) = get_args(body.model_fields["event"].annotation)
    webhooks.add_api_route(
        kind,
        receive,
        methods=["POST"],
        status_code=204,
        name=f"on_{kind.replace('.', '_')}",
        summary=summary,
        description=text,
        response_description="Any status from 200 to 299, within ten seconds.",
        openapi_extra={EXAMPLE_OF_DATA: data},
    )


WEBHOOKS = APIRouter(tags=["Events"])
_DECIDED = "The status changed to {}, by the steps' results or by a reviewer."
_STEP = {
    "stepId": "5d0f7c52-8a43-4b8e-8a1f-6f0c1a9e7b20",
    "stepType": "DOCUMENT_OCR",
    "status": "PASSED",
}
_STEPS = [{"id": _STEP["stepId"], "type": _STEP["stepType"], "status": _STEP["status"]}]
for _kind, _data, _summary, _text, _example in (
    (
        EventKind.VERIFICATION_CREATED,
        CreatedData,
        "A verification was created",
        "`POST /v1/webhooks/{id}/test` sends this one too, with `data.test` true.",
        {"workflowId": "7a9c0d11-3c58-4d19-9f3e-1b2a3c4d5e6f", "status": "PENDING"},
    ),
    (
        EventKind.VERIFICATION_UPDATED,
        UpdatedData,
        "A verification changed",
        (
            "`data.changes` names the fields; `steps` says that another picture is asked for. An"
            " expired verification sends no other event."
        ),
        {"changes": ["status"]},
    ),
    (
        EventKind.VERIFICATION_COMPLETED,
        CompletedData,
        "All steps of a verification have finished",
        "Sent once. The `callbackUrl` gets it again when a reviewer changes the decision.",
        {"status": "APPROVED", "steps": _STEPS},
    ),
    (
        EventKind.VERIFICATION_APPROVED,
        DecidedData,
        "A verification was approved",
        _DECIDED.format("APPROVED"),
        {"previousStatus": "IN_PROGRESS", "newStatus": "APPROVED"},
    ),
    (
        EventKind.VERIFICATION_REJECTED,
        DecidedData,
        "A verification was rejected",
        _DECIDED.format("REJECTED"),
        {"previousStatus": "IN_PROGRESS", "newStatus": "REJECTED"},
    ),
    (
        EventKind.VERIFICATION_MANUAL_REVIEW,
        DecidedData,
        "A verification waits for a reviewer",
        _DECIDED.format("MANUAL_REVIEW"),
        {"previousStatus": "IN_PROGRESS", "newStatus": "MANUAL_REVIEW"},
    ),
    (
        EventKind.STEP_COMPLETED,
        StepData,
        "A step has finished",
        "`data.status` is PASSED, REVIEW if a person has to look at it, or SKIPPED.",
        _STEP,
    ),
    (
        EventKind.STEP_FAILED,
        StepData,
        "A step failed",
        "`data.status` is FAILED.",
        _STEP | {"stepType": "FACE_MATCH", "status": "FAILED"},
    ),
):
    _ids = {"verificationId": "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"}
    _whole = _ids | _example | {"externalId": "cliente-4711"}
    describe_event(WEBHOOKS, _event(_kind, _data), _summary, _text, _whole)
